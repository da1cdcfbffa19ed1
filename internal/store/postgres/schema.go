package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// ownSchema refuses to work in another schema than the one that comes first on the search path. The
// server passes by one that is not there, or that the role may not use, without a word, and the next
// may hold the tables of another service: its jobs would be taken, and its calls placed.
func ownSchema(ctx context.Context, pool *pgxpool.Pool) error {
	var path, schema, role string
	err := pool.QueryRow(ctx, `SELECT current_setting('search_path'), coalesce(current_schema(), ''), current_user::text`).Scan(&path, &schema, &role)
	if err != nil {
		return fmt.Errorf("schema of the tables: %w", err)
	}
	names := schemasOf(path)
	if len(names) > 0 && names[0] == rolesOwn {
		if schema == role {
			return nil
		}
		names = names[1:] // few roles have one
	}
	switch {
	case len(names) == 0 || names[0] == "":
		return problem.New(problem.Unavailable, "the search path of the database names no schema for the tables").
			WithHint("give one in --database: ?search_path=public")
	case names[0] != schema:
		return problem.New(problem.Unavailable, "the schema %s, which comes first on the search path, is not there, or the role may not use it", names[0]).
			WithHint(`make it (CREATE SCHEMA "%s" AUTHORIZATION %s), or have another one come first: ?search_path=public in --database`, names[0], role)
	}
	return nil
}

// mayNotMake tells whose right it was that was missing, and how it is given. From version 15 on
// nobody but its owner may make tables in the schema public of a new database.
func mayNotMake(ctx context.Context, pool *pgxpool.Pool, cause error) error {
	var schema, role string
	err := pool.QueryRow(ctx, `SELECT quote_ident(current_schema()), quote_ident(current_user)`).Scan(&schema, &role)
	if err != nil {
		return cause
	}
	return problem.New(problem.Unavailable, "the role %s may not make or change the service's tables in the schema %s", role, schema).
		WithHint("let it make tables there (GRANT CREATE ON SCHEMA %s TO %s), or give it a database of its own (CREATE DATABASE name OWNER %s); "+
			"tables that are there already must belong to it", schema, role, role).Because(cause)
}

// rolesOwn stands on a search path for the schema that is called as the role is.
const rolesOwn = "$user"

// schemasOf are the names on a search path, as the server reads them: what stands in quotes
// as it is, all else in small letters.
func schemasOf(path string) (names []string) {
	var name strings.Builder
	quoted := false
	end := func() {
		names = append(names, name.String())
		name.Reset()
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '"' && quoted && strings.HasPrefix(path[i+1:], `"`): // one that is meant
			name.WriteByte(c)
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			end()
		case 'A' <= c && c <= 'Z' && !quoted:
			name.WriteByte(c - 'A' + 'a')
		case quoted || !strings.ContainsRune(" \t\n\r\f\v", rune(c)):
			name.WriteByte(c)
		}
	}
	end()
	return names
}
