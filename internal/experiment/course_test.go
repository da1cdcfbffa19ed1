package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func start(t *testing.T, w *world) Experiment {
	t.Helper()
	e, err := w.Start(t.Context(), "ws_1", StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// placeAll runs the place jobs that are waiting and returns their errors.
func placeAll(t *testing.T, w *world) []error {
	t.Helper()
	var errs []error
	for _, job := range w.store.takeJobs() {
		if id, ok := strings.CutPrefix(job, "place "); ok {
			if err := w.Place(t.Context(), id); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errs
}

// settle lets the calls pass review with the verdicts, in order.
func settle(t *testing.T, w *world, e Experiment, verdicts ...call.Verdict) {
	t.Helper()
	err := w.Store.Write(t.Context(), func(tx Tx) error {
		calls, err := tx.LockCallsOf(t.Context(), e.ID)
		if err != nil {
			return err
		}
		for i, c := range calls {
			c.ScoringStatus, c.Verdict = call.Scored, verdicts[i]
			if err := tx.UpdateCall(t.Context(), c); err != nil {
				return err
			}
			if err := w.CallSettled(t.Context(), tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnExperimentRunsToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	if e.Status != Created || e.Counts.Calls != 3 {
		t.Fatalf("started as %s with %d calls", e.Status, e.Counts.Calls)
	}
	if errs := placeAll(t, w); len(errs) > 0 {
		t.Fatal(errs)
	}
	if len(w.deleted) != 0 {
		t.Errorf("recordings that count were removed: %v", w.deleted)
	}
	if got := w.store.experiment(e.ID).Status; got != Scoring {
		t.Fatalf("with all calls over it is %s, want SCORING", got)
	}
	if !w.party.closed {
		t.Error("the caller was not closed")
	}
	settle(t, w, e, call.Passed, call.NotPassed, call.Void)
	got := w.store.experiment(e.ID)
	if got.Status != Finished || got.Verdict != call.NotPassed {
		t.Fatalf("ended as %s, %s: %s", got.Status, got.Verdict, got.Reason)
	}
	if want := (Counts{Calls: 3, Passed: 1, Failed: 1, Void: 1}); got.Counts != want {
		t.Errorf("counts %+v, want %+v", got.Counts, want)
	}
}

func TestStartNamesEveryFieldAtFault(t *testing.T) {
	t.Parallel()
	w := newWorld()
	_, err := w.Start(t.Context(), "ws_1", StartRequest{AgentID: "agt_1", DatasetID: "ds_none", To: "555"})
	p := problem.As(err)
	if p == nil || p.Code != problem.InvalidFields || len(p.Fields) != 2 {
		t.Fatalf("got %v, want both fields", err)
	}
	if len(w.store.rows.calls) != 0 || len(w.store.rows.jobs) != 0 {
		t.Error("something was stored although the request was refused")
	}
}

func TestNothingIsStoredWhenThePreflightFails(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Preflight = func(context.Context, string, string, []scenario.Item) error {
		return problem.New(problem.Unavailable, "the trunk does not answer")
	}
	_, err := w.Start(t.Context(), "ws_1", StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123"})
	if !problem.Is(err, problem.Unavailable) || len(w.store.rows.experiments) != 0 {
		t.Fatalf("got %v and %d experiments", err, len(w.store.rows.experiments))
	}
}

func TestTheSameCallIsPlacedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	job := strings.TrimPrefix(w.store.takeJobs()[0], "place ")
	for range 3 {
		if err := w.Place(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(w.store.rows.attempts); n != 1 {
		t.Errorf("%d attempts, want 1", n)
	}
}

func TestLimitsHoldACallBack(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", ConcurrentCalls: 1}, nil }
	var held []error
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		// While the first call is on the line, the second asks.
		held = append(held, w.Place(ctx, "call_0003"))
		return w.answered(ctx, d, tape)
	})
	start(t, w)
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	var again TryAgain
	if len(held) != 1 || !errors.As(held[0], &again) || again.After != time.Second {
		t.Errorf("the second call got %v, want TryAgain", held)
	}
	if got := w.store.call("call_0003").Status; got != call.Queued {
		t.Errorf("the call that was held back is %s", got)
	}
}

func TestACrashCostsOneAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	w.store.takeJobs()
	crash := func() {
		// What a process leaves behind that dies in mid-call: a claimed attempt without an end.
		err := w.Store.Write(t.Context(), func(tx Tx) error {
			c, _ := tx.LockCall(t.Context(), "call_0002")
			c.Status = call.Dialing
			before, _ := tx.AttemptsOf(t.Context(), c.ID)
			_, err := tx.Claim(t.Context(), call.Attempt{ID: w.NewID("att"), CallID: c.ID, Number: len(before) + 1}, Limits{}, w.now)
			if err != nil {
				return err
			}
			return tx.UpdateCall(t.Context(), c)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	crash()
	if err := w.Reap(t.Context()); err != nil || len(w.store.rows.jobs) != 0 {
		t.Fatalf("a fresh attempt was reaped: %v %v", err, w.store.rows.jobs)
	}
	w.silence(t, w.Service)
	if got := w.store.takeJobs(); !slices.Equal(got, []string{"place call_0002"}) {
		t.Fatalf("jobs after the first crash: %v", got)
	}
	crash()
	w.silence(t, w.Service)
	c := w.store.call("call_0002")
	if c.Status != call.Failed || c.EndReason.Code != call.EndInterrupted || c.EndReason.Blame != call.BlameRingtrue {
		t.Errorf("after two crashes the call is %s, %+v", c.Status, c.EndReason)
	}
	if got := w.store.takeJobs(); !slices.Equal(got, []string{"review call_0002"}) {
		t.Errorf("jobs after the second crash: %v", got)
	}
	if w.store.experiment(e.ID).Status.Over() {
		t.Error("the experiment ended although its calls have not been reviewed")
	}
}

// What a process that dies had on the line was answered and has to be paid, and lasted no longer
// than it takes to find that out, however long nobody is there to do so.
func TestADeadAttemptDoesNotLastUntilTheServiceIsBack(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	crash := func(number int) (began time.Time) {
		id := w.NewID("att")
		err := w.Store.Write(t.Context(), func(tx Tx) error {
			c, _ := tx.LockCall(t.Context(), "call_0002")
			began = w.now
			c.Status, c.StartedAt, c.AnsweredAt = call.InProgress, began, began.Add(4*time.Second)
			_, err := tx.Claim(t.Context(), call.Attempt{ID: id, CallID: c.ID, Number: number, StartedAt: began}, Limits{}, began)
			if err != nil {
				return err
			}
			if _, err := tx.BeatAttempt(t.Context(), id, began.Add(20*time.Second)); err != nil {
				return err
			}
			return tx.UpdateCall(t.Context(), c)
		})
		w.now = w.now.Add(8 * time.Hour) // the machine is off
		if err == nil {
			err = w.Recover(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return began
	}
	began := []time.Time{crash(1), crash(2)}
	c := w.store.call("call_0002")
	lasted := 16*time.Second + w.SilentAfter
	if got := c.EndedAt.Sub(began[1]); c.Duration() != lasted || got != 4*time.Second+lasted {
		t.Errorf("the call lasted %s and ended %s after it began", c.Duration(), got)
	}
	for i, a := range attemptsOf(t, w, c.ID) {
		if got := a.EndedAt.Sub(a.AnsweredAt); got != lasted || !a.StartedAt.Equal(began[i]) {
			t.Errorf("attempt %d was answered for %s", a.Number, got)
		}
	}
}

func attemptsOf(t *testing.T, w *world, callID string) (list []call.Attempt) {
	t.Helper()
	err := w.Store.Read(t.Context(), func(tx Tx) (err error) {
		list, err = tx.AttemptsOf(t.Context(), callID)
		return err
	})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d attempts, %v", len(list), err)
	}
	return list
}

func TestAReapedAttemptDoesNotOverwriteItsSuccessor(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	other := New(w.Options)
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		w.silence(t, other) // stuck for so long that the others took it for dead
		return w.answered(ctx, d, tape)
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call("call_0002"); c.Status != call.Queued || c.Recording != nil {
		t.Errorf("the call is %s with recording %v, want it back in the queue", c.Status, c.Recording)
	}
	if len(w.deleted) != 1 {
		t.Errorf("recordings removed: %v, want that of the dead attempt", w.deleted)
	}
}

func TestCancelHangsUpAndKeepsWhatIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	hungUp := false
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		if _, err := w.Cancel(t.Context(), "ws_1", e.ID); err != nil {
			t.Error(err)
		}
		hungUp = ctx.Err() != nil
		return w.answered(ctx, d, tape)
	})
	if err := w.Place(t.Context(), "call_0003"); err != nil {
		t.Fatal(err)
	}
	if !hungUp {
		t.Error("the call on the line was not hung up")
	}
	want := map[string]call.Status{"call_0002": call.Ended, "call_0003": call.Canceled, "call_0004": call.Canceled}
	for id, status := range want {
		if got := w.store.call(id).Status; got != status {
			t.Errorf("%s is %s, want %s", id, got, status)
		}
	}
	broken := w.store.call("call_0003")
	if broken.Recording == nil || broken.AnsweredAt.IsZero() || broken.EndedAt.Before(broken.AnsweredAt) {
		t.Errorf("answered while it was canceled, with the recording %v, the call says answered %v, ended %v",
			broken.Recording, broken.AnsweredAt, broken.EndedAt)
	}
	if got := w.store.experiment(e.ID).Status; got != Canceled {
		t.Errorf("the experiment is %s", got)
	}
	if _, err := w.Cancel(t.Context(), "ws_2", e.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace got %v", err)
	}
	for _, onlyFailed := range []bool{true, false} {
		if again, err := w.Rerun(t.Context(), "ws_1", e.ID, onlyFailed); err != nil || again.Plan.OnlyFailed != onlyFailed || again.RerunOf != e.ID {
			t.Errorf("a rerun with only failed %t: %+v %v", onlyFailed, again.Plan, err)
		}
	}
}

func TestACallerThatCannotBeMadeMakesTheCallOurFault(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Cast = func(context.Context, Casting) (Party, error) { return nil, errors.New("no voice") }
	start(t, w)
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	c := w.store.call("call_0002")
	if c.Status != call.Failed || c.EndReason.Code != call.EndRingtrueError {
		t.Errorf("the call is %s, %+v", c.Status, c.EndReason)
	}
}

func TestTheOutcomeOutlivesAnAbsentDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld()
	start(t, w)
	w.Wait = func(ctx context.Context, d time.Duration) error {
		if d == w.Beat { // the heartbeat stays quiet
			<-ctx.Done()
		}
		return ctx.Err()
	}
	down := 0
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		d.OnAnswered("")
		down = 3
		w.store.mu.Lock()
		w.store.fail = func() error {
			if down--; down >= 0 {
				return errors.New("connection refused")
			}
			return nil
		}
		w.store.mu.Unlock()
		tape.Begin(8000)
		return call.Attempt{StartedAt: w.now, AnsweredAt: w.now, EndedAt: w.now, Rate: 8000}
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if got := w.store.call("call_0002").Status; got != call.Ended {
		t.Errorf("the call is %s, want ENDED", got)
	}
}

func TestARecordingThatCannotBeKeptIsOurFault(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Recordings = fakeRecordings{err: errors.New("no space left on device")}
	start(t, w)
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	var timeline []call.Event
	for _, a := range w.store.rows.attempts {
		timeline = a.Timeline
	}
	if !slices.ContainsFunc(timeline, func(e call.Event) bool { return e.Kind == call.KindOurFault }) {
		t.Errorf("the timeline does not tell: %v", timeline)
	}
}

// TestNoCallIsPlacedForNothing: while recordings cannot be kept every call would be void, and paid for.
func TestNoCallIsPlacedForNothing(t *testing.T) {
	t.Parallel()
	w := newWorld()
	full := errors.New("no space left on device")
	w.Recordings = fakeRecordings{deleted: &w.deleted, refuse: func() error { return full }}
	start(t, w)
	heldUntil(t, w, unkeptDetail, func() { full = nil })
}

// TestACallerThatCannotBePreparedSaysWhy: whoever reads of a void call can mend what voids it.
func TestACallerThatCannotBePreparedSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Prepare = func(context.Context, scenario.Item) error {
		return fmt.Errorf("speak line 1 of 3: %w", problem.New(problem.Unavailable, "the endpoint rejected the key").Because(errors.New("secret")))
	}
	start(t, w)
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	for _, a := range w.store.rows.attempts {
		if a.EndReason.Code != call.EndRingtrueError || len(a.Timeline) != 1 || a.Timeline[0].Data["what"] != "speech, the endpoint rejected the key" {
			t.Errorf("the attempt is %+v", a)
		}
	}
}

// A call whose end is known when the service is stopped keeps it, though the far end has not answered the BYE yet: it is no
// more interrupted than any other, and is not placed again.
func TestACallThatIsOverWhenTheServiceStops(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stopFirst bool
		code      call.EndCode
		status    call.Status
	}{"over before": {false, call.EndCompleted, call.Ended}, "over because of it": {true, call.EndInterrupted, call.Queued}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			start(t, w)
			ctx, stop := context.WithCancel(t.Context())
			w.Line = lineFunc(func(_ context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
				steps := []func(){d.OnOver, stop}
				if c.stopFirst {
					slices.Reverse(steps)
				}
				for _, step := range steps {
					step()
				}
				return w.answered(ctx, d, tape)
			})
			if err := w.Place(ctx, "call_0002"); err != nil {
				t.Fatal(err)
			}
			if got := w.store.call("call_0002"); got.Status != c.status {
				t.Errorf("the call is %s, %+v", got.Status, got.EndReason)
			}
			for _, a := range w.store.rows.attempts {
				if a.EndReason.Code != c.code {
					t.Errorf("the attempt is %+v", a)
				}
			}
		})
	}
}

// TestAPanicEndsTheCallAsOurError wherever it happens: the queue drops a job that has
// panicked five times, and nobody else would ever end its call.
func TestAPanicEndsTheCallAsOurError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks func(w *world)
		code   call.EndCode
	}{
		"before the call is taken": {func(w *world) {
			w.Prepare = func(context.Context, scenario.Item) error { panic("a mistake") }
		}, call.EndRingtrueError},
		"within the limits": {func(w *world) {
			w.LimitTime = func() time.Time { panic("a mistake") }
		}, call.EndRingtrueError},
		"on the line": {func(w *world) {
			w.Line = lineFunc(func(context.Context, leg.Dial, *leg.Tape) call.Attempt { panic("a mistake") })
		}, call.EndInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			start(t, w)
			c.breaks(w)
			for range 20 {
				var again TryAgain
				if err := w.Place(t.Context(), "call_0002"); err != nil && !errors.As(err, &again) {
					t.Fatalf("got %v", err)
				}
				if w.store.call("call_0002").Status.Over() {
					break
				}
				w.silence(t, w.Service)
			}
			got := w.store.call("call_0002")
			if got.Status != call.Failed || got.EndReason.Code != c.code || got.EndReason.Blame != call.BlameRingtrue {
				t.Errorf("the call is %s, %+v", got.Status, got.EndReason)
			}
			if jobs := w.store.takeJobs(); !slices.Contains(jobs, "review call_0002") {
				t.Errorf("the call is not reviewed: %v", jobs)
			}
			if _, placed := w.admission.Room(); placed != 0 {
				t.Errorf("%d places are still taken", placed)
			}
		})
	}
}
