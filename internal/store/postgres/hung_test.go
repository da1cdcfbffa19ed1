package postgres_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// relay stands between the program and its database. Frozen it takes
// connections and all that comes over them, and hands nothing on.
type relay struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	thawn chan struct{}
	open  []net.Conn
	// refusing is how many connections more are broken at once.
	refusing int
	// greets says that of what the server says on a new connection only the first piece is handed on.
	greets bool
	// left is after how many bytes from the server a connection is broken, below 0 for never.
	left int
}

// startRelay returns a relay to the database at address, and the address by way of it.
func startRelay(t *testing.T, address string) (*relay, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: listener, server: u.Host, thawn: make(chan struct{}), left: -1}
	close(r.thawn)
	go r.serve()
	t.Cleanup(func() {
		_ = listener.Close()
		r.thaw()
	})
	u.Host = listener.Addr().String()
	return r, u.String()
}

func (r *relay) serve() {
	for {
		near, err := r.listener.Accept()
		if err != nil {
			return
		}
		if r.refuses() {
			_ = near.Close()
			continue
		}
		far, err := net.Dial("tcp", r.server)
		if err != nil {
			_ = near.Close()
			continue
		}
		r.mu.Lock()
		r.open = append(r.open, near, far)
		greets := r.greets
		r.mu.Unlock()
		go r.hand(far, near)
		if greets {
			go r.hand(near, &greeting{Conn: far})
			continue
		}
		go r.hand(near, answers{far, r})
	}
}

// greetOnly has new connections come about, and nothing that is asked on them be answered.
func (r *relay) greetOnly() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.greets = true
}

// greeting is the first that a server says.
type greeting struct {
	net.Conn
	said bool
}

// Read implements io.Reader.
func (g *greeting) Read(into []byte) (int, error) {
	if g.said {
		return 0, errors.Join(io.EOF, swallow(g.Conn))
	}
	g.said = true
	return g.Conn.Read(into)
}

// swallow reads what comes until nothing comes any more.
func swallow(from io.Reader) error {
	_, err := io.Copy(io.Discard, from)
	return err
}

// leave breaks what is open, and as many connections more, as a server does that
// is away for a while.
func (r *relay) leave(connections int) {
	r.thaw()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusing = connections
}

// refuses counts a new connection.
func (r *relay) refuses() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusing--
	return r.refusing >= 0
}

// breakAfter breaks a connection, once, after so many bytes more from the server.
func (r *relay) breakAfter(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = n
}

// isBroken reports whether that has happened, and has it happen no more.
func (r *relay) isBroken() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	broken := r.left < 0
	r.left = -1
	return broken
}

// answers are what a server says, until the relay breaks that off.
type answers struct {
	net.Conn
	relay *relay
}

// Read implements io.Reader.
func (a answers) Read(into []byte) (int, error) {
	n, err := a.Conn.Read(into)
	a.relay.mu.Lock()
	defer a.relay.mu.Unlock()
	switch left := a.relay.left; {
	case left < 0 || err != nil:
		return n, err
	case n <= left:
		a.relay.left -= n
		return n, nil
	default:
		a.relay.left = -1
		_ = a.Close()
		return left, io.ErrClosedPipe
	}
}

// hand passes on what comes, once it may.
func (r *relay) hand(to io.WriteCloser, from io.Reader) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		<-r.mayPass()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// mayPass is closed once what has come may be passed on.
func (r *relay) mayPass() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.thawn
}

func (r *relay) freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.thawn = make(chan struct{})
}

// thaw breaks what was frozen and lets everything new pass.
func (r *relay) thaw() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.open {
		_ = c.Close()
	}
	r.open = nil
	select {
	case <-r.thawn:
	default:
		close(r.thawn)
	}
}

// TestAServerThatHangs has the server take everything and answer nothing:
// before a transaction, in the midst of one, and at its commit. Whoever asks is
// told soon, and all works again once the server answers.
func TestAServerThatHangs(t *testing.T) {
	t.Parallel()
	relay, address := startRelay(t, pgtest.Database(t))
	e, s := opened(t, address)
	// The engine is impatient only while nothing answers: a busy machine may take
	// longer over a server that does.
	const soon = 300 * time.Millisecond
	frozen := func() {
		relay.freeze()
		e.Hasten(soon, soon, soon, soon)
	}
	nothing := func(context.Context) {}
	freeze := func(context.Context) { frozen() }
	put := func(id string, before, after func(context.Context)) error {
		ctx := t.Context()
		return s.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.Agents(ctx, "ws", 1, ""); err != nil {
				return err
			}
			before(ctx)
			err := tx.InsertAgent(ctx, anAgent(id))
			after(ctx)
			return err
		})
	}
	if err := put("agt_whole", nothing, nothing); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		when      string
		ask       func() error
		uncertain bool
	}{
		{"statement", func() error { return put("agt_statement", freeze, nothing) }, false},
		{"commit", func() error { return put("agt_commit", nothing, freeze) }, true},
		{"write", func() error { frozen(); return put("agt_write", nothing, nothing) }, false},
		{"read", func() error {
			frozen()
			return s.Read(t.Context(), func(tx *store.Tx) error { _, err := tx.Agents(t.Context(), "ws", 1, ""); return err })
		}, false},
		{"ping", func() error { frozen(); return s.Ping(t.Context()) }, false},
		{"refusal", func() error {
			return s.Write(t.Context(), func(*store.Tx) error {
				frozen() // the rollback is not answered
				return problem.New(problem.Unavailable, "of the caller's own").WithHint("none")
			})
		}, false},
	} {
		asked := time.Now()
		err := c.ask()
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || p.Hint == "" || s.IsUncertain(err) != c.uncertain {
			t.Errorf("%s: %v", c.when, err)
		}
		if took := time.Since(asked); took > 10*time.Second {
			t.Errorf("%s: told after %s", c.when, took)
		}
		relay.thaw()
		e.Relax()
		if err := put("agt_after_"+c.when, nothing, nothing); err != nil {
			t.Errorf("after %s: %v", c.when, err)
		}
		if stored(t, s, "agt_"+c.when) || !stored(t, s, "agt_after_"+c.when) {
			t.Errorf("%s: not what was answered is stored", c.when)
		}
	}
}
