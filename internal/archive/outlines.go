package archive

import (
	"bufio"
	"context"
	"sync"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// readWhole is how many samples are read one by one each time: four minutes at 8 kHz.
	readWhole = 1 << 21
	// coarse is how many samples one peak of a kept outline covers: 32 ms at 8 kHz.
	coarse = 256
	// outlinesBytes bounds the memory of all kept outlines: a dozen hours.
	outlinesBytes = 16 << 20
)

// outlines keeps the coarse outlines of the long recordings that were asked for
// last, so that an hour of sound is read once and not with every look at it.
type outlines struct {
	mu    sync.Mutex
	kept  map[string]*outlineOf
	order []string // the one that was used longest ago first
	bytes int
}

// outlineOf are the peaks of a whole recording in stretches of coarse samples.
type outlineOf struct {
	header
	caller, agent []Peak
}

// draw gives the outline of a stretch: sample by sample, or of a long one from the
// kept outline, so that a peak may reach a few milliseconds beyond its stretch.
func (k *outlines) draw(ctx context.Context, rec call.Recording, open Opener, n int, w Window) (Peaks, error) {
	said := header{rate: rec.Rate, frames: rec.Samples}
	if p := said.window(w); rec.SHA256 == "" || !isLong(p, n) { // without a digest nothing tells that it is the same
		return outline(ctx, open, n, w)
	}
	name := rec.Key + " " + rec.SHA256
	o := k.get(name)
	if o == nil {
		var err error
		if o, err = readOutline(ctx, open); err != nil {
			return Peaks{}, err
		}
		k.put(name, o)
	}
	p := o.window(w)
	if !isLong(p, n) { // the file is not what was said of it
		return outline(ctx, open, n, w)
	}
	o.fill(&p, n)
	return p, nil
}

// isLong tells that a stretch is worth a kept outline, and that one is fine enough.
func isLong(p Peaks, n int) bool {
	return p.Until-p.From > readWhole && p.Until-p.From >= 2*coarse*int64(n)
}

// readOutline reads a whole recording.
func readOutline(ctx context.Context, open Opener) (*outlineOf, error) {
	body, err := open(ctx, 0, -1)
	if err != nil {
		return nil, err
	}
	defer body.Close() //nolint:errcheck // it was only read
	in := bufio.NewReaderSize(&cancelled{ctx: ctx, r: body}, 64<<10)
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	o := &outlineOf{header: h}
	whole := h.frames / coarse
	for _, part := range []struct{ from, until, n int64 }{{0, whole * coarse, whole}, {whole * coarse, h.frames, 1}} {
		p := Peaks{Rate: h.rate, Samples: h.frames, From: part.from, Until: part.until}
		if err := p.draw(in, int(part.n)); err != nil {
			return nil, err
		}
		o.caller, o.agent = append(o.caller, p.Caller...), append(o.agent, p.Agent...)
	}
	return o, nil
}

// fill sums the outline up to n peaks of a stretch.
func (o *outlineOf) fill(p *Peaks, n int) {
	p.Caller, p.Agent = make([]Peak, n), make([]Peak, n)
	length := p.Until - p.From
	for i := range int64(n) {
		from := (p.From + length*i/int64(n)) / coarse
		until := min((p.From+length*(i+1)/int64(n)+coarse-1)/coarse, int64(len(o.caller)))
		c, a := empty(), empty()
		for at := from; at < until; at++ {
			c.cover(o.caller[at])
			a.cover(o.agent[at])
		}
		p.Caller[i], p.Agent[i] = c, a
	}
}

// cover widens a peak over another.
func (p *Peak) cover(o Peak) { p.Min, p.Max = min(p.Min, o.Min), max(p.Max, o.Max) }

func (o *outlineOf) bytes() int { return 8*len(o.caller) + 200 }

// get finds a kept outline, nil when there is none.
func (k *outlines) get(name string) *outlineOf {
	k.mu.Lock()
	defer k.mu.Unlock()
	o := k.kept[name]
	if o != nil {
		k.touch(name)
	}
	return o
}

func (k *outlines) touch(name string) {
	for i, n := range k.order {
		if n == name {
			k.order = append(k.order[:i], k.order[i+1:]...)
			break
		}
	}
	k.order = append(k.order, name)
}

// put keeps an outline, and lets go of the oldest when they are too many.
func (k *outlines) put(name string, o *outlineOf) {
	if o.bytes() > outlinesBytes {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[string]*outlineOf{}
	}
	if before := k.kept[name]; before != nil {
		k.bytes -= before.bytes()
	}
	k.kept[name] = o
	k.bytes += o.bytes()
	k.touch(name)
	for k.bytes > outlinesBytes {
		oldest := k.order[0]
		k.bytes -= k.kept[oldest].bytes()
		delete(k.kept, oldest)
		k.order = k.order[1:]
	}
}
