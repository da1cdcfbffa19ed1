package queue

import (
	"bytes"
	"log/slog"
	"testing"
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
	log := slog.New(loud{plain}).With("a", 1)
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
