// Package pgtest starts PostgreSQL for tests out of the installed binaries, in
// a temporary folder and on a free port. Tests of package store and of whatever
// stands on it use it; the product does not.
package pgtest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
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

// Copies makes databases like Database does that begin as prepare has left the first one:
// for tests so many and so short that preparing each anew would be most of what they do.
func Copies(prepare func(ctx context.Context, address string) error) func(t testing.TB) string {
	template := sync.OnceValues(func() (string, error) { return prepared(prepare) })
	return func(t testing.TB) string {
		t.Helper()
		name, err := template()
		if err != nil {
			t.Fatal(err)
		}
		s, _ := shared()
		address, err := s.create(t.Context(), " TEMPLATE "+name)
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
}

// prepared is the name of a database that is prepared, and has been left alone since.
func prepared(prepare func(ctx context.Context, address string) error) (string, error) {
	s, err := shared()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	address, err := s.Create(ctx)
	if err != nil {
		return "", err
	}
	if err := prepare(ctx, address); err != nil {
		return "", fmt.Errorf("prepare a test database: %w", err)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(u.Path, "/"), nil
}

// Begin starts a server for a program that is no test; durable says whether it
// syncs to disk. It goes with the process, or with Stop.
func Begin(durable bool) (*Server, error) { return start(durable) }

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
	claim  io.Closer // of the port, see claimPort
	folder string
	leash  leash
	serial atomic.Int64
}

// Database makes an empty database and returns its address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	address, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Create makes an empty database and returns its address.
func (s *Server) Create(ctx context.Context) (string, error) { return s.create(ctx, "") }

// create makes a database as the end of the statement says.
func (s *Server) create(ctx context.Context, like string) (string, error) {
	name := fmt.Sprintf("test_%d", s.serial.Add(1))
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.address("postgres"))
	if err != nil {
		return "", fmt.Errorf("connect to the test server: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name+like); err != nil {
		return "", fmt.Errorf("make a test database: %w", err)
	}
	return s.address(name), nil
}

func (s *Server) address(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.User(superuser), Host: fmt.Sprintf("127.0.0.1:%d", s.port),
		Path: database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Crash ends the server at once, as kill -9 of all its processes would, and
// keeps its files. Every connection breaks, and none can be made until Restart.
func (s *Server) Crash(t testing.TB) {
	t.Helper()
	if err := s.leash.order("crash"); err != nil {
		t.Fatalf("crash the test server: %v", err)
	}
}

// Restart starts a server that has crashed, and comes back once it answers.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	err := s.leash.order("start")
	if err == nil {
		err = s.await()
	}
	if err != nil {
		t.Fatalf("start the test server again: %v", err)
	}
}

// Stop ends the server and removes its files.
func (s *Server) Stop() {
	s.leash.let()
	_ = s.claim.Close()
}
