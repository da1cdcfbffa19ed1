package emotion

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Arousal is not judged below this many turns with enough sound, or below this much speech in
// total.
const (
	leastTurns  = 3
	leastSpeech = 6 * time.Second
)

// manner is how a turn sounds.
type manner struct {
	// ok says that the turn has enough sound to judge.
	ok bool
	// pitch is in semitones above 100 Hz, loud and tilt in dB, floor the level between the words, pace
	// the natural logarithm of words per second (NaN if there are few words).
	pitch, loud, tilt, floor, pace float64
}

// listen judges the arousal of each turn from the caller's channel, and reports whether it could. A
// turn is compared with the medians over all turns of this speaker in this call.
func (c *course) listen(sound audio.Clip) bool {
	switch {
	case len(sound.PCM) == 0:
		c.deaf = "the caller's channel was not recorded by itself"
		return false
	case !c.in.Timed:
		c.deaf = "the turns carry no times"
		return false
	}
	frames := audio.Voices(sound.PCM, sound.Rate)
	all := make([]manner, len(c.turns))
	var speech time.Duration
	var known []manner
	for i := range c.turns {
		var length time.Duration
		all[i], length = sounds(c.turns[i].turn, c.turns[i].words.Count, frames)
		speech += length
		if all[i].ok {
			known = append(known, all[i])
		}
	}
	if len(known) < leastTurns || speech < leastSpeech {
		c.deaf = "fewer than three turns or six seconds of speech"
		return false
	}
	usual := middle(known)
	for i := range all {
		if all[i].ok {
			a := round(all[i].arousal(&usual))
			c.turns[i].arousal = &a
		}
	}
	c.voiced = true
	return true
}

// sounds measures a turn and returns the length of its speech.
func sounds(t *call.Turn, words int, frames []audio.Voice) (manner, time.Duration) {
	within := framesOf(t, frames)
	if len(within) == 0 {
		return manner{}, 0
	}
	levels := make([]float64, len(within))
	for i, f := range within {
		levels[i] = f.Level
	}
	slices.Sort(levels)
	top := levels[len(levels)*19/20]
	from := max(top-22, audio.AudibleDB)
	var pitches, tilts, loud []float64
	for _, f := range within {
		if f.Level < from {
			continue
		}
		loud = append(loud, f.Level)
		if f.Pitch > 0 {
			pitches = append(pitches, 12*math.Log2(f.Pitch/100))
			tilts = append(tilts, f.Tilt)
		}
	}
	length := time.Duration(len(loud)) * time.Second / audio.VoiceFrames
	if len(loud) < 20 || len(pitches) < 10 {
		return manner{}, length
	}
	m := manner{ok: true, pitch: median(pitches), tilt: median(tilts), loud: median(loud), floor: floorAround(t, frames), pace: math.NaN()}
	if words >= 3 {
		m.pace = math.Log(float64(words) / length.Seconds())
	}
	return m, length
}

// framesOf returns the frames within a turn, without pauses if these are known.
func framesOf(t *call.Turn, frames []audio.Voice) []audio.Voice {
	spans := t.Segments
	if len(spans) == 0 {
		spans = []call.Segment{t.Span()}
	}
	var out []audio.Voice
	for _, s := range spans {
		from, to := frameAt(s.Start, len(frames)), frameAt(s.End, len(frames))
		if from < to {
			out = append(out, frames[from:to]...)
		}
	}
	return out
}

func frameAt(at time.Duration, n int) int {
	if at < 0 {
		return 0
	}
	return int(min(int64(at/(time.Second/audio.VoiceFrames)), int64(n)))
}

// floorAround returns the noise level in the two seconds on either side of a turn: the tenth
// percentile.
func floorAround(t *call.Turn, frames []audio.Voice) float64 {
	from, to := frameAt(t.Start-2*time.Second, len(frames)), frameAt(t.End+2*time.Second, len(frames))
	if from >= to {
		return audio.FloorDB
	}
	levels := make([]float64, 0, to-from)
	for _, f := range frames[from:to] {
		levels = append(levels, f.Level)
	}
	slices.Sort(levels)
	return levels[len(levels)/10]
}

// middle returns the median of each figure over the turns.
func middle(all []manner) manner {
	of := func(get func(m *manner) float64) float64 {
		var values []float64
		for i := range all {
			if v := get(&all[i]); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			return math.NaN()
		}
		return median(values)
	}
	return manner{
		pitch: of(func(m *manner) float64 { return m.pitch }), loud: of(func(m *manner) float64 { return m.loud }),
		tilt: of(func(m *manner) float64 { return m.tilt }), floor: of(func(m *manner) float64 { return m.floor }),
		pace: of(func(m *manner) float64 { return m.pace }),
	}
}

// arousal compares a turn with the speaker's median. 4 semitones of pitch, 3 dB of tilt, 6 dB of
// loudness and a third more words per second each count as one unit; the weights are 45 % for
// pitch, 20 % for tilt, 25 % for loudness and 10 % for pace. Loudness alone proves nothing, because
// the line may become louder: changes of the noise between the words are subtracted, and loudness
// counts at most a tenth more than the rest.
func (m *manner) arousal(usual *manner) float64 {
	unit := func(v, one float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return min(max(v/one, -1.8), 1.8)
	}
	rest := 0.45*unit(m.pitch-usual.pitch, 4) + 0.2*unit(m.tilt-usual.tilt, 3) + 0.1*unit(m.pace-usual.pace, 0.3)
	louder := m.loud - usual.loud
	if m.floor > -75 && usual.floor > -75 {
		if own := louder - (m.floor - usual.floor); math.Abs(own) < math.Abs(louder) || own*louder < 0 {
			louder = own
		}
	}
	loud := 0.25 * unit(louder, 6)
	limit := math.Abs(rest) + 0.1
	if loud*rest < 0 {
		limit = 0.1
	}
	loud = min(max(loud, -limit), limit)
	return math.Tanh(1.2 * (rest + loud))
}

// median returns the median; it reorders the values.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}
