package app

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
)

// erasing is how many erasures run at a time: as many share one look at the database's pages.
const erasing = 200

// erase is the job that removes recordings that must not be kept, together with what is left in the
// database of deleted rows.
func (p *parts) erase(ctx context.Context, key string) error {
	remove := p.recordings.Delete
	folder, all := strings.CutSuffix(key, "/")
	if all {
		key, remove = folder, p.recordings.DeleteAll
	}
	if err := remove(ctx, key); err != nil {
		return queue.Again(err)
	}
	err := p.store.Scrub(ctx)
	if problem.Is(err, problem.Conflict) { // of such a file it never will be
		return err
	}
	return queue.Again(err)
}

// discard is the job that removes a recording that was replaced by another.
func (p *parts) discard(ctx context.Context, key string) error {
	return queue.Again(p.reviews.Discard(ctx, key))
}

// outlasting is a job that is retried for as long as the database takes no writes. It must not be
// given up, because nothing else would do its work.
func outlasting(run queue.Handler) queue.Handler {
	return func(ctx context.Context, id string) error {
		err := run(ctx, id)
		if problem.Is(err, problem.Unavailable) {
			return queue.Again(err)
		}
		return err
	}
}
