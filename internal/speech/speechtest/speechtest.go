// Package speechtest has scripted stand-ins for package speech: a mouth that produces tones,
// and ears that answer from a list. They are for the tests of every package that speaks or
// listens, and for benchmarks that must not depend on external programs.
package speechtest

import (
	"context"
	"hash/fnv"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// PerLetter is the duration of the Mouth's sound for each byte of a line.
const PerLetter = 50 * time.Millisecond

// Mouth speaks each line as syllables of one tone. The length follows from the length of the
// text, the pitch from the text itself, so that lines can be told apart on a recording.
type Mouth struct {
	// Rate is the sample rate of the clips in Hz; 0 means 8000.
	Rate int
	// Err, if not nil, is returned by Say.
	Err error

	mu   sync.Mutex
	said []string
}

// Say implements speech.Mouth.
func (m *Mouth) Say(ctx context.Context, p scenario.Persona, _, text string) (audio.Clip, error) {
	if err := ctx.Err(); err != nil {
		return audio.Clip{}, err
	}
	m.mu.Lock()
	m.said = append(m.said, text)
	err := m.Err
	m.mu.Unlock()
	if err != nil {
		return audio.Clip{}, err
	}
	rate := m.Rate
	if rate == 0 {
		rate = 8000
	}
	pace := p.Pace
	if pace == 0 {
		pace = 1
	}
	d := time.Duration(float64(len(text)) / pace * float64(PerLetter))
	return audio.Clip{PCM: Voice(Pitch(text), d, rate), Rate: rate}, nil
}

// Voice returns a sound of duration d that voice activity detection takes for speech: the tone
// with fainter partials over the whole band, in syllables of 140 ms with 100 ms of near silence
// between them. It begins and ends with sound.
func Voice(hz float64, d time.Duration, rate int) []int16 {
	pcm := audio.Tone(hz, 8000, d, rate)
	for _, partial := range []float64{330, 720, 1250, 1900, 2700} {
		audio.Mix(pcm, audio.Tone(partial, 2500, d, rate))
	}
	on, period := rate*140/1000, rate*240/1000
	for i := range pcm {
		k := i % period
		if k < on || len(pcm)-i <= rate/20 {
			continue
		}
		pcm[i] = int16(i*7919%41 - 20)
	}
	return pcm
}

// Engine implements speech.Mouth.
func (m *Mouth) Engine() string { return "tones" }

// Said returns what has been said so far.
func (m *Mouth) Said() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.said...)
}

// Pitch returns the tone (Hz) of a text, between 300 and 1500.
func Pitch(text string) float64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return 300 + float64(h.Sum32()%1200)
}

// Ears answer each call of Words with the next text of a list, then with "". The zero value
// understands nothing.
type Ears struct {
	mu     sync.Mutex
	texts  []leg.Words
	heard  int
	asked  int
	closed bool
}

// NewEars returns ears that will understand the given texts, one per turn.
func NewEars(texts ...string) *Ears {
	e := &Ears{}
	for _, t := range texts {
		e.texts = append(e.texts, leg.Words{Text: t})
	}
	return e
}

// Fail adds a turn at which the ears fail.
func (e *Ears) Fail(err error) { e.texts = append(e.texts, leg.Words{Err: err}) }

// Hear implements leg.Ears.
func (e *Ears) Hear(pcm []int16) {
	e.mu.Lock()
	e.heard += len(pcm)
	e.mu.Unlock()
}

// Words implements leg.Ears.
func (e *Ears) Words(l *leg.Letter[leg.Words]) {
	e.mu.Lock()
	var w leg.Words
	if e.asked < len(e.texts) {
		w = e.texts[e.asked]
	}
	e.asked++
	closed := e.closed
	e.mu.Unlock()
	if !closed {
		l.Deliver(w)
	}
}

// Close implements leg.Ears.
func (e *Ears) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
}

// State returns how many samples were heard, how often words were requested, and whether the ears are closed.
func (e *Ears) State() (heard, asked int, closed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard, e.asked, e.closed
}
