package review

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// JobDiscard removes a recording's file after another has replaced it; its id is the recording's
// key.
const JobDiscard = "discard"

// discardAfter is longer than any fetch that may be about to give the file back to a call.
const discardAfter = 15 * time.Minute

// folderOf is the folder of all recordings of a call.
func folderOf(c *call.Call) string { return c.WorkspaceID + "/" + c.ID }

// fetchedKey is where the recording of a source is stored. A repeated fetch writes to the same
// place, over what a process that died left of it.
func fetchedKey(c *call.Call, source string) string {
	return folderOf(c) + "/fetched-" + source + ".wav"
}

// brought is a recording that is on the shelf but not yet any call's.
type brought struct {
	rec call.Recording
	// heard is who speaks when, nil if that is known already.
	heard *call.Heard
	// fresh says that it was fetched just now.
	fresh bool
}

// had gives the call its recording, and has the call reviewed when the recording is new. A
// recording that may no longer be kept, or is outdated, is removed.
func (s *Service) had(ctx context.Context, m *material, b brought) error {
	gone := ""
	err := s.o.Store.Write(ctx, func(tx Tx) (err error) {
		gone, err = s.hand(ctx, tx, m, b)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the recording: %w", err)
	}
	if gone == "" {
		return nil
	}
	return s.o.Shelf.Delete(ctx, gone)
}

// hand is had inside its transaction; gone is the key of the recording that is no longer needed.
func (s *Service) hand(ctx context.Context, tx Tx, m *material, b brought) (gone string, err error) {
	// The beat locks the call's row until it is written back.
	if err := tx.BeatReview(ctx, m.call.ID, s.o.BeatTime()); err != nil {
		if problem.Is(err, problem.NotFound) { // without its call, the recording goes too
			return b.rec.Key, nil
		}
		return "", err
	}
	told, _, err := tx.ReportedOf(ctx, m.call.ID)
	if err != nil || told.RecordingURL == "" {
		return b.rec.Key, err
	}
	c, err := tx.CallByID(ctx, "", m.call.ID)
	if err != nil {
		return "", err
	}
	if !b.fresh && isOutdated(&b.rec, m.call.Recording, c.Recording) {
		return b.rec.Key, nil
	}
	gone, err = replace(ctx, tx, c.Recording, &b.rec)
	if err != nil {
		return "", err
	}
	c.Recording = &b.rec
	if err := tx.UpdateCall(ctx, c); err != nil {
		return "", err
	}
	if b.heard != nil {
		if err := tx.KeepHeard(ctx, b.rec.SHA256, fetchedEngines, *b.heard); err != nil {
			return "", err
		}
	}
	if !b.fresh {
		return gone, nil
	}
	f := m.fetch
	f.State = FetchHad
	if err := tx.SaveFetch(ctx, f); err != nil {
		return "", err
	}
	return gone, tx.Enqueue(ctx, reviewJob(&c), c.ID, 0)
}

// isOutdated reports whether a recording was made of one that is no longer the call's: a better one
// was fetched meanwhile. now may also be the same that another process has made.
func isOutdated(rec, of, now *call.Recording) bool {
	return of != nil && now != nil && now.Key != of.Key && now.Key != rec.Key
}

// replace prepares the removal of a call's old recording, nil for none, and returns its key. What
// was heard on it goes at once, since nobody would find it later; its file also goes by a job,
// because the process may die before it has removed it.
func replace(ctx context.Context, tx Tx, old, by *call.Recording) (gone string, err error) {
	if old == nil {
		return "", nil
	}
	if old.SHA256 != "" && old.SHA256 != by.SHA256 {
		if err := tx.EraseHeard(ctx, old.SHA256); err != nil {
			return "", err
		}
	}
	if old.Key == by.Key {
		return "", nil
	}
	return old.Key, tx.Enqueue(ctx, JobDiscard, old.Key, discardAfter)
}

// Discard is the job that removes a replaced recording, unless the call uses it again.
func (s *Service) Discard(ctx context.Context, key string) error {
	parts := strings.Split(key, "/")
	if len(parts) != 3 || s.o.Shelf == nil {
		return nil
	}
	kept := false
	err := s.o.Store.Read(ctx, func(tx Tx) error {
		c, err := tx.CallByID(ctx, "", parts[1])
		kept = err == nil && c.Recording != nil && c.Recording.Key == key
		return err
	})
	if kept || err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	return s.o.Shelf.Delete(ctx, key)
}

// forget removes all recordings of a call that may have none. The opt-out erased what there was,
// but a process that died afterwards may have left the one it was just storing.
func (s *Service) forget(ctx context.Context, c *call.Call) error {
	if s.o.Shelf == nil || c.Origin != call.Production || c.Keep == call.KeepEverything || c.Recording != nil {
		return nil
	}
	return s.o.Shelf.DeleteAll(ctx, folderOf(c))
}
