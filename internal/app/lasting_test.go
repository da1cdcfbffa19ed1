package app

import (
	"context"
	"errors"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store/blob"
)

// closedBucket is a bucket from which nothing can be removed now.
type closedBucket struct {
	blob.Bucket
	err error
}

func (b closedBucket) Delete(context.Context, string) error    { return b.err }
func (b closedBucket) DeleteAll(context.Context, string) error { return b.err }

// What must not be kept is removed in the end: an outage of the bucket that lasts longer than
// five tries do would have left it there for good.
func TestAnErasureIsTriedUntilItIsDone(t *testing.T) {
	t.Parallel()
	away := errors.New("the bucket does not answer")
	p := &parts{recordings: closedBucket{err: away}}
	for _, key := range []string{"ws_1/call_1/att_1.wav", "ws_1/call_1/"} {
		if err := p.erase(t.Context(), key); errors.Unwrap(err) != away { //nolint:errorlint // that it is wrapped is what is asked
			t.Errorf("%s: %#v is given up", key, err)
		}
	}
}

func TestWhatTheDatabaseHoldsUpIsNotGivenUp(t *testing.T) {
	t.Parallel()
	full, other := problem.New(problem.Unavailable, "no room left"), errors.New("a mistake")
	for _, c := range []struct {
		err   error
		lasts bool
	}{{full, true}, {other, false}, {queue.Snooze(0), false}, {nil, false}} {
		got := outlasting(func(context.Context, string) error { return c.err })(t.Context(), "x")
		if lasts := got != c.err; lasts != c.lasts || !errors.Is(got, c.err) { //nolint:errorlint // that it is wrapped is what is asked
			t.Errorf("%v: %#v", c.err, got)
		}
	}
}
