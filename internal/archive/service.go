package archive

import (
	"context"
	"io"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Options are what a Service stands on; Now is needed by Sweep alone.
type Options struct {
	Store      Store
	Recordings Recordings
	Now        func() time.Time
}

// Service finds and shows calls. Its methods take the workspace first and
// return problem.Missing for what belongs to another.
type Service struct {
	store      Store
	recordings Recordings
	now        func() time.Time
	sweeping   sweeping
	outlines   outlines
}

// New returns a Service.
func New(o Options) *Service { return &Service{store: o.Store, recordings: o.Recordings, now: o.Now} }

// Full is a call with everything known about it.
type Full struct {
	// Call carries its attempts, timelines left out.
	Call call.Call
	// Review is nil while there is none.
	Review *call.Review
	// Reported is what the client's platform tells of the call, nil when nobody told of it.
	Reported *call.Reported
	// Last is the attempt that counts, with its timeline; nil when there was none or it was not asked for.
	Last *call.Attempt
}

// Limits of lists.
const (
	// MaxMetadataFilters bounds how many metadata values a list can be narrowed by.
	MaxMetadataFilters = 8
	// maxSearch bounds the text that a list is searched by, in characters.
	maxSearch = 128
)

// Calls lists calls by when they took place, newest first, without their reviews. next is the cursor
// of the next page, "" after the last.
func (s *Service) Calls(ctx context.Context, workspaceID string, f Filter, limit int, cursor string) (list []Listed, next string, err error) {
	after, ok := placeAt(cursor)
	size, err := page.Size(limit, cursor, func(string) bool { return ok })
	if fields := check(f); err != nil || len(fields) > 0 {
		if p := problem.As(err); p != nil {
			fields = append(p.Fields, fields...)
		}
		return nil, "", problem.Invalid(fields...)
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		calls, err := tx.Calls(ctx, workspaceID, f, size+1, after)
		if err != nil {
			return err
		}
		calls, next = page.Cut(calls, size, func(last *call.Call) string { return placeOf(last).cursor() })
		list, err = glancedAt(ctx, tx, calls)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return list, next, nil
}

func glancedAt(ctx context.Context, tx Lists, calls []call.Call) ([]Listed, error) {
	ids := make([]string, len(calls))
	for i := range calls {
		ids[i] = calls[i].ID
	}
	glances, err := tx.Glances(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]Listed, len(calls))
	for i := range calls {
		list[i] = Listed{Call: calls[i], Glance: glances[calls[i].ID]}
	}
	return list, nil
}

// Call returns one call with its review and the timeline of its last attempt.
func (s *Service) Call(ctx context.Context, workspaceID, id string) (f Full, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		f = Full{}
		if f.Call, err = tx.CallByID(ctx, workspaceID, id); err != nil {
			return err
		}
		if f.Review, err = some(tx.ReviewOf(ctx, id)); err != nil {
			return err
		}
		if f.Reported, err = some(tx.ReportedOf(ctx, id)); err != nil {
			return err
		}
		f.Last, err = some(tx.LastAttempt(ctx, id))
		return err
	})
	if err != nil {
		return Full{}, err
	}
	return f, nil
}

// Opener reads length bytes of a recording from offset; length -1 means to the end.
type Opener func(ctx context.Context, offset, length int64) (io.ReadCloser, error)

// Recording describes a call's recording and says how to read it. A call that
// has none is a problem.NotFound.
func (s *Service) Recording(ctx context.Context, workspaceID, id string) (call.Recording, Opener, error) {
	var c call.Call
	err := s.store.Read(ctx, func(tx Tx) (err error) {
		c, err = tx.CallByID(ctx, workspaceID, id)
		return err
	})
	if err != nil {
		return call.Recording{}, nil, err
	}
	if c.Recording == nil {
		return call.Recording{}, nil, problem.New(problem.NotFound, "call %q has no recording", id).
			WithHint("%s", whyNoRecording(c))
	}
	r := *c.Recording
	return r, func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		return s.recordings.OpenRange(ctx, r.Key, offset, length)
	}, nil
}

func whyNoRecording(c call.Call) string {
	switch {
	case !c.Status.Over():
		return "the call is not over; its recording is kept when it ends"
	case c.AnsweredAt.IsZero():
		return "the call was never answered"
	case c.Origin == call.Production && c.Keep != call.KeepEverything:
		return "the client's platform says that the recording is not to be kept"
	case c.Origin == call.Production:
		return "a recording that the call log names is fetched; the call's notes say why one could not be had"
	}
	return "nothing was recorded"
}

// some turns the "ok" of a lookup into nil or a pointer.
func some[T any](v T, ok bool, err error) (*T, error) {
	if err != nil || !ok {
		return nil, err
	}
	return &v, nil
}

// check names everything wrong with what a list is narrowed by.
func check(f Filter) []problem.Field {
	var fields []problem.Field
	add := func(path, message string) { fields = append(fields, problem.Field{Path: path, Message: message}) }
	if !f.From.IsZero() && !f.Until.IsZero() && !f.From.Before(f.Until) {
		add("until", "must be later than from")
	}
	if utf8.RuneCountInString(f.Search) > maxSearch {
		add("search", "must not be longer than 128 characters")
	}
	if len(f.Metadata) > MaxMetadataFilters {
		add("metadata", "at most 8 metadata values can narrow a list")
	}
	return fields
}
