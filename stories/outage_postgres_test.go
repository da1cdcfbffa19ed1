package stories

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// requests are sent to a service again and again, as clients would that know nothing of its troubles.
type requests struct {
	stop chan struct{}
	all  sync.WaitGroup

	mu      sync.Mutex
	answers map[int]int
	strange []string
	// made are the names of the agents that were acknowledged.
	made map[string]bool
}

// pester begins to send requests to p; end ends it. Two write and read. A write whose
// commit the database did not answer waits until it is known what became of it, for
// as long as the database is away if need be; one more reads alone, and has to be
// told in time.
func (o *outage) pester(p *process) *requests {
	r := &requests{stop: make(chan struct{}), answers: map[int]int{}, made: map[string]bool{}}
	read := func() {
		code, retry, text := o.ask("GET", p.url()+"/api/rest/agents?limit=1", "")
		r.note(code, retry, text, "")
	}
	for worker := range 2 {
		r.again(func() {
			name := "w" + string(rune('a'+worker)) + time.Now().Format("150405.000000")
			code, retry, text := o.ask("POST", p.url()+"/api/rest/agents", `{"name":"`+name+`"}`)
			r.note(code, retry, text, name)
			read()
		})
	}
	r.again(read)
	return r
}

// again asks ten times a second at most, until the end.
func (r *requests) again(ask func()) {
	r.all.Go(func() {
		for {
			select {
			case <-r.stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
			ask()
		}
	})
}

func (r *requests) note(code int, retry, text, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[code]++
	switch {
	case code/100 == 2 && name != "":
		r.made[name] = true
	case code/100 == 2:
	case code == http.StatusServiceUnavailable && retry != "" && strings.Contains(text, `"code":"unavailable"`) && strings.Contains(text, `"hint":`):
	default:
		r.strange = append(r.strange, text)
	}
}

// end stops asking and checks that every answer was one a client can go by, and
// that what was acknowledged is there once.
func (r *requests) end(t *testing.T, o *outage) {
	t.Helper()
	close(r.stop)
	r.all.Wait()
	for _, text := range r.strange {
		t.Errorf("an answer nobody can go by: %s", text)
	}
	there := map[string]int{}
	page, err := o.api.Agents(t.Context(), client.PageOptions{Limit: 100})
	for {
		must(t, err)
		for _, a := range page.Data {
			there[a.Name]++
		}
		if page.NextCursor == nil {
			break
		}
		page, err = o.api.Agents(t.Context(), client.PageOptions{Limit: 100, Cursor: *page.NextCursor})
	}
	for name, n := range there {
		if n > 1 {
			t.Errorf("%s was made %d times", name, n)
		}
	}
	for name := range r.made {
		if there[name] != 1 {
			t.Errorf("%s was acknowledged and is not there", name)
		}
	}
	t.Logf("answers by status: %v", r.answers)
}

// follow collects what the event stream says of the calls until the test ends.
func (o *outage) follow(t *testing.T) (over func() map[string]bool) {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]bool{}
	ctx := t.Context()
	go func() {
		for e, err := range o.api.Events(ctx, client.EventsFrom{}) {
			if err != nil {
				return
			}
			if e.ScoringStatus == "SCORED" {
				mu.Lock()
				seen[e.CallID] = true
				mu.Unlock()
			}
		}
	}()
	return func() map[string]bool {
		mu.Lock()
		defer mu.Unlock()
		out := map[string]bool{}
		for id := range seen {
			out[id] = true
		}
		return out
	}
}

