package archive

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// maxPeaks is how many peaks per channel can be asked for.
const maxPeaks = 4000

// Peak is the lowest and the highest sample of a stretch.
type Peak struct{ Min, Max int16 }

// Peaks is the outline of a recording, for drawing it. Both channels have the
// same number of peaks; each covers the same share of the samples.
type Peaks struct {
	Rate int
	// Samples is the length per channel, of the whole recording.
	Samples int64
	// From and Until are the samples that the peaks cover: from <= sample < until.
	From, Until int64
	Caller      []Peak
	Agent       []Peak
}

// Window is a stretch of a recording; an Until of 0 is its end.
type Window struct{ From, Until time.Duration }

// Peaks returns at most n peaks per channel (1 to 4000) of a stretch of a call's
// recording; fewer when it has fewer samples than that. Long recordings are read once
// and their outline is kept in memory for a while.
func (s *Service) Peaks(ctx context.Context, workspaceID, id string, n int, w Window) (Peaks, error) {
	switch {
	case n < 1 || n > maxPeaks:
		return Peaks{}, problem.Invalid(problem.Field{Path: "n", Message: fmt.Sprintf("must be between 1 and %d", maxPeaks)})
	case w.From < 0 || w.Until < 0 || w.Until != 0 && w.Until <= w.From:
		return Peaks{}, problem.Invalid(problem.Field{Path: "until_ms", Message: "must be later than from_ms"})
	}
	rec, open, err := s.Recording(ctx, workspaceID, id)
	if err != nil {
		return Peaks{}, err
	}
	p, err := s.outlines.draw(ctx, rec, open, n, w)
	if err != nil {
		return Peaks{}, fmt.Errorf("read recording of %s (%s): %w", id, rec.Type, err)
	}
	return p, nil
}

// outline reads the front of the recording, and then the stretch alone.
func outline(ctx context.Context, open Opener, n int, w Window) (Peaks, error) {
	front, err := open(ctx, 0, -1)
	if err != nil {
		return Peaks{}, err
	}
	defer front.Close() //nolint:errcheck // it was only read
	in := bufio.NewReaderSize(&cancelled{ctx: ctx, r: front}, 64<<10)
	h, err := readHeader(in)
	if err != nil {
		return Peaks{}, err
	}
	p := h.window(w)
	if p.From == 0 {
		return p, p.draw(in, n)
	}
	part, err := open(ctx, h.offset+4*p.From, 4*(p.Until-p.From))
	if err != nil {
		return Peaks{}, err
	}
	defer part.Close() //nolint:errcheck // it was only read
	return p, p.draw(&cancelled{ctx: ctx, r: part}, n)
}

// window is which samples a stretch covers; peaks are still to be drawn.
func (h *header) window(w Window) Peaks {
	p := Peaks{Rate: h.rate, Samples: h.frames, Until: h.frames, From: min(h.at(w.From), h.frames)}
	if w.Until > 0 {
		p.Until = min(h.at(w.Until), h.frames)
	}
	return p
}

// cancelled stops a long read when nobody waits for it any more.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// draw computes at most n peaks per channel of the frames from From to Until, of which r gives the first.
func (p *Peaks) draw(r io.Reader, n int) error {
	frames := p.Until - p.From
	n = int(min(int64(n), frames))
	p.Caller, p.Agent = make([]Peak, n), make([]Peak, n)
	var chunk [16 << 10]byte
	var at int64
	for i := range n {
		// The bounds are computed afresh each time, so that rounding never adds up.
		until := frames * int64(i+1) / int64(n)
		caller, agent := empty(), empty()
		for at < until {
			part := chunk[:min(4*(until-at), int64(len(chunk)))]
			if got, err := io.ReadFull(r, part); err != nil {
				return fmt.Errorf("the audio ends at sample %d of %d: %w", p.From+at+int64(got/4), p.Samples, err)
			}
			for ; len(part) > 0; part = part[4:] {
				widen(&caller, int16(uint16(part[0])|uint16(part[1])<<8))
				widen(&agent, int16(uint16(part[2])|uint16(part[3])<<8))
				at++
			}
		}
		p.Caller[i], p.Agent[i] = caller, agent
	}
	return nil
}

func empty() Peak { return Peak{Min: 32767, Max: -32768} }

func widen(p *Peak, v int16) {
	p.Min, p.Max = min(p.Min, v), max(p.Max, v)
}
