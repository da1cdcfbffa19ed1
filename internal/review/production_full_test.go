package review

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// A disk of ours that is full for hours is no reason to give up: the call is reviewed without its
// recording, and again once there is room.
func TestARecordingWaitsForRoom(t *testing.T) {
	t.Parallel()
	full := problem.New(problem.Unavailable, "there is no room left for recordings")
	for name, fails := range map[string]func(*production){
		"for what is kept":    func(p *production) { p.service.o.Shelf = shelfWithout{p.service.o.Shelf, full} },
		"for what is fetched": func(p *production) { p.web.err = &fs.PathError{Op: "write", Path: "/data", Err: syscall.ENOSPC} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			shelf := p.service.o.Shelf
			fails(p)
			if err := p.service.Review(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			for begun := p.now; p.now.Sub(begun) < 5*fetchFor; {
				var wait Wait
				if err := p.service.Fetch(t.Context(), id); !errors.As(err, &wait) {
					t.Fatalf("given up after %s: %v, %+v", p.now.Sub(begun), err, p.store.rows.Fetches[id])
				}
				p.now = p.now.Add(wait.After)
			}
			p.store.rows.Jobs = nil
			if c, r := p.work(t); c.ScoringStatus != call.Scored || c.Recording != nil || len(r.Heard.Turns) == 0 {
				t.Errorf("meanwhile it is %+v", c)
			}
			p.service.o.Shelf, p.web.err = shelf, nil
			p.store.rows.Jobs = []string{JobFetch + " " + id}
			if c, _ := p.work(t); c.Recording == nil {
				t.Errorf("there is room, and %+v", p.store.rows.Fetches[id])
			}
		})
	}
}

// shelfWithout is a shelf without room.
type shelfWithout struct {
	Shelf
	err error
}

func (s shelfWithout) KeepSound(context.Context, string, int, []int16, []int16) (call.Recording, error) {
	return call.Recording{}, s.err
}
