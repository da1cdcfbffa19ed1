package queue

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// errorLog logs every failed try, and every job that is given up.
type errorLog struct{ log *slog.Logger }

// HandleError implements river.ErrorHandler.
func (l errorLog) HandleError(ctx context.Context, row *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	if row.Attempt < row.MaxAttempts {
		l.tried(ctx, row, err)
		return nil
	}
	l.of(row, err).ErrorContext(ctx, "job given up")
	return nil
}

// tried logs a failed try that is not the last.
func (l errorLog) tried(ctx context.Context, row *rivertype.JobRow, err error) {
	l.of(row, err).WarnContext(ctx, "job failed and will be tried again")
}

func (l errorLog) of(row *rivertype.JobRow, err error) *slog.Logger {
	return l.log.With("kind", row.Kind, "job", row.ID, "args", string(row.EncodedArgs), "try", row.Attempt, "error", err)
}

// HandlePanic implements river.ErrorHandler.
func (l errorLog) HandlePanic(ctx context.Context, row *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	l.log.ErrorContext(ctx, "job panicked", "kind", row.Kind, "job", row.ID, "args", string(row.EncodedArgs),
		"try", row.Attempt, "panic", fmt.Sprint(value), "trace", trace)
	return nil
}

// loud passes on only warnings and errors of River, which is talkative below that.
type loud struct {
	slog.Handler
	echoes *echoes
}

// newLoud puts itself before the log of the service.
func newLoud(log slog.Handler) loud { return loud{log, &echoes{of: map[string]*echo{}}} }

// Enabled implements slog.Handler.
func (l loud) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && l.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler. A database that did not answer in time is only a warning: that
// happens when it has much to write, and is tried again. While it is away every queue reports that
// five times a second, and the election and whoever marks jobs as done a few times in ten seconds;
// one line of each kind now and then says as much, and keeps the log readable.
func (l loud) Handle(ctx context.Context, r slog.Record) error {
	election, fetch := strings.HasPrefix(r.Message, "leadership.Elector: "), strings.HasPrefix(r.Message, "producer: ")
	if election || fetch && outOfTime(r) {
		r.Level = min(r.Level, slog.LevelWarn)
	}
	if election || fetch || strings.HasPrefix(r.Message, "jobcompleter.") {
		unsaid, say := l.echoes.hear(r.Level.String()+r.Message, r.Time)
		if !say {
			return nil
		}
		if unsaid > 0 {
			r = r.Clone()
			r.Add("unsaid_before", unsaid)
		}
	}
	return l.Handler.Handle(ctx, r)
}

// echoing is how long the same message, of whichever queue, is not repeated.
const echoing = 10 * time.Second

// echoes are messages that come again and again.
type echoes struct {
	mu sync.Mutex
	of map[string]*echo
}

// echo is when a message was last said, and how often it came since.
type echo struct {
	said   time.Time
	unsaid int
}

// hear reports whether to log a message, and how often it was left out since the last time.
func (e *echoes) hear(message string, at time.Time) (unsaid int, say bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	last := e.of[message]
	if last != nil && at.Sub(last.said) < echoing {
		last.unsaid++
		return 0, false
	}
	e.of[message] = &echo{said: at}
	if last != nil {
		unsaid = last.unsaid
	}
	return unsaid, true
}

// outOfTime reports whether the only thing wrong is that something took too long.
func outOfTime(r slog.Record) (out bool) {
	r.Attrs(func(a slog.Attr) bool {
		out = a.Key == "err" && strings.HasSuffix(a.Value.String(), context.DeadlineExceeded.Error())
		return !out
	})
	return out
}

// WithAttrs implements slog.Handler.
func (l loud) WithAttrs(attrs []slog.Attr) slog.Handler {
	return loud{l.Handler.WithAttrs(attrs), l.echoes}
}

// WithGroup implements slog.Handler.
func (l loud) WithGroup(name string) slog.Handler { return loud{l.Handler.WithGroup(name), l.echoes} }
