package review

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

func TestRecordingThatCannotBeHad(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(p *production)
		note   string
		asked  int
	}{
		"gone":       {func(p *production) { p.web.err = NeverHad{Reason: "its server cannot find it (404)"} }, "(404)", 1},
		"junk":       {func(p *production) { p.web.body = []byte(strings.Repeat("junk ", 1000)) }, "not a readable recording", 1},
		"empty":      {func(p *production) { p.web.body = nil }, "not a readable recording: it is empty", 1},
		"a web page": {func(p *production) { p.web.body = []byte("<html>The link has expired.</html>") }, "not a readable recording: it is a web page", 1},
		"six channels": {func(p *production) {
			p.web.body = bytes.Replace(stereo(t, nil, nil, 0), []byte("fmt \x10\x00\x00\x00\x01\x00\x02"), []byte("fmt \x10\x00\x00\x00\x01\x00\x06"), 1)
		}, "6 channels; mono and stereo are read", 1},
		"never told": {func(p *production) { p.tell(func(r *call.Reported) { r.RecordingURL = "" }) }, "gave no http or https address of a recording", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			c.change(p)
			got, r := p.work(t)
			if got.ScoringStatus != call.Scored || got.Verdict != call.Passed || got.Recording != nil || p.web.asked != c.asked {
				t.Errorf("%+v, asked %d times", got, p.web.asked)
			}
			if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], c.note) {
				t.Errorf("the notes are %q", r.Notes)
			}
			planted(t, r) // from the platform's own times
			if m := r.Metric("turn_taking"); m.Value != nil || m.Reason == "" {
				t.Errorf("turn_taking is %+v", m)
			}
			p.work(t)
			if p.web.asked != c.asked {
				t.Errorf("asked again: %d", p.web.asked)
			}
		})
	}
}

// A recording missing from its first place may be at another reported one.
func TestARecordingThatIsElsewhere(t *testing.T) {
	t.Parallel()
	gone, later := error(NeverHad{Reason: "there is none (404)"}), error(NotYet{Reason: "it is asleep (503)"})
	tomorrow := error(NotYet{Reason: "it is asleep (503)", After: 2 * patience})
	for name, c := range map[string]struct {
		first, second error
		page          bool
		// tries is the number of failed tries before.
		tries      int
		asked      string
		had, again bool
	}{
		"at once":       {nil, gone, false, 0, "1", true, false},
		"second":        {gone, nil, false, 0, "12", true, false},
		"behind page":   {nil, nil, true, 0, "12", true, false},
		"nowhere":       {gone, gone, false, 0, "12", false, false},
		"maybe later":   {gone, later, false, 0, "12", false, true},
		"worth waiting": {later, nil, false, 0, "1", false, true},
		"still worth":   {later, nil, false, patientTries - 2, "1", false, true},
		"too late":      {later, nil, false, patientTries - 1, "12", true, false},
		"too long":      {tomorrow, nil, false, 0, "12", true, false},
		"broken off":    {io.ErrUnexpectedEOF, nil, false, patientTries - 1, "12", true, false},
		"maybe first":   {later, gone, false, patientTries - 1, "12", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			p.tell(func(r *call.Reported) { r.OtherRecordings = []call.RecordingLink{{URL: "https://example.org/2.wav"}} })
			asked := ""
			p.service.o.Outside = outsideAt(func(address string) (io.Reader, error) {
				second := strings.HasSuffix(address, "2.wav")
				asked += map[bool]string{false: "1", true: "2"}[second]
				switch {
				case second:
					return bytes.NewReader(p.web.body), c.second
				case c.page:
					return strings.NewReader("<html>no such link</html>"), nil
				}
				return bytes.NewReader(p.web.body), c.first
			})
			if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
				t.Fatalf("the review did not wait: %v", err)
			}
			f := p.store.rows.Fetches[id]
			f.Tries = c.tries
			p.store.rows.Fetches[id] = f
			var wait Wait
			if err := p.service.Fetch(t.Context(), id); errors.As(err, &wait) != c.again || err != nil && !c.again || asked != c.asked {
				t.Errorf("asked %s: %v", asked, err)
			}
			if (p.store.rows.Calls[id].Recording != nil) != c.had {
				t.Errorf("%+v", p.store.rows.Calls[id].Recording)
			}
		})
	}
}

