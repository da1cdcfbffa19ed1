package experiment

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

var errAway = problem.New(problem.Unavailable, "the database does not answer") //nolint:gochecknoglobals // a constant in all but type

// patient makes the world's pauses pass at once and counts them; heartbeats stay quiet.
func (w *world) patient(each func(n int)) {
	n := 0
	w.Wait = func(ctx context.Context, d time.Duration) error {
		if d == w.Beat {
			<-ctx.Done()
			return ctx.Err()
		}
		n++
		each(n)
		return ctx.Err()
	}
}

func TestACallWaitsForADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	w.store.fail = func() error { return errAway }
	for range 20 { // more often than a job may fail
		var again TryAgain
		if err := w.Place(t.Context(), "call_0002"); !errors.As(err, &again) {
			t.Fatalf("got %v, want TryAgain", err)
		}
	}
	w.store.fail = nil
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call("call_0002"); c.Status != call.Ended || len(w.store.rows.attempts) != 1 {
		t.Errorf("the call is %s after %d attempts", c.Status, len(w.store.rows.attempts))
	}
}

// A call that is known to be on the line can be taken off it by another process, however long
// the database was away when it was answered.
func TestTheAnswerIsNotedTogetherWithHowToHangUp(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	w.patient(func(int) {})
	w.Line = lineFunc(func(_ context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		tries, noted := 0, make(chan struct{})
		w.store.setFail(func() error { // for five tries
			if tries++; tries <= 5 {
				return errAway
			}
			if tries == 6 {
				close(noted)
			}
			return nil
		})
		d.OnAnswered("how to")
		<-noted
		if c := w.store.call(d.CallID); c.Status != call.InProgress {
			t.Errorf("the answer is noted, and the call is %s", c.Status)
		}
		if got := w.store.reference(d.AttemptID); got != "how to" {
			t.Errorf("the call is on the line and is hung up by %q", got)
		}
		tape.Begin(8000)
		return call.Attempt{StartedAt: w.now, AnsweredAt: w.now, EndedAt: w.now, Rate: 8000}
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
}

func TestAnOutcomeIsHeldForAsLongAsTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		defer func() { w.store.fail = func() error { return errAway } }()
		return w.answered(ctx, leg.Dial{OnAnswered: func(string) {}}, tape)
	})
	w.patient(func(n int) {
		if n == 100 {
			w.store.fail = nil
		}
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call("call_0002"); c.Status != call.Ended || c.Recording == nil {
		t.Errorf("the call is %s with recording %v", c.Status, c.Recording)
	}
}

func TestAShutdownDoesNotWaitForTheDatabaseForEver(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	ctx, cancel := context.WithCancel(t.Context())
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		w.store.fail = func() error { return errAway }
		cancel()
		return w.answered(ctx, leg.Dial{OnAnswered: func(string) {}}, tape)
	})
	w.patient(func(n int) {
		if n > 5 {
			t.Fatal("still trying")
		}
	})
	if err := w.Place(ctx, "call_0002"); !problem.Is(err, problem.Unavailable) {
		t.Errorf("got %v", err)
	}
	if len(w.store.rows.attempts) != 1 || len(w.ours) != 0 {
		t.Errorf("%d attempts, of which %d still count as ours", len(w.store.rows.attempts), len(w.ours))
	}
}

// TestATryThatWasStoredAfterAll has the database lose its answers to the claim
// and to the outcome, both of which it has stored.
func TestATryThatWasStoredAfterAll(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Hold = time.Hour
	start(t, w)
	lose := 1
	deaf := deafStore{w.store, &lose}
	w.Store = deaf
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		defer func() { lose = 1 }()
		return w.answered(ctx, leg.Dial{OnAnswered: func(string) {}}, tape)
	})
	w.patient(func(int) {})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	c := w.store.call("call_0002")
	if c.Status != call.Ended || c.Recording == nil || len(w.store.rows.attempts) != 1 || len(w.deleted) != 0 {
		t.Errorf("the call is %s with recording %v after %d attempts; deleted %v", c.Status, c.Recording, len(w.store.rows.attempts), w.deleted)
	}
}

// deafStore stores and then fails, as often as lose says.
type deafStore struct {
	*fakeStore
	lose *int
}

func (s deafStore) Write(ctx context.Context, f func(Tx) error) error {
	if err := s.fakeStore.Write(ctx, f); err != nil || *s.lose == 0 {
		return err
	}
	*s.lose--
	return errAway
}

func TestACallThatCanNeverBePlacedIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	w.store.takeJobs()
	w.Trunk = func(string) (Trunk, error) {
		return Trunk{}, problem.New(problem.Conflict, "there is no trunk %q", "main")
	}
	var errs []error
	for range placeTries {
		errs = append(errs, w.Place(t.Context(), "call_0002"))
	}
	if again := (TryAgain{}); !errors.As(errs[0], &again) || errs[placeTries-1] != nil {
		t.Fatalf("%v", errs)
	}
	c := w.store.call("call_0002")
	if c.Status != call.Failed || c.EndReason.Code != call.EndRingtrueError || c.EndReason.Blame != call.BlameRingtrue || c.EndReason.Detail != `there is no trunk "main"` {
		t.Errorf("the call is %s, %+v", c.Status, c.EndReason)
	}
	if jobs := w.store.takeJobs(); len(jobs) != 1 || jobs[0] != "review call_0002" || w.store.experiment(e.ID).Status.Over() {
		t.Errorf("jobs %v", jobs)
	}
}

