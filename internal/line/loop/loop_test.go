package loop_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/loop"
)

func TestLoopIsALine(t *testing.T) {
	t.Parallel()
	linetest.Run(t, func(_ testing.TB, a leg.Answerer) linetest.Line {
		return loop.New(loop.Options{Answerer: a})
	})
}
