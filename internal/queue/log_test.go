package queue

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// What River only has to try again is no error of ours; what it says in passing is not passed on.
func TestWhatRiverTriesAgainIsAWarning(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	plain := slog.NewTextHandler(&said, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	log := slog.New(newLoud(plain)).With("a", 1)
	log.Error("leadership.Elector: Error attempting reelection")
	log.Info("leadership.Elector: Gained leadership")
	log.Error("producer: Error fetching jobs", "err", "the disk is gone")
	log.Error("producer: Error fetching jobs", "err", "timed out after 10s: context deadline exceeded")
	want := "level=WARN msg=\"leadership.Elector: Error attempting reelection\" a=1\nlevel=ERROR msg=\"producer: Error fetching jobs\" a=1 err=\"the disk is gone\"\n" +
		"level=WARN msg=\"producer: Error fetching jobs\" a=1 err=\"timed out after 10s: context deadline exceeded\"\n"
	if said.String() != want {
		t.Errorf("the log says\n%s, want\n%s", said.String(), want)
	}
}

// Eight queues that ask a database that is away say so once in a while.
func TestAnOutageIsToldOnce(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	log := newLoud(slog.NewTextHandler(&said, nil))
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tell := func(after time.Duration, queue, message string) {
		r := slog.NewRecord(began.Add(after), slog.LevelError, message, 0)
		r.Add("err", "connection refused")
		if err := log.WithAttrs([]slog.Attr{slog.String("queue", queue)}).Handle(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 61 { // 12 s
		for _, queue := range []string{"place", "review"} {
			tell(time.Duration(i)*200*time.Millisecond, queue, "producer: Error fetching jobs")
		}
	}
	tell(12*time.Second, "place", "producer: Error reporting status")
	for i := range 5 {
		tell(time.Duration(13+i)*time.Second, "place", "jobcompleter.BatchCompleter: Completer error (will retry after sleep)")
		tell(time.Duration(13+i)*time.Second, "place", "leadership.Elector: Error attempting reelection")
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines:\n%s", len(lines), said.String())
	}
	for i, want := range []string{"queue=place err", "unsaid_before=99", "reporting status", "Completer error", "reelection"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d has no %q: %s", i+1, want, lines[i])
		}
	}
}
