// Package pgtest starts PostgreSQL for tests out of the installed binaries, in
// a temporary folder and on a free port. Tests of package store and of whatever
// stands on it use it; the product does not.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// shared is the server that Database uses: one for the whole test binary, so
// it has to outlive any single test.
var shared = sync.OnceValues(func() (*Server, error) { return start(false) }) //nolint:gochecknoglobals // see above

// Database makes an empty database for the test and returns its address. All
// tests of a binary share one server without fsync; it goes with the process.
func Database(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s.Database(t)
}

// Start starts a server of the test's own that does sync to disk, for tests of durability.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := start(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Server is a running PostgreSQL.
type Server struct {
	port   int
	leash  leash
	serial atomic.Int64
}

// Database makes an empty database and returns its address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", s.serial.Add(1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.address("postgres"))
	if err != nil {
		t.Fatalf("connect to the test server: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatalf("make a test database: %v", err)
	}
	return s.address(name)
}

func (s *Server) address(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.User(superuser), Host: fmt.Sprintf("127.0.0.1:%d", s.port),
		Path: database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Stop ends the server and removes its files.
func (s *Server) Stop() { s.leash.let() }
