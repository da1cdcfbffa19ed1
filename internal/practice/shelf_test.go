package practice

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/speech/speechtest"
)

func taped(id string, left, right []int16) Record {
	tape := leg.NewTape(time.Minute)
	tape.Begin(rate)
	tape.Write(leg.CallerChannel, 0, left)
	tape.Write(leg.AgentChannel, 0, right)
	return Record{ID: id, EndedAt: monday(), Tape: tape}
}

func fetch(s *Shelf, method, path, ranges string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	if ranges != "" {
		r.Header.Set("Range", ranges)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestAShelfServesTwoChannels(t *testing.T) {
	t.Parallel()
	var s Shelf
	left, right := []int16{1, 2, 3}, []int16{4, 5, 6}
	if err := s.Put(taped("desk-a", left, right)); err != nil {
		t.Fatal(err)
	}
	whole := fetch(&s, http.MethodGet, s.Path("desk-a"), "")
	if whole.Code != http.StatusOK || whole.Header().Get("Content-Type") != "audio/wav" {
		t.Fatalf("status %d, %v", whole.Code, whole.Header())
	}
	wav, err := audio.ReadWAV(bytes.NewReader(whole.Body.Bytes()), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if wav.Rate != rate || !slices.Equal(wav.Channels[0], left) || !slices.Equal(wav.Channels[1], right) {
		t.Errorf("the recording is %+v", wav)
	}
	if part := fetch(&s, http.MethodGet, s.Path("desk-a"), "bytes=0-3"); part.Code != http.StatusPartialContent || part.Body.String() != "RIFF" {
		t.Errorf("a range gave %d %q", part.Code, part.Body)
	}
	for path, want := range map[string]int{
		"/recordings/desk-b.wav": 404, "/recordings/": 404, "/": 404, "/recordings/desk-a": 404, "/recordings/../desk-a.wav": 404,
	} {
		if got := fetch(&s, http.MethodGet, path, ""); got.Code != want {
			t.Errorf("%s gave %d, want %d", path, got.Code, want)
		}
	}
	if got := fetch(&s, http.MethodPost, s.Path("desk-a"), ""); got.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST gave %d, want 405", got.Code)
	}
}

func TestAShelfForgetsTheOldest(t *testing.T) {
	t.Parallel()
	var s Shelf
	for i := range shelfCalls + 3 {
		if err := s.Put(taped("desk-"+strconv.Itoa(i), []int16{1}, []int16{2})); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range map[int]int{0: 404, 2: 404, 3: 200, shelfCalls + 2: 200} {
		if got := fetch(&s, http.MethodHead, s.Path("desk-"+strconv.Itoa(i)), ""); got.Code != want {
			t.Errorf("recording %d gave %d, want %d", i, got.Code, want)
		}
	}
	if err := s.Put(Record{ID: "desk-x"}); err != nil || fetch(&s, http.MethodGet, s.Path("desk-x"), "").Code != 404 {
		t.Errorf("a call without a recording is on the shelf (%v)", err)
	}
}

// TestEachCallIsReportedOnceWithItsOwnIDAndTape passes calls through Answer, as a line would.
func TestEachCallIsReportedOnceWithItsOwnIDAndTape(t *testing.T) {
	t.Parallel()
	var got []Record
	desk, err := New(Options{
		Mouth: &speechtest.Mouth{}, Now: monday, Record: true,
		Report: func(_ context.Context, r Record) error { got = append(got, r); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		a := desk.Answer(t.Context(), leg.Incoming{CallID: "call_1"})
		a.Tape.Begin(rate)
		a.Party.Begin(rate)
		a.Tape.Write(leg.AgentChannel, 0, []int16{7})
		a.Party.End(2*time.Second, true)
		a.Done()
	}
	ids := map[string]bool{}
	for _, r := range got {
		ids[r.ID] = true
		if r.CallID != "call_1" || r.EndReason != "caller_hung_up" || r.Tape == nil || r.Tape.Channel(leg.AgentChannel)[0] != 7 {
			t.Errorf("the record is %+v", r)
		}
		if !r.EndedAt.Equal(monday().Add(2 * time.Second)) {
			t.Errorf("the call ended at %s, want 2 s after %s", r.EndedAt, monday())
		}
	}
	if len(got) != 3 || len(ids) != 3 || ids[""] {
		t.Errorf("%d reports with the ids %v, want 3 with one each", len(got), ids)
	}
}

func TestADeskTakesNoMoreCallsThanItMay(t *testing.T) {
	t.Parallel()
	desk, err := New(Options{Mouth: &speechtest.Mouth{}, Now: monday, Calls: 1})
	if err != nil {
		t.Fatal(err)
	}
	first := desk.Answer(t.Context(), leg.Incoming{})
	if second := desk.Answer(t.Context(), leg.Incoming{}); second.Refuse != leg.RefuseBusy {
		t.Errorf("the second call was answered: %+v", second)
	}
	first.Done()
	if third := desk.Answer(t.Context(), leg.Incoming{}); third.Refuse != leg.RefuseNot || third.Tape != nil {
		t.Errorf("after the first the desk gave %+v", third)
	}
}

// TestACallThatIsOverKeepsNobodyOut checks that the desk takes the next call while the record of the last one is still
// being handed over, which may take a while.
func TestACallThatIsOverKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	reporting, taken := make(chan struct{}), make(chan struct{})
	desk, err := New(Options{Mouth: &speechtest.Mouth{}, Now: monday, Calls: 1, Report: func(context.Context, Record) error {
		close(reporting)
		<-taken
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	first, over := desk.Answer(t.Context(), leg.Incoming{}), make(chan struct{})
	go func() {
		first.Done()
		close(over)
	}()
	<-reporting
	if second := desk.Answer(t.Context(), leg.Incoming{}); second.Refuse != leg.RefuseNot {
		t.Errorf("the next call was refused: %+v", second)
	}
	close(taken)
	<-over
}
