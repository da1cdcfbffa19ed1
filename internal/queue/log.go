package queue

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// errorLog tells of every failed try, and of a job that is given up.
type errorLog struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler.
func (l errorLog) HandleError(ctx context.Context, row *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	log := l.log.With("kind", row.Kind, "job", row.ID, "args", string(row.EncodedArgs), "try", row.Attempt, "error", err)
	if row.Attempt >= row.MaxAttempts {
		log.ErrorContext(ctx, "job given up")
	} else {
		log.WarnContext(ctx, "job failed and will be tried again")
	}
	return nil
}

// HandlePanic implements river.ErrorHandler.
func (l errorLog) HandlePanic(ctx context.Context, row *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	l.log.ErrorContext(ctx, "job panicked", "kind", row.Kind, "job", row.ID, "args", string(row.EncodedArgs),
		"try", row.Attempt, "panic", fmt.Sprint(value), "trace", trace)
	return nil
}

// loud passes on River's own warnings and errors alone; it is talkative below.
type loud struct{ slog.Handler }

// Enabled implements slog.Handler.
func (l loud) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && l.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler. That the database could not be asked in time is a
// warning: it happens when it has much to write, and is tried again.
func (l loud) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "leadership.Elector: ") || strings.HasPrefix(r.Message, "producer: ") && outOfTime(r) {
		r.Level = min(r.Level, slog.LevelWarn)
	}
	return l.Handler.Handle(ctx, r)
}

// outOfTime says that what River tells of took too long, and nothing else was wrong with it.
func outOfTime(r slog.Record) (out bool) {
	r.Attrs(func(a slog.Attr) bool {
		out = a.Key == "err" && strings.HasSuffix(a.Value.String(), context.DeadlineExceeded.Error())
		return !out
	})
	return out
}

// WithAttrs implements slog.Handler.
func (l loud) WithAttrs(attrs []slog.Attr) slog.Handler { return loud{l.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (l loud) WithGroup(name string) slog.Handler { return loud{l.Handler.WithGroup(name)} }
