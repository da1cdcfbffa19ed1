package review

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// An opt-out during the fetch is obeyed.
func TestOptOutDuringTheFetch(t *testing.T) {
	t.Parallel()
	p := produce(t)
	if err := p.service.Review(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p.service.o.Outside = optingOut{p}
	if err := p.service.Fetch(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := p.store.rows.Calls[id]; c.Recording != nil || len(p.shelf.blobs) != 1 {
		t.Errorf("%+v, %d blobs", c.Recording, len(p.shelf.blobs))
	}
}

// If an opt-out came after a failed fetch, a requested review waits for no recording.
func TestAgainAfterAnOptOut(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.store.rows.Fetches[id] = Fetch{CallID: id, State: FetchFailed}
	p.tell(func(r *call.Reported) { *r = call.Reported{} })
	p.store.rows.Jobs = nil
	if err := p.service.Again(t.Context(), "ws_1", id); err != nil || !slices.Equal(p.store.rows.Jobs, []string{"review " + id}) {
		t.Errorf("%v, the jobs are %q", err, p.store.rows.Jobs)
	}
}

// So is one that comes while the words are judged.
func TestOptOutDuringTheReview(t *testing.T) {
	t.Parallel()
	p := produce(t)
	feel := p.service.o.Feel
	p.service.o.Feel = func(talk Talk) call.Feeling {
		p.tell(func(r *call.Reported) { *r = call.Reported{} })
		return feel(talk)
	}
	p.tell(func(r *call.Reported) { r.RecordingURL = "" })
	var wait Wait
	if err := p.service.Review(t.Context(), id); !errors.As(err, &wait) || len(p.store.rows.Reviews) != 0 {
		t.Fatalf("the words were kept: %v", err)
	}
	if _, r := p.work(t); len(r.Heard.Turns) != 0 {
		t.Errorf("the turns are %+v", r.Heard.Turns)
	}
}

// The notes of a call with an opt-out say so, and not that its platform reported nothing.
func TestNotesOfAnOptOut(t *testing.T) {
	t.Parallel()
	for keep, want := range map[call.Keep][]string{
		call.KeepBasics:   {"The call's data storage setting allows neither its recording nor its words to be kept."},
		call.KeepNoPeople: {"The call's data storage setting does not allow its recording to be kept, so the review uses the transcript alone."},
	} {
		p := produce(t)
		p.tell(func(r *call.Reported) {
			if r.RecordingURL = ""; keep == call.KeepBasics {
				*r = call.Reported{}
			}
		})
		c := p.store.rows.Calls[id]
		c.Keep = keep
		p.store.rows.Calls[id] = c
		if _, r := p.work(t); !slices.Equal(r.Notes, want) {
			t.Errorf("%q: notes %q", keep, r.Notes)
		}
	}
}

type optingOut struct{ p *production }

func (o optingOut) Fetch(ctx context.Context, ws, address string) (io.ReadCloser, error) {
	o.p.tell(func(r *call.Reported) { *r = call.Reported{} })
	return o.p.web.Fetch(ctx, ws, address)
}