// The queue drops a job that fails five times, whoever has tried it; the call
// would then wait for ever, and in a room its agent with it.
func TestACallThatSeveralProcessesCannotPlaceIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	w.Trunk = func(string) (Trunk, error) {
		return Trunk{}, problem.New(problem.Conflict, "there is no trunk %q", "main")
	}
	processes, failures := []*Service{New(w.Options), New(w.Options), New(w.Options)}, 0
	for try := 0; w.store.call("call_0002").Status == call.Queued; try++ {
		err := processes[try%len(processes)].Place(t.Context(), "call_0002")
		if again := (TryAgain{}); err != nil && !errors.As(err, &again) {
			failures++
		}
		if failures == 5 || try > len(processes)*placeTries {
			t.Fatalf("after %d tries and %d failures the call still waits", try+1, failures)
		}
	}
}

func TestVerdictsAreCountedAsCallsSettle(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	placeAll(t, w)
	err := w.Store.Write(t.Context(), func(tx Tx) error {
		c, err := tx.LockCall(t.Context(), "call_0002")
		if err != nil {
			return err
		}
		c.ScoringStatus, c.Verdict = call.Scored, call.Passed
		if err := tx.UpdateCall(t.Context(), c); err != nil {
			return err
		}
		return w.CallSettled(t.Context(), tx, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.store.experiment(e.ID); got.Counts != (Counts{Calls: 3, Passed: 1}) || got.Status.Over() {
		t.Errorf("%s, %+v", got.Status, got.Counts)
	}
}

func TestTheCallerIsNotKeptByAProcessThatLostItsAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	other := New(w.Options)
	w.Prepare = func(context.Context, scenario.Item) error { return nil }
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		w.silence(t, other) // this process was stopped; the call is somebody else's now
		_ = w.store.Write(ctx, func(tx Tx) error {
			c, _ := tx.LockCall(ctx, "call_0002")
			c.Status = call.Dialing // by the next attempt
			return tx.UpdateCall(ctx, c)
		})
		return w.answered(ctx, d, tape)
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call("call_0002"); c.Status != call.Dialing || !c.AnsweredAt.IsZero() {
		t.Errorf("the call is %s, answered at %s: a late answer was noted with the next attempt", c.Status, c.AnsweredAt)
	}
}

// brokenReads is a store whose datasets or items cannot be read.
type brokenReads struct {
	Store
	datasets, items error
}

func (s brokenReads) Read(ctx context.Context, f func(Tx) error) error {
	return s.Store.Read(ctx, func(tx Tx) error { return f(brokenTx{tx, s}) })
}

type brokenTx struct {
	Tx
	broken brokenReads
}

func (t brokenTx) DatasetByID(ctx context.Context, workspaceID, id string) (scenario.Dataset, error) {
	if t.broken.datasets != nil {
		return scenario.Dataset{}, t.broken.datasets
	}
	return t.Tx.DatasetByID(ctx, workspaceID, id)
}

func (t brokenTx) ItemsOf(ctx context.Context, datasetID string, version, limit int) ([]scenario.Item, error) {
	if t.broken.items != nil {
		return nil, t.broken.items
	}
	return t.Tx.ItemsOf(ctx, datasetID, version, limit)
}

// A database that is away is not the same as a dataset that is not there.
func TestADatabaseThatIsAwayIsNoFaultOfTheRequest(t *testing.T) {
	t.Parallel()
	unknown := errors.New("the disk is on fire")
	for name, broken := range map[string]brokenReads{
		"the dataset, away": {datasets: errAway}, "the items, away": {items: errAway},
		"the dataset, broken": {datasets: unknown}, "the items, broken": {items: unknown},
	} {
		w := newWorld()
		broken.Store = w.store
		w.Store = broken
		_, err := w.Start(t.Context(), "ws_1", StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "555"})
		want := errors.Join(broken.datasets, broken.items)
		if problem.Is(err, problem.InvalidFields) || !errors.Is(want, err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// absentStore is a database that is away.
type absentStore struct{}

func (absentStore) Read(context.Context, func(Tx) error) error { return errAway }

func (absentStore) Write(context.Context, func(Tx) error) error { return errAway }

// TestNobodyIsWaitedForWhileTheDatabaseIsAway: an agent is turned away at the door meanwhile, and the process
// of another media server can do nothing either.
func TestNobodyIsWaitedForWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"here", "there"} {
		w, _ := newRoomWorld()
		_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
		id, patience := callIDs(made)[0], w.RoomWait
		if w.MediaServer = from; from != "here" {
			patience *= 2
		}
		w.keep(t, 0)
		w.keep(t, patience/2)
		w.Store = absentStore{}
		for _, after := range []time.Duration{sweepRooms, 3 * patience} {
			w.now = w.now.Add(after)
			if err := w.KeepRooms(t.Context()); !errors.Is(err, errAway) {
				t.Fatalf("got %v", err)
			}
		}
		w.Store = w.store
		w.keep(t, sweepRooms)
		w.keep(t, patience/2-3*sweepRooms)
		if c := w.store.call(id); c.Status != call.Queued {
			t.Errorf("%s, nobody is waited for any more: %s, %s", from, c.Status, c.EndReason.Code)
		}
		w.keep(t, 3*sweepRooms)
		if c := w.store.call(id); c.Status != call.Failed {
			t.Errorf("%s, what was waited before counts no more: %s", from, c.Status)
		}
	}
}
