package main

import (
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type keysCommand struct {
	databaseFlags
	Workspace string    `help:"Workspace, when there is more than one." placeholder:"WS"`
	Create    createKey `cmd:"" help:"Create a key and show it once."`
	List      listKeys  `cmd:"" help:"List the keys with their names and when they were last used, without their secrets."`
	Revoke    revokeKey `cmd:"" help:"Revoke a key; it stops working within seconds."`
}

type createKey struct {
	Name string `help:"What the key is for (default key)." default:"key" placeholder:"NAME"`
}

// Run creates the key.
func (c *createKey) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withNew(ctx, all.Keys, log, func(a *app.Admin) error {
		secret, err := a.CreateKey(ctx, all.Keys.Workspace, c.Name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w.out, secret)
		return err
	})
}

type listKeys struct{}

// Run lists the keys.
func (listKeys) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withExisting(ctx, all.Keys, log, func(a *app.Admin) error {
		keys, err := a.Keys(ctx, all.Keys.Workspace)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tPREFIX\tCREATED\tLAST USED\tREVOKED")
		for _, k := range keys {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.Prefix, day(k.CreatedAt), day(k.LastUsedAt), day(k.RevokedAt))
		}
		return table.Flush()
	})
}

type revokeKey struct {
	ID string `arg:"" help:"The key's id (key_…), from keys list."`
}

// Run revokes the key.
func (c *revokeKey) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withExisting(ctx, all.Keys, log, func(a *app.Admin) error {
		if err := a.RevokeKey(ctx, all.Keys.Workspace, c.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintln(w.out, "revoked", c.ID)
		return err
	})
}

func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// withExisting is withAdmin for commands that create nothing in an empty database. Otherwise a
// wrong --data would look like a right one that happens to be empty.
func withExisting(ctx context.Context, f keysCommand, log *slog.Logger, do func(*app.Admin) error) error {
	return withFound(ctx, f, log, app.HasDatabase, "give the same --data or --database as the service", do)
}

// withNew is withExisting for commands that may make the first thing of a new service, and
// its database with that: in a folder that was made for it, which no misspelt one is.
func withNew(ctx context.Context, f keysCommand, log *slog.Logger, do func(*app.Admin) error) error {
	return withFound(ctx, f, log, app.MayHaveDatabase, "give the same --data or --database as the service, or make an empty folder first for a new one", do)
}

// withFound is withAdmin where found says yes of the data folder, or a database is told.
func withFound(ctx context.Context, f keysCommand, log *slog.Logger, found func(data string) (bool, error), hint string, do func(*app.Admin) error) error {
	if fields := f.check(); len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	if f.Database == "" {
		switch yes, err := found(f.Data); {
		case err != nil:
			return err
		case !yes:
			return problem.New(problem.NotFound, "there is no database in %s", f.Data).WithHint("%s", hint)
		}
	}
	return withAdmin(ctx, f, log, do)
}

func withAdmin(ctx context.Context, f keysCommand, log *slog.Logger, do func(*app.Admin) error) (err error) {
	a, err := app.OpenAdmin(ctx, app.Options{Data: f.Data, Database: f.Database, Log: log, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := a.Close(ctx); err == nil {
			err = closeErr
		}
	}()
	return do(a)
}
