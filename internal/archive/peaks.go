package archive

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// MaxPeaks is how many peaks per channel can be asked for.
const MaxPeaks = 4000

// Peak is the lowest and the highest sample of a stretch.
type Peak struct{ Min, Max int16 }

// Peaks is the outline of a recording, for drawing it. Both channels have the
// same number of peaks; each covers the same share of the samples.
type Peaks struct {
	Rate int
	// Samples is the length per channel.
	Samples int64
	Caller  []Peak
	Agent   []Peak
}

// Peaks reads the recording of a call once, in passing, and returns at most n
// peaks per channel (1 to MaxPeaks); fewer when it has fewer samples than that.
func (s *Service) Peaks(ctx context.Context, workspaceID, id string, n int) (Peaks, error) {
	if n < 1 || n > MaxPeaks {
		return Peaks{}, problem.Invalid(problem.Field{Path: "n", Message: fmt.Sprintf("must be between 1 and %d", MaxPeaks)})
	}
	rec, open, err := s.Recording(ctx, workspaceID, id)
	if err != nil {
		return Peaks{}, err
	}
	body, err := open(ctx, 0, -1)
	if err != nil {
		return Peaks{}, fmt.Errorf("open recording of %s: %w", id, err)
	}
	defer body.Close() //nolint:errcheck // it was only read
	p, err := outline(&cancelled{ctx: ctx, r: body}, n)
	if err != nil {
		return Peaks{}, fmt.Errorf("read recording of %s (%s): %w", id, rec.Type, err)
	}
	return p, nil
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

// outline computes n peaks per channel of a WAV stream with two channels of 16 bits.
func outline(r io.Reader, n int) (Peaks, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	h, err := readHeader(in)
	if err != nil {
		return Peaks{}, err
	}
	n = int(min(int64(n), h.frames))
	p := Peaks{Rate: h.rate, Samples: h.frames, Caller: make([]Peak, n), Agent: make([]Peak, n)}
	var frame [4]byte
	var at int64
	for i := range n {
		// The bounds are computed afresh each time, so that rounding never adds up.
		until := h.frames * int64(i+1) / int64(n)
		caller, agent := empty(), empty()
		for ; at < until; at++ {
			if _, err := io.ReadFull(in, frame[:]); err != nil {
				return Peaks{}, fmt.Errorf("the audio ends at sample %d of %d: %w", at, h.frames, err)
			}
			widen(&caller, int16(uint16(frame[0])|uint16(frame[1])<<8))
			widen(&agent, int16(uint16(frame[2])|uint16(frame[3])<<8))
		}
		p.Caller[i], p.Agent[i] = caller, agent
	}
	return p, nil
}

func empty() Peak { return Peak{Min: 32767, Max: -32768} }

func widen(p *Peak, v int16) {
	p.Min, p.Max = min(p.Min, v), max(p.Max, v)
}