// A link reported after all others have failed is tried.
func TestALinkThatIsToldOfLater(t *testing.T) {
	t.Parallel()
	p := produce(t)
	first := p.store.rows.Told[id].RecordingURL
	var asked []string
	p.service.o.Outside = outsideAt(func(address string) (io.Reader, error) {
		asked = append(asked, address)
		if address == first {
			return nil, NeverHad{Reason: "it has expired (403)"}
		}
		return bytes.NewReader(p.web.body), nil
	})
	p.work(t)
	p.tell(func(r *call.Reported) { r.OtherRecordings = []call.RecordingLink{{URL: "https://example.org/new.wav"}} })
	if got, _ := p.work(t); got.Recording == nil || len(asked) != 3 {
		t.Errorf("%+v, asked %v", got.Recording, asked)
	}
	p.tell(func(r *call.Reported) {
		r.OtherRecordings = append(r.OtherRecordings, call.RecordingLink{URL: "https://example.org/more.wav"})
	})
	if p.work(t); len(asked) != 3 {
		t.Errorf("what was had is fetched again: %v", asked)
	}
}

// Shortly after a call its recording may not be in its place yet, and the better one is waited for.
// For an older call, a missing recording is final.
func TestARecordingThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		since time.Duration
		why   NeverHad
		asked string
		waits bool
	}{
		"just over":      {time.Minute, NeverHad{Reason: "none (404)", Missing: true}, "1", true},
		"our clock lags": {-2 * time.Second, NeverHad{Reason: "none (404)", Missing: true}, "1", true},
		"refused":        {time.Minute, NeverHad{Reason: "no entry (403)"}, "12", false},
		"long over":      {making, NeverHad{Reason: "none (404)", Missing: true}, "12", false},
		"a wrong clock":  {-time.Hour, NeverHad{Reason: "none (404)", Missing: true}, "12", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			p.tell(func(r *call.Reported) { r.OtherRecordings = []call.RecordingLink{{URL: "https://example.org/2.wav"}} })
			p.now = p.store.rows.Calls[id].EndedAt.Add(c.since)
			asked, there := "", false
			p.service.o.Outside = outsideAt(func(address string) (io.Reader, error) {
				if second := strings.HasSuffix(address, "2.wav"); second || there {
					asked += map[bool]string{false: "1", true: "2"}[second]
					return bytes.NewReader(p.web.body), nil
				}
				asked += "1"
				return nil, c.why
			})
			if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
				t.Fatalf("the review did not wait: %v", err)
			}
			var wait Wait
			if err := p.service.Fetch(t.Context(), id); errors.As(err, &wait) != c.waits || err != nil && !c.waits || asked != c.asked {
				t.Errorf("asked %s: %v", asked, err)
			}
			there = true
			if err := p.service.Fetch(t.Context(), id); err != nil || p.store.rows.Calls[id].Recording == nil || strings.Contains(asked, "2") == c.waits {
				t.Errorf("asked %s: %v", asked, err)
			}
		})
	}
}

// A fault of our own is no reason to use another recording than the best.
func TestARecordingThatCannotBeKept(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.tell(func(r *call.Reported) { r.OtherRecordings = []call.RecordingLink{{URL: "https://example.org/2.wav"}} })
	asked := 0
	p.service.o.Outside = outsideAt(func(string) (io.Reader, error) { asked++; return bytes.NewReader(p.web.body), nil })
	p.service.o.Shelf = shelfWithout{p.service.o.Shelf, errors.New("no space left on device")}
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	var wait Wait
	if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) || asked != 1 {
		t.Errorf("%d were asked: %v", asked, err)
	}
}

// A recording that makes the decoder panic is tried as often as the review waits, and then the call
// is reviewed without it: the queue drops a job after five panics.
func TestARecordingThatBreaksItsReader(t *testing.T) {
	t.Parallel()
	p := produce(t)
	asked := 0
	p.service.o.Outside = outsideAt(func(string) (io.Reader, error) {
		asked++
		return readerFunc(func([]byte) (int, error) { panic("a mistake") }), nil
	})
	got, r := p.work(t)
	if got.ScoringStatus != call.Scored || got.Verdict != call.Passed || got.Recording != nil || asked != patientTries {
		t.Errorf("%+v, asked %d times", got, asked)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no usable recording") || strings.Contains(r.Notes[0], "mistake") {
		t.Errorf("the notes are %q", r.Notes)
	}
	planted(t, r)
	if f := p.store.rows.Fetches[id]; f.State != FetchFailed {
		t.Errorf("the fetch is %+v", f)
	}
	if len(p.service.decoding) != 0 || len(p.service.ledger.atWork) != 0 {
		t.Error("places are still taken")
	}
}

