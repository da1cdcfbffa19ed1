package speech

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/review"
)

// earsSpan is the audio that httpEars keep at least since the last request; they keep at most twice as much.
const earsSpan = time.Minute

// httpEars buffer what they hear and have it recognised turn by turn.
type httpEars struct {
	transcriber review.Transcriber
	opts        EarsOptions
	ctx         context.Context
	cancel      context.CancelFunc

	mu sync.Mutex
	// heard is the latest audio, before the earsSpan that precedes it. After long listening, to
	// silence or to an agent that does not stop, only the end is needed.
	before, heard []int16
}

func newHTTPEars(t review.Transcriber, o EarsOptions) *httpEars {
	ctx, cancel := context.WithCancel(context.Background())
	return &httpEars{transcriber: t, opts: o, ctx: ctx, cancel: cancel}
}

// Hear implements leg.Ears.
func (e *httpEars) Hear(pcm []int16) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.heard) >= int(earsSpan.Seconds())*e.opts.Rate {
		e.before, e.heard = e.heard, e.before[:0]
	}
	e.heard = append(e.heard, pcm...)
}

// Words implements leg.Ears.
func (e *httpEars) Words(l *leg.Letter[leg.Words]) {
	e.mu.Lock()
	before, heard := e.before, e.heard
	e.before, e.heard = nil, nil
	e.mu.Unlock()
	go func() {
		w := e.understand(slices.Concat(before, heard))
		if e.ctx.Err() == nil {
			l.Deliver(w)
		}
	}()
}

// understand has audio recognised after trimming the silence around it: silence costs as much
// as speech, takes time to send, and makes recognisers invent words.
func (e *httpEars) understand(pcm []int16) leg.Words {
	all := call.Segment{End: durationOf(len(pcm), e.opts.Rate)}
	if spoken := activity.Segments(pcm, e.opts.Rate); len(spoken) > 0 {
		all.Start, all.End = durationOf(spoken[0].Start, e.opts.Rate), durationOf(spoken[len(spoken)-1].End, e.opts.Rate)
	}
	got, err := e.transcriber.Transcribe(e.ctx, review.Speech{
		PCM: pcm, Rate: e.opts.Rate, Language: e.opts.Language, Hints: e.opts.Hints, Segments: []call.Segment{all},
	})
	if err != nil || len(got) == 0 {
		return leg.Words{Err: err}
	}
	return leg.Words{Text: got[0].Text}
}

// Close implements leg.Ears.
func (e *httpEars) Close() { e.cancel() }
