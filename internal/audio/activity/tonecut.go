package activity

import "github.com/ringtrue/ringtrue/internal/audio"

// toneCutter removes call progress tones from segments.
type toneCutter struct {
	refiner
	spec *spectrum
	ear  toneEar
	edge []int16 // a window
}

func newToneCutter(r refiner, rate int) *toneCutter {
	size := frameWindow(rate)
	return &toneCutter{r, newSpectrum(size, size, rate), toneEar{step: int32(rate / toneRate)}, make([]int16, size)}
}

// Tones returns the call progress tones in a whole channel, in order. Their edges may be early or late by 20 ms.
func Tones(pcm []int16, rate int) []audio.Span {
	hop := rate / hopsPerSecond
	if rate < lowestRate {
		return nil
	}
	return newToneCutter(refiner{pcm: pcm, hop: hop}, rate).tones(audio.Span{End: len(pcm)})
}

// cut returns what is left of the spans.
func (c *toneCutter) cut(spans []audio.Span) []audio.Span {
	var out []audio.Span
	frame := frameHops * c.hop // of which a tone may fill only a part at either end
	for _, s := range spans {
		if c.cutOff(s) {
			continue
		}
		tones := c.tones(s)
		if len(tones) == 0 {
			out = append(out, s)
			continue
		}
		at := s.Start
		for _, t := range append(tones, audio.Span{Start: s.End + frame, End: s.End}) {
			if rest := c.trim(audio.Span{Start: at, End: t.Start - frame}); rest.End > rest.Start {
				out = append(out, rest)
			}
			at = t.End + frame
		}
	}
	return out
}

// tones returns the tones in a span: runs of pure frames with a sure one among them.
func (c *toneCutter) tones(s audio.Span) (tones []audio.Span) {
	frame, begun, run, sure := frameHops*c.hop, s.Start, int32(0), false
	at := s.Start
	end := func() {
		if sure {
			tones = append(tones, audio.Span{Start: begun, End: at})
		}
		begun, run, sure = at+frame, 0, false
	}
	for ; at+frame <= s.End; at += frame {
		if !c.pure(at + frame/2) {
			end()
			continue
		}
		is := c.ear.hear(c.pcm[at:at+frame], &run)
		sure = sure || is == someTone
	}
	end()
	return tones
}

// cutOff reports whether a span is what a recording has of a ringing tone that ends with the answer, or of a busy tone that begins
// as somebody hangs up. It is too short to be told from a vowel by its waves; but a vowel alone is no utterance there.
func (c *toneCutter) cutOff(s audio.Span) bool {
	frame, size := frameHops*c.hop, len(c.edge)
	if s.Start >= frame && s.End <= len(c.pcm)-frame || s.End-s.Start >= (toneFrames+1)*frame {
		return false
	}
	at := s.Start
	for at+size <= s.End && c.pure(at+size/2) {
		at += c.hop
	}
	return at > s.Start && at+size > s.End
}

// frameHops is how many hops a frame of 20 ms has.
const frameHops = 4

// pure reports whether nearly all energy around a sample lies where call progress tones have it.
func (c *toneCutter) pure(centre int) bool {
	window(c.edge, c.pcm, centre-len(c.edge)/2)
	var e [bandCount]float32
	c.spec.bands(c.edge, &e)
	return c.spec.toneShare(&e) >= tonePure
}

// trim moves the edges of what is beside a tone to where there is distinct sound.
func (c *toneCutter) trim(s audio.Span) audio.Span {
	need, _ := c.threshold((s.Start + s.End) / 2 / c.hop)
	for s.Start+c.hop <= s.End && c.power(s.Start) < need {
		s.Start += c.hop
	}
	for s.End-c.hop >= s.Start && c.power(s.End-c.hop) < need {
		s.End -= c.hop
	}
	return s
}
