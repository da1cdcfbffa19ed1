package postgres_test

import (
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// pooler gives each transaction of its clients the session that became free last.
type pooler struct {
	t       *testing.T
	address string

	mu   sync.Mutex
	free []*pgconn.HijackedConn
}

// startPooler returns the address of a database by way of a pooler.
func startPooler(t *testing.T, address string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &pooler{t: t, address: address}
	var clients sync.WaitGroup
	clients.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			clients.Go(func() {
				defer func() { _ = c.Close() }()
				if err := p.serve(c); err != nil && !strings.Contains(err.Error(), "EOF") {
					t.Logf("a client of the pooler: %v", err)
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		clients.Wait()
		for _, s := range p.free {
			_ = s.Conn.Close()
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = listener.Addr().String()
	return u.String()
}

// serve welcomes a client and hands its transactions on.
func (p *pooler) serve(c net.Conn) error {
	client := pgproto3.NewBackend(c, c)
	for {
		first, err := client.ReceiveStartupMessage()
		if err != nil {
			return err
		}
		if _, plain := first.(*pgproto3.StartupMessage); plain {
			break
		}
		if _, err := io.WriteString(c, "N"); err != nil { // no TLS
			return err
		}
	}
	client.Send(&pgproto3.AuthenticationOk{})
	client.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	client.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	client.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 1}})
	client.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := client.Flush(); err != nil {
		return err
	}
	var held *pgconn.HijackedConn
	defer func() {
		if held != nil {
			_ = held.Conn.Close()
		}
	}()
	for {
		said, err := client.Receive()
		if err != nil {
			return err
		}
		if _, bye := said.(*pgproto3.Terminate); bye {
			return nil
		}
		if held == nil {
			if held, err = p.take(); err != nil {
				return err
			}
		}
		held.Frontend.Send(said)
		switch said.(type) {
		case *pgproto3.Sync, *pgproto3.Query:
			over, err := answer(held, client)
			if err != nil {
				return err
			}
			if over { // before the client hears of it, who may ask again at once over another connection
				p.mu.Lock()
				p.free, held = append(p.free, held), nil
				p.mu.Unlock()
			}
			if err := client.Flush(); err != nil {
				return err
			}
		case *pgproto3.Flush:
			return io.ErrUnexpectedEOF // nobody sends it
		}
	}
}

// take is the session that became free last, or a new one.
func (p *pooler) take() (*pgconn.HijackedConn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		return s, nil
	}
	c, err := pgconn.Connect(p.t.Context(), p.address)
	if err != nil {
		return nil, err
	}
	return c.Hijack()
}

// answer takes over what the server says until it is ready, and reports whether no transaction is open then.
func answer(s *pgconn.HijackedConn, client *pgproto3.Backend) (over bool, err error) {
	if err := s.Frontend.Flush(); err != nil {
		return false, err
	}
	for {
		said, err := s.Frontend.Receive()
		if err != nil {
			return false, err
		}
		client.Send(said)
		if ready, is := said.(*pgproto3.ReadyForQuery); is {
			return ready.TxStatus == 'I', nil
		}
	}
}

// A pooler by transaction that meets no statement somebody else has prepared is named all the same, before
// anything is made over it.
func TestAPoolerByTransactionIsNamedWithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	address := startPooler(t, pgtest.Database(t))
	e, err := postgres.Open(t.Context(), address+"&default_query_exec_mode=describe_exec")
	if err == nil {
		_ = e.Close()
	}
	if p := problem.As(err); p == nil || !strings.Contains(p.Message, "each transaction another session") {
		t.Errorf("got %v", err)
	}
}

// What cannot be asked of the database in the way that an address wants is refused with the flag.
func TestAWayOfAskingThatDoesNotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"exec", "simple_protocol"} {
		_, err := postgres.Open(t.Context(), "postgres://u@127.0.0.1:1/d?default_query_exec_mode="+mode)
		if !problem.Is(err, problem.InvalidFields) || !strings.Contains(err.Error(), "default_query_exec_mode must be") {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
