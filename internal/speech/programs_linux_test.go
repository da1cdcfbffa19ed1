package speech

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func oneSecondOfSpeech() review.Speech {
	return review.Speech{PCM: make([]int16, 8000), Rate: 8000, Segments: []call.Segment{{End: time.Second}}}
}

func TestMissingProgramsSayHowToGetThem(t *testing.T) {
	t.Parallel()
	e, err := New(Options{Dir: t.TempDir(), LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	if err != nil {
		t.Fatal(err)
	}
	_, said := e.Mouth().Say(t.Context(), scenario.Persona{}, "en-US", "Hello.")
	_, british := e.Mouth().Say(t.Context(), scenario.Persona{Accent: "en-gb"}, "en-US", "Hello.")
	_, heard := e.Transcriber().Transcribe(t.Context(), oneSecondOfSpeech())
	_, eared := e.NewEars(t.Context(), EarsOptions{Rate: 8000})
	for hint, err := range map[string]error{
		"apt-get install flite": said, "apt-get install espeak-ng": british,
	} {
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, hint) {
			t.Errorf("got %v, want Unavailable with %q", err, hint)
		}
	}
	for name, err := range map[string]error{"review": heard, "ears": eared} {
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "apt-get install pocketsphinx pocketsphinx-en-us") {
			t.Errorf("%s: got %v, want Unavailable with how to install pocketsphinx", name, err)
		}
	}
	needed := 0
	for _, f := range e.Check(t.Context()) {
		if !f.Needed {
			continue
		}
		if needed++; f.OK || f.Hint == "" {
			t.Errorf("the check finds %+v, want a failure with a hint", f)
		}
	}
	if needed == 0 {
		t.Error("the check finds nothing that is needed")
	}
}

func TestAMissingModelSaysHowToGetIt(t *testing.T) {
	t.Parallel()
	e, err := New(Options{Dir: t.TempDir(), ModelDir: t.TempDir(), LookPath: func(string) (string, error) { return "/bin/true", nil }})
	if err != nil {
		t.Fatal(err)
	}
	_, heard := e.Transcriber().Transcribe(t.Context(), oneSecondOfSpeech())
	_, eared := e.NewEars(t.Context(), EarsOptions{Rate: 8000, Grammar: "#JSGF V1.0;\ngrammar a;\npublic <a> = yes;\n"})
	for _, err := range []error{heard, eared} {
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "pocketsphinx-en-us") {
			t.Errorf("got %v, want Unavailable with a hint at pocketsphinx-en-us", err)
		}
	}
}

func TestProgramsThatMisbehaveAreUnavailable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ script, want string }{
		"death":     {"echo some text >&2; echo the last words >&2; exit 3\n", "the last words"},
		"hang":      {"exec sleep 30\n", "did not finish within 300ms"},
		"no audio":  {"exit 0\n", "produced no audio"},
		"rubbish":   {"while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo rubbish > \"$2\"; shift; done\n", "cannot be read"},
		"loudmouth": {"exec yes\n", "wrote too much"},
		"grumbler":  {"echo some text >&2; exec yes\n", "wrote too much"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := standIn(t, test.script, func(o *Options) { o.Timeout = 5 * time.Second })
			if name == "hang" {
				e.mouth.(*localMouth).timeout = 300 * time.Millisecond
			}
			_, err := e.Mouth().Say(t.Context(), scenario.Persona{}, "", "Hello.")
			p := problem.As(err)
			if p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message+" "+errorText(p), test.want) {
				t.Errorf("got %v, want something with %q", err, test.want)
			}
			left, _ := filepath.Glob(filepath.Join(e.opts.Dir, "*"))
			if len(left) > 0 {
				t.Errorf("these files were left: %v", left)
			}
		})
	}
}

// errorText returns the text of the cause inside a problem.
func errorText(err error) string {
	var b strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		b.WriteString(err.Error() + " ")
	}
	return b.String()
}

// TestSpeakersAndLimitBound keeps many tasks waiting and counts how many run at a time.
func TestSpeakersAndLimitBound(t *testing.T) {
	t.Parallel()
	const counts = "touch $STATE/run.$$; ls $STATE/run.* | wc -l >> $STATE/counts; sleep 0.05; rm $STATE/run.$$; exit 1\n"
	tests := map[string]struct {
		limit int
		task  func(ctx context.Context, e *Engines)
	}{
		"speakers": {2, func(ctx context.Context, e *Engines) { _, _ = e.Mouth().Say(ctx, scenario.Persona{}, "", "Hello.") }},
		"limit":    {1, func(ctx context.Context, e *Engines) { _, _ = e.Transcriber().Transcribe(ctx, oneSecondOfSpeech()) }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, state := standIn(t, counts, func(o *Options) { o.Speakers, o.Limit = 2, 1 })
			var tasks sync.WaitGroup
			for range 6 {
				tasks.Go(func() { test.task(t.Context(), e) })
			}
			tasks.Wait()
			text, err := os.ReadFile(filepath.Join(state, "counts"))
			if err != nil {
				t.Fatal(err)
			}
			runs := strings.Fields(string(text))
			most := ""
			for _, n := range runs {
				most = max(most, n)
			}
			if len(runs) != 6 || most > map[int]string{1: "1", 2: "2"}[test.limit] {
				t.Errorf("%d ran, at a time %v; at most %d may", len(runs), runs, test.limit)
			}
		})
	}
}

