package review

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// optOut makes the planted call opt out.
func (p *production) optOut() {
	p.tell(func(r *call.Reported) { *r = call.Reported{Provider: "custom", CallerChannel: -1} })
	c := p.store.rows.Calls[id]
	if c.Recording != nil {
		digest := c.Recording.SHA256
		maps.DeleteFunc(p.store.rows.Heard, func(of string, _ call.Heard) bool { return strings.HasPrefix(of, digest) })
	}
	c.Keep, c.Recording, c.ScoringStatus = call.KeepBasics, nil, call.ScoringPending
	p.store.rows.Calls[id] = c
}

// dying is a shelf whose process dies right after storing a recording.
type dying struct {
	Shelf
	store *memory
}

func (d dying) KeepSound(ctx context.Context, key string, rate int, caller, agent []int16) (call.Recording, error) {
	rec, err := d.Shelf.KeepSound(ctx, key, rate, caller, agent)
	d.store.mu.Lock()
	defer d.store.mu.Unlock()
	d.store.away = errors.New("killed")
	return rec, err
}

// A stored recording that was never assigned to its call is removed too after an opt-out.
func TestWhatAProcessLeftGoesWithTheOptOut(t *testing.T) {
	t.Parallel()
	p := produce(t)
	others := len(p.shelf.blobs)
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p.service.o.Shelf = dying{p.shelf, p.store}
	var wait Wait
	if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) || len(p.shelf.blobs) != others+1 {
		t.Fatalf("%v, %d recordings", err, len(p.shelf.blobs))
	}
	p.store.away, p.service.o.Shelf = nil, p.shelf
	p.optOut()
	if err := p.service.Fetch(t.Context(), id); err != nil || len(p.shelf.blobs) != others {
		t.Errorf("%v, %d recordings", err, len(p.shelf.blobs)-others)
	}
}

// So is one whose sides a review has exchanged.
func TestAReviewRemovesWhatMustNotBeKept(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c := p.store.rows.Calls[id]
	p.shelf.blobs[folderOf(&c)+"/fetched-1-exchanged.wav"] = nil
	p.shelf.blobs[folderOf(&c)+"2/fetched-1.wav"] = nil
	p.optOut()
	p.work(t)
	for key := range p.shelf.blobs {
		if strings.HasPrefix(key, folderOf(&c)+"/") {
			t.Errorf("%s is still there", key)
		}
	}
	if _, ok := p.shelf.blobs[folderOf(&c)+"2/fetched-1.wav"]; !ok {
		t.Error("another call's recording went too")
	}
}

// interrupted is a recogniser during whose work an opt-out arrives.
type interrupted struct {
	Transcriber
	p *production
}

func (i interrupted) Transcribe(ctx context.Context, r Speech) ([]Transcript, error) {
	i.p.store.mu.Lock()
	i.p.optOut()
	i.p.store.mu.Unlock()
	return slices.Repeat([]Transcript{{Text: "my secret"}}, len(r.Segments)), nil
}

// What was recognised while the call was erased is not stored.
func TestWordsHeardDuringAnOptOutAreNotKept(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.tell(func(r *call.Reported) { r.HasTranscript, r.Turns = false, nil })
	p.service.o.Transcriber = interrupted{p.scribe, p}
	c, r := p.work(t)
	if c.ScoringStatus != call.Scored || c.Recording != nil || len(r.Heard.Turns) != 0 {
		t.Errorf("%+v, %+v", c, r.Heard)
	}
	for of, h := range p.store.rows.Heard {
		if len(h.Turns) > 0 {
			t.Errorf("kept of %s: %+v", of, h.Turns)
		}
	}
}

// A replaced recording is removed even if the process dies first, and what was heard on it is
// erased at once.
func TestAReplacedRecordingGoes(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c := p.store.rows.Calls[id]
	old := call.Recording{Key: folderOf(&c) + "/fetched-1.wav", SHA256: "aa"}
	by := call.Recording{Key: folderOf(&c) + "/fetched-2.wav", SHA256: "bb"}
	c.Recording = &old
	p.store.rows.Calls[id], p.store.rows.Heard["aa stt"] = c, call.Heard{}
	p.shelf.blobs[old.Key], p.shelf.blobs[by.Key] = nil, nil
	heard := call.Heard{}
	if err := p.service.had(t.Context(), &material{call: c}, brought{by, &heard, false}); err != nil {
		t.Fatal(err)
	}
	if _, ok := p.store.rows.Heard["aa stt"]; ok || len(p.store.rows.Heard) == 0 {
		t.Errorf("what was heard is %v", p.store.rows.Heard)
	}
	if !slices.Contains(p.store.rows.Jobs, JobDiscard+" "+old.Key) {
		t.Errorf("the jobs are %q", p.store.rows.Jobs)
	}
	p.shelf.blobs[old.Key] = nil // as if it had died
	for _, key := range []string{old.Key, by.Key} {
		if err := p.service.Discard(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	_, oldIsThere := p.shelf.blobs[old.Key]
	if _, ok := p.shelf.blobs[by.Key]; !ok || oldIsThere {
		t.Errorf("the recordings are %v", slices.Collect(maps.Keys(p.shelf.blobs)))
	}
}

// A better recording may be fetched while a review exchanges the sides of the one before: it stays, and what the review
// has stored goes.
func TestExchangedSidesDoNotReplaceANewerRecording(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c := p.store.rows.Calls[id]
	c.Recording = &call.Recording{Key: folderOf(&c) + "/fetched-1.wav", SHA256: "aa"}
	m := &material{call: c}
	c.Recording = &call.Recording{Key: folderOf(&c) + "/fetched-2.wav", SHA256: "bb"}
	p.store.rows.Calls[id] = c
	exchanged := call.Recording{Key: folderOf(&c) + "/fetched-1-exchanged.wav", SHA256: "cc"}
	p.shelf.blobs[c.Recording.Key], p.shelf.blobs[exchanged.Key] = nil, nil
	if err := p.service.had(t.Context(), m, brought{exchanged, &call.Heard{}, false}); err != nil {
		t.Fatal(err)
	}
	_, kept := p.shelf.blobs[c.Recording.Key]
	_, left := p.shelf.blobs[exchanged.Key]
	if got := p.store.rows.Calls[id].Recording; got.Key != c.Recording.Key || !kept || left {
		t.Errorf("the recording is %s, and there are %v", got.Key, slices.Collect(maps.Keys(p.shelf.blobs)))
	}
}

// Two processes may exchange the sides of one recording: the second must not remove what the first has given the call.
func TestSidesThatTwoExchange(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c := p.store.rows.Calls[id]
	c.Recording = &call.Recording{Key: folderOf(&c) + "/fetched-1.wav", SHA256: "aa"}
	p.store.rows.Calls[id] = c
	exchanged := call.Recording{Key: folderOf(&c) + "/fetched-1-exchanged.wav", SHA256: "cc"}
	p.shelf.blobs[exchanged.Key] = nil
	for range 2 {
		if err := p.service.had(t.Context(), &material{call: c}, brought{exchanged, &call.Heard{}, false}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := p.shelf.blobs[exchanged.Key]; !ok || p.store.rows.Calls[id].Recording.Key != exchanged.Key {
		t.Errorf("the recording is %s, and there are %v", p.store.rows.Calls[id].Recording.Key, slices.Collect(maps.Keys(p.shelf.blobs)))
	}
}
