package media

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestTheSameWarningIsNotLoggedForEver checks that repeated warnings are logged without filling the
// log: a participant can make the libraries warn of every message it sends.
func TestTheSameWarningIsNotLoggedForEver(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	out := libraryLog{sink: &sink{}}
	out.sink.lead(slog.New(slog.NewTextHandler(&text, nil)), "")
	for range 1000 {
		out.Errorw("ack received for unexpected RPC request", nil)
	}
	out.Errorw("another matter", nil)
	if n := strings.Count(text.String(), "ack received"); n != mostRepeats {
		t.Errorf("one warning is logged %d times, want %d", n, mostRepeats)
	}
	if !strings.Contains(text.String(), "another matter") {
		t.Error("another warning is not logged")
	}
}

func TestWarningsThatWereNotLoggedAreCounted(t *testing.T) {
	t.Parallel()
	var s sink
	begun := time.Unix(1000, 0)
	said := func(level slog.Level, words string, now time.Time, wantAs slog.Level, wantUnsaid int) {
		t.Helper()
		if as, unsaid := s.temper(level, words, now); as != wantAs || unsaid != wantUnsaid {
			t.Errorf("%q is said as %v after %d unsaid, want %v after %d", words, as, unsaid, wantAs, wantUnsaid)
		}
	}
	for range mostRepeats {
		said(slog.LevelWarn, "one", begun, slog.LevelWarn, 0)
	}
	for range 7 {
		said(slog.LevelWarn, "one", begun.Add(repeatTime-1), slog.LevelDebug, 0)
	}
	said(slog.LevelDebug, "one", begun, slog.LevelDebug, 0)
	said(slog.LevelWarn, "two", begun, slog.LevelWarn, 0)
	said(slog.LevelWarn, "one", begun.Add(repeatTime), slog.LevelWarn, 7)
	said(slog.LevelWarn, "one", begun.Add(repeatTime), slog.LevelWarn, 0)
	for i := range 10 * mostSaid {
		said(slog.LevelWarn, strings.Repeat("x", i), begun, slog.LevelWarn, 0)
	}
	if len(s.said) > mostSaid {
		t.Errorf("%d words are remembered", len(s.said))
	}
}