type outsideAt func(address string) (io.Reader, error)

func (f outsideAt) Fetch(_ context.Context, _, address string) (io.ReadCloser, error) {
	body, err := f(address)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(body), nil
}

// A file may be as large as the fetch allows, whatever it contains besides the sound.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	const filler = 600 << 20
	p := produce(t)
	whole := p.web.body
	size := binary.LittleEndian.AppendUint32(nil, filler)
	p.service.o.Outside = outsideFunc(func() io.Reader {
		return io.MultiReader(bytes.NewReader(whole[:12]), strings.NewReader("junk"), bytes.NewReader(size), io.LimitReader(zeros{}, filler), bytes.NewReader(whole[12:]))
	})
	if c, r := p.work(t); c.Recording == nil || len(r.Notes) != 0 {
		t.Errorf("%+v, notes %q", c.Recording, r.Notes)
	}
}

// If a server ends a body early, the part received is used and a note says so. If that part cannot
// be decoded, the body may come whole later.
func TestABodyThatIsCut(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]int{"most of it": -20_000, "its beginning": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			whole := p.web.body
			p.service.o.Outside = outsideFunc(func() io.Reader {
				return flawedBody{bytes.NewReader(whole[:(keep+len(whole))%len(whole)])}
			})
			if keep > 0 {
				if err := p.service.Review(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				var wait Wait
				if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) || p.store.rows.Fetches[id].State != FetchWanted {
					t.Errorf("%v, %+v", err, p.store.rows.Fetches[id])
				}
				return
			}
			c, r := p.work(t)
			if c.Recording == nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "its server ends it too early") {
				t.Errorf("%+v, notes %q", c.Recording, r.Notes)
			}
		})
	}
}

type flawedBody struct{ io.Reader }

func (flawedBody) Close() error { return nil }
func (flawedBody) Flaw() string { return "its server ends it too early" }

// outsideFunc returns the same recording for every address.
type outsideFunc func() io.Reader

func (f outsideFunc) Fetch(context.Context, string, string) (io.ReadCloser, error) {
	body := f()
	if closer, ok := body.(io.ReadCloser); ok {
		return closer, nil
	}
	return io.NopCloser(body), nil
}

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Many recordings may be downloaded at a time, but few are in memory.
func TestFewAreDecodedAtATime(t *testing.T) {
	t.Parallel()
	p := produce(t)
	synctest.Test(t, func(t *testing.T) {
		p.service.decoding = make(chan struct{}, decoding) // must belong to the bubble
		ctx, cancel := context.WithCancel(t.Context())
		var fetched, read atomic.Int64
		p.service.o.Outside = outsideFunc(func() io.Reader {
			fetched.Add(1)
			return readerFunc(func([]byte) (int, error) {
				read.Add(1)
				<-ctx.Done()
				return 0, ctx.Err()
			})
		})
		const many = 3 * decoding
		for range many {
			go func() { _ = p.service.bring(ctx, &material{}) }()
		}
		synctest.Wait()
		if fetched.Load() != many || read.Load() != decoding {
			t.Errorf("%d fetched, %d of them decoded at a time", fetched.Load(), read.Load())
		}
		cancel()
		synctest.Wait()
	})
}

