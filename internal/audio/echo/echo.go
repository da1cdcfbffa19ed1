// Package echo tells what one side of a call says from the echo of the other side on its channel, as loudspeakers,
// handsets and the ends of two-wire lines send it back: the same voice once more, fainter, after a delay.
//
// It imports package audio. Packages review and score/timing cut out of the segments that audio/activity has found
// what is echo.
package echo

import (
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// Engine is the name of the method and its version, as reviews keep it.
const Engine = "level-leak 2"

// All that is compared are levels of frames of 10 ms: a room and two codecs leave little of a waveform.
const frames = 100

const (
	// block is the stretch of a call whose echo is looked for together with context on either side, in frames.
	// A caller may take up the receiver, and delays change.
	block, around = 60 * frames, 30 * frames
	// hiss is how much louder than its quiet moments a noise may be in a frame, in dB.
	hiss = 4
	// sway is by how many frames an echo may come sooner or later than usual, and fade how fast it dies away
	// in a room, in dB a frame.
	sway = 3
	fade = 1
	// voiced is for how many frames something has to stand out of the echo to be speech, further for how many where
	// there has just been some, and broken after how many without it another sound begins.
	voiced, further, broken = 6, 3, 2
	// parted is for how many frames an echo parts what is said, as a silence does.
	parted = 20
)

// Path is how one side comes back on the channel of the other.
type Path struct {
	Delay time.Duration
	// Loss is by how many dB it is fainter then.
	Loss float64
}

// String tells the path after the name of the engine, as reviews keep it.
func (p Path) String() string {
	return fmt.Sprintf("%s: %.0f dB fainter after %d ms", Engine, p.Loss, p.Delay.Milliseconds())
}

// Cut takes from the spans of a channel what is nothing but the echo of the other side, be it a whole span or a part
// of one. path is that of the block where the echo is loudest; without an echo ok is false and the spans are as they were.
func Cut(spans []audio.Span, own, other []int16, rate int) (left []audio.Span, path Path, ok bool) {
	hop := rate / frames
	if hop == 0 || len(spans) == 0 {
		return spans, Path{}, false
	}
	near, far := levels(own, hop), levels(other, hop)
	n := len(near)
	for len(far) < n {
		far = append(far, audio.FloorDB)
	}
	leak := make([]float32, n)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		begin, end := max(0, from-around), min(to+around, n)
		w, found := find(near[begin:end], far[begin:end])
		w.expect(far[begin:to], leak[from:to])
		if found && (!ok || w.loss < path.Loss) {
			path, ok = Path{Delay: time.Duration(w.delay) * time.Second / frames, Loss: w.loss}, true
		}
	}
	if !ok {
		return spans, Path{}, false
	}
	for _, s := range spans {
		left = append(left, cut(s, near, leak, hop)...)
	}
	return left, path, true
}

// expect writes down how loud the echo is at most, with the noise, in the last frames that are given.
func (w way) expect(far, leak []float32) {
	before := len(far) - len(leak)
	for i, level := range w.ring(far)[before:] {
		leak[i] = level - float32(w.loss) + w.margin
	}
	w.addNoise(leak)
}

// ring returns how loud a sound still is after it, in its room, when an echo of it may come back.
func (w way) ring(far []float32) []float32 {
	out := make([]float32, len(far))
	level := float32(audio.FloorDB)
	for i := range out {
		level -= fade
		for d := max(0, w.delay-sway); d <= min(w.delay+sway, i); d++ {
			level = max(level, far[i-d])
		}
		out[i] = level
	}
	return out
}

// addNoise adds the noise to an echo, and removes it where it cannot be heard for a while: what is heard there is none.
func (w way) addNoise(leak []float32) {
	last, next := -parted, nextAbove(leak, 0, w.noise)
	for i := range leak {
		if i == next {
			last, next = i, nextAbove(leak, i+1, w.noise)
		}
		if i-last < parted || next-i < parted {
			leak[i] = sum(leak[i], w.noise+hiss)
		} else {
			leak[i] = audio.FloorDB
		}
	}
}

// nextAbove returns the index of the first level above another, from an index on, or one far off.
func nextAbove(levels []float32, from int, above float32) int {
	for i := from; i < len(levels); i++ {
		if levels[i] > above {
			return i
		}
	}
	return len(levels) + parted
}

// cut returns the parts of a span that are more than echo.
func cut(s audio.Span, near, leak []float32, hop int) (left []audio.Span) {
	from, to := s.Start/hop, min((s.End+hop-1)/hop, len(near))
	var speech, rise stretch
	for i := from; i < to; i++ {
		if near[i] <= leak[i] {
			continue
		}
		if i-rise.to > broken {
			rise = stretch{from: i}
		}
		rise.to, rise.heard = i+1, rise.heard+1
		goesOn := speech.heard > 0 && rise.from-speech.to <= parted
		switch {
		case goesOn && rise.heard >= further:
			speech.to = rise.to
		case !goesOn && rise.heard >= voiced:
			if speech.heard > 0 {
				left = append(left, part(s, speech, hop))
			}
			speech = rise
		}
	}
	if speech.heard > 0 {
		left = append(left, part(s, speech, hop))
	}
	return left
}

// stretch are the frames from from to to, in heard of which something stands out.
type stretch struct{ from, to, heard int }

// part is a stretch of a span. An edge within two frames of the span's own is that one,
// which is exact to the sample.
func part(s audio.Span, of stretch, hop int) audio.Span {
	p := audio.Span{Start: max(s.Start, of.from*hop), End: min(s.End, of.to*hop)}
	if p.Start-s.Start < 2*hop {
		p.Start = s.Start
	}
	if s.End-p.End < 2*hop {
		p.End = s.End
	}
	return p
}