// TestPostgresIsGoneForAWhile crashes the database in the middle of calls and
// requests and brings it back ten seconds later.
func TestPostgresIsGoneForAWhile(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	o := newOutage(t, "calls_per_second=4&concurrent_calls=4")
	p := o.serve(t, "--database", server.Database(t), "--data", t.TempDir())
	o.use(t, p)
	over := o.follow(t)
	o.run(t, otherNumber, 8, 6000, nil)
	asking := o.pester(p)
	o.awaitMiddle(t, 4, 6*time.Second, "")
	server.Crash(t)
	gone := time.Now()
	onLine := o.far.up()
	eventually(t, patience, "readyz says it", func() bool { return status(p.url()+"/readyz") == http.StatusServiceUnavailable })
	if got := status(p.url() + "/healthz"); got != http.StatusOK {
		t.Errorf("/healthz answers %d without the database", got)
	}
	eventually(t, patience, "the calls end on the line as if nothing had happened", func() bool { return len(o.far.up()) == 0 })
	for _, a := range o.far.seen("") {
		was := slices.ContainsFunc(onLine, func(b arrival) bool { return a.callID == b.callID })
		if lasted := a.end.Sub(a.came); was && lasted < 6*time.Second {
			t.Errorf("a call was over after %s: the database took it along", lasted)
		}
	}
	time.Sleep(time.Until(gone.Add(10 * time.Second)))
	server.Restart(t)
	eventually(t, patience, "the service is ready again", func() bool { return status(p.url()+"/readyz") == http.StatusOK })
	calls := o.ended(t)
	if n := o.whole(t, calls); n != 0 {
		t.Errorf("%d calls were placed twice", n)
	}
	o.held(t, "", 4, 4)
	asking.end(t, o)
	if asking.answers[http.StatusServiceUnavailable] == 0 {
		t.Error("nobody was told that the database is away")
	}
	eventually(t, patience, "the event stream tells of every call", func() bool { return len(over()) == len(calls) })
}

// TestConnectionsAreCutAgainAndAgain ends the service's connections to the
// database every 150 ms while calls are made and requests are answered.
func TestConnectionsAreCutAgainAndAgain(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	o := newOutage(t, "calls_per_second=5&concurrent_calls=6")
	p := o.serve(t, "--database", address, "--data", t.TempDir())
	o.use(t, p)
	over := o.follow(t)
	cutter, err := pgx.Connect(t.Context(), address)
	must(t, err)
	o.run(t, otherNumber, 20, 1500, nil)
	asking := o.pester(p)
	cuts := 0
	for until := time.Now().Add(8 * time.Second); time.Now().Before(until); time.Sleep(150 * time.Millisecond) {
		var n int
		must(t, cutter.QueryRow(t.Context(), `SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&n))
		cuts += n
	}
	calls := o.ended(t)
	if n := o.whole(t, calls); n != 0 {
		t.Errorf("%d calls were placed twice", n)
	}
	o.held(t, "", 5, 6)
	asking.end(t, o)
	eventually(t, patience, "the event stream tells of every call", func() bool { return len(over()) == len(calls) })
	t.Logf("%d connections cut", cuts)
}

// TestStoppedWhilePostgresIsGone tells a service to stop that has calls whose end
// it cannot store: it stops within bounds, and the calls are placed again.
func TestStoppedWhilePostgresIsGone(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	o := newOutage(t, "calls_per_second=4&concurrent_calls=2")
	flags := append(quickly(), "--database", server.Database(t), "--data", t.TempDir(), "--stop-time", "4s")
	p := o.serve(t, flags...)
	o.use(t, p)
	o.run(t, otherNumber, 4, 4000, nil)
	o.awaitMiddle(t, 2, 4*time.Second, "")
	server.Crash(t)
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	told := time.Now()
	gone := make(chan struct{})
	go func() {
		_, _ = p.cmd.Process.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(patience):
		t.Fatal("the service does not stop without its database")
	}
	if took := time.Since(told); took > 30*time.Second { // the 4 s it was given, 9 s for what was broken off, and a busy machine
		t.Errorf("the service took %s to stop", took.Round(100*time.Millisecond))
	}
	server.Restart(t)
	o.use(t, o.serve(t, flags...))
	if n := o.whole(t, o.ended(t)); n != 2 {
		t.Errorf("%d calls were placed twice, want the two whose end could not be stored", n)
	}
	o.held(t, "", 4, 2)
}