// Only one of those being decoded may be long.
func TestOneOfThoseDecodedIsLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of := make(chan struct{}, 1)
		first, second := &slot{of: of}, &slot{of: of}
		var has atomic.Bool
		if err := first.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		go func() { has.Store(second.take(t.Context()) == nil) }()
		if synctest.Wait(); has.Load() {
			t.Error("two are long at a time")
		}
		given, cancel := context.WithCancel(t.Context())
		cancel()
		third := &slot{of: of}
		if third.take(given) == nil {
			t.Error("it was given a place although it gave up")
		}
		third.leave()
		first.leave()
		if synctest.Wait(); !has.Load() {
			t.Error("the second waits for nobody")
		}
		second.leave()
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A flaw of a fetched recording is noted in every review.
func TestARecordingThatIsNotWholeSaysSo(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.body = p.web.body[:len(p.web.body)-1000]
	for range 2 {
		c, r := p.work(t)
		if c.Recording == nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "incomplete: the file ends before its sound does") {
			t.Fatalf("%+v, notes %q", c.Recording, r.Notes)
		}
		if err := p.service.Review(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
}

// A host that asks to be left alone for long is, and the review goes on meanwhile.
func TestAHostIsAskedAgainWhenItWants(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.err = NotYet{Reason: "its server is limiting requests (429)", After: 20 * time.Minute}
	if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
		t.Fatalf("the review did not wait: %v", err)
	}
	begun := p.now
	var wait Wait
	for errors.As(p.service.Fetch(t.Context(), id), &wait) {
		if wait.After < 20*time.Minute {
			t.Errorf("asked again after %s", wait.After)
		}
		p.now, wait = p.now.Add(wait.After), Wait{}
	}
	if gone := p.now.Sub(begun); gone < fetchFor || p.web.asked != 4 {
		t.Errorf("tried for %s, %d times", gone, p.web.asked)
	}
	if jobs := p.store.rows.Jobs; len(jobs) != 3 || jobs[1] != "review_log "+id || jobs[2] != "review_log "+id {
		t.Errorf("the jobs are %q", jobs)
	}
}

// Temporary failures are retried for an hour. The review waits only for the first tries, and is
// repeated when the recording arrives.
func TestRecordingThatComesLater(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.err = errors.New("connection refused by 10.0.0.1")
	if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
		t.Fatalf("the review did not wait: %v", err)
	}
	begun := p.now
	var wait Wait
	for p.now.Sub(begun) < 2*time.Hour {
		if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) {
			break
		}
		p.now = p.now.Add(wait.After)
	}
	if gone := p.now.Sub(begun); gone < fetchFor || gone > fetchFor+11*time.Minute || p.web.asked > 30 {
		t.Errorf("tried for %s, %d times", gone, p.web.asked)
	}
	if jobs := p.store.rows.Jobs; len(jobs) != 3 || jobs[1] != "review_log "+id || jobs[2] != "review_log "+id {
		t.Errorf("the jobs are %q", jobs)
	}
	p.store.rows.Jobs = nil
	if _, r := p.work(t); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no usable recording") || strings.Contains(r.Notes[0], "10.0.0.1") {
		t.Errorf("the notes are %q", r.Notes)
	}
	// A review requested by a person tries once more.
	p.web.err = nil
	if err := p.service.Again(t.Context(), "ws_1", id); err != nil {
		t.Fatal(err)
	}
	_, r := p.work(t)
	planted(t, r)
	if len(r.Notes) != 0 {
		t.Errorf("the notes are %q", r.Notes)
	}
}

// A host that drips for minutes before failing is not waited for three times.
func TestReviewWaitsForNoHostThatDrips(t *testing.T) {
	t.Parallel()
	p := produce(t)
	asked := 0
	p.service.o.Outside = outsideAt(func(string) (io.Reader, error) {
		asked, p.now = asked+1, p.now.Add(10*time.Minute)
		return nil, NotYet{Reason: "it did not finish within 10m0s"}
	})
	if err := p.service.Review(t.Context(), id); err != nil || len(p.settled) != 0 {
		t.Fatalf("the review did not wait: %v", err)
	}
	var wait Wait
	if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) || asked != 1 {
		t.Errorf("asked %d times, then %v", asked, err)
	}
	if jobs := p.store.rows.Jobs; len(jobs) != 2 || jobs[1] != "review_log "+id {
		t.Errorf("the jobs are %q", jobs)
	}
}

func TestReviewGoesOnWhileTheRecordingIsTriedFor(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.web.err = errors.New("busy")
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for range patientTries {
		_ = p.service.Fetch(t.Context(), id)
	}
	p.store.rows.Jobs = nil
	c, r := p.work(t)
	if c.ScoringStatus != call.Scored || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "tried again") {
		t.Errorf("%s, notes %q", c.ScoringStatus, r.Notes)
	}
	p.web.err = nil
	if err := p.service.Fetch(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, r = p.work(t); len(r.Notes) != 0 || len(p.settled) != 3 {
		t.Errorf("settled %d times, notes %q", len(p.settled), r.Notes)
	}
}