func TestTheGateHoldsReviewsBack(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	e, state := standIn(t, "touch $STATE/ran\n", func(o *Options) {
		o.Gate = func(ctx context.Context) error {
			select {
			case <-gate:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	ran := func() bool { _, err := os.Stat(filepath.Join(state, "ran")); return err == nil }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Transcriber().Transcribe(ctx, oneSecondOfSpeech()); !errors.Is(err, context.Canceled) || ran() {
		t.Fatalf("behind the gate: %v, ran %v", err, ran())
	}
	close(gate)
	if _, err := e.Transcriber().Transcribe(t.Context(), oneSecondOfSpeech()); err != nil || !ran() {
		t.Errorf("with the gate open: %v, ran %v", err, ran())
	}
}

func TestTheSameLineGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	p := scenario.Persona{Voice: "rms", Pitch: 1.1, Pace: 0.9}
	first, err := e.Mouth().Say(t.Context(), p, "en-US", "I would like to book a table for two.")
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Mouth().Say(t.Context(), p, "en-US", "I would like to book a table for two.")
	if err != nil || !bytes.Equal(bytesOf(first.PCM), bytesOf(again.PCM)) || first.Rate != again.Rate {
		t.Errorf("the second time it sounds different (%v)", err)
	}
	other, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: "rms"}, "en-US", "I would like to book a table for two.")
	if err != nil || len(other.PCM) == len(first.PCM) {
		t.Errorf("pace and pitch change nothing (%v)", err)
	}
}

// earsOver starts ears whose recogniser is the script.
func earsOver(t *testing.T, script string) (*sphinxEars, int) {
	t.Helper()
	e, state := standIn(t, "echo $$ > $STATE/pid.new; mv $STATE/pid.new $STATE/pid\n"+script, nil)
	ears, err := e.NewEars(t.Context(), EarsOptions{Rate: 8000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ears.Close)
	return ears.(*sphinxEars), startedPid(t, state)
}

func TestEarsWhoseProgramDiesSaySo(t *testing.T) {
	t.Parallel()
	ears, _ := earsOver(t, "exit 1\n")
	var box leg.Mailbox[leg.Words]
	for range 2 { // and once more, immediately
		for range 50 {
			ears.Hear(make([]int16, 160))
		}
		ears.Words(box.Expect(0))
		if err := box.Await(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if w, _, _ := box.Take(0); problem.As(w.Err) == nil || problem.As(w.Err).Code != problem.Unavailable || w.Text != "" {
			t.Errorf("got %+v, want no text and Unavailable", w)
		}
	}
}

// TestClosingWhileWordsAreWaitedFor closes ears whose program never reads.
func TestClosingWhileWordsAreWaitedFor(t *testing.T) {
	t.Parallel()
	ears, pid := earsOver(t, "exec sleep 300\n")
	for range 500 {
		ears.Hear(make([]int16, 160))
	}
	var box leg.Mailbox[leg.Words]
	ears.Words(box.Expect(0))
	begun := time.Now()
	ears.Close()
	ears.Close() // closing twice is harmless
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("closing took %s", took)
	}
	if !gone(pid) {
		t.Error("the program is still there")
	}
	if _, _, ok := box.Take(time.Hour); ok {
		t.Error("a letter was delivered after Close")
	}
	ears.Hear(make([]int16, 160))
	ears.Words(box.Expect(0))
	if _, err := os.Stat(ears.cmd.Args[0]); err != nil {
		t.Error(err)
	}
}

func TestEarsHoldNoMoreThanTheyMay(t *testing.T) {
	t.Parallel()
	ears, _ := earsOver(t, "exec sleep 30\n")
	frame := make([]int16, 160)
	for range 4 * earsBuffer / 320 {
		ears.Hear(frame)
	}
	ears.mu.Lock()
	held := len(ears.heard)
	ears.mu.Unlock()
	if held > earsBuffer+2*len(frame) {
		t.Errorf("%d samples are held, %d may be", held, earsBuffer)
	}
}

// TestNothingIsLeftBehind must not run in parallel, because it counts goroutines and descriptors.
func TestNothingIsLeftBehind(t *testing.T) { //nolint:paralleltest // it counts what the whole process has
	descriptors := func() int { d, _ := os.ReadDir("/proc/self/fd"); return len(d) }
	before, open := runtime.NumGoroutine(), descriptors()
	pids := []int{}
	for range 3 {
		e, state := standIn(t, "echo $$ > $STATE/pid.new; mv $STATE/pid.new $STATE/pid\ncat > /dev/null\n", nil)
		ears, err := e.NewEars(t.Context(), EarsOptions{Rate: 8000, Hints: []string{"hello there"}})
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, startedPid(t, state))
		var box leg.Mailbox[leg.Words]
		ears.Hear(make([]int16, 1600))
		ears.Words(box.Expect(0))
		if err := box.Await(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		ears.Close()
		if left, _ := filepath.Glob(filepath.Join(e.opts.Dir, "*")); len(left) > 0 {
			t.Errorf("these files were left: %v", left)
		}
	}
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	waitFor(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
	if n := descriptors(); n > open {
		t.Errorf("%d descriptors are open, before there were %d", n, open)
	}
}
