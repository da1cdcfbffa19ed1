package practice

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// turnsOf returns a booking followed by a question about a price.
func turnsOf() []string {
	return []string{
		"book a cleaning", "on tuesday at ten thirty", "my name is anna miller", "yes",
		"how much is a vaccination", "no thank you",
	}
}

// looks is everything about a call in which a fault could show.
type looks struct {
	lines, tools string
	delay        time.Duration // of the second reply
	overlap      time.Duration
	yielded      bool // it stopped for an interruption
	stopped      bool // it stopped for a backchannel
	hungUp       string
	noise        float64 // level between the lines in dBFS
	lost         bool
}

func look(t *testing.T, faults ...string) looks {
	t.Helper()
	return lookAt(t, turnsOf(), faults...)
}

func lookAt(t *testing.T, understood []string, faults ...string) looks {
	t.Helper()
	s := newSession(t, faults, understood...)
	s.run(t, 15*time.Second, repeat(len(understood))...)
	out := looks{
		lines: strings.Join(s.lines(), "\n"), tools: s.tools(), hungUp: s.party.Record().EndReason,
		lost: s.lost > 0, noise: -100, overlap: s.overlap(),
	}
	if d := s.delays(); len(d) > 1 {
		out.delay = d[1].Truncate(100 * time.Millisecond)
	}
	if len(s.desk) > 3200 {
		out.noise = max(-100, audio.Level(s.desk[:2400]))
	}
	out.yielded = breaksOff(t, 1200*time.Millisecond, faults...)
	out.stopped = breaksOff(t, 300*time.Millisecond, faults...)
	return out
}

// breaksOff reports whether the desk breaks off its greeting at a sound of that length.
func breaksOff(t *testing.T, length time.Duration, faults ...string) bool {
	t.Helper()
	s := newSession(t, faults)
	s.run(t, 6*time.Second, says{after: -700 * time.Millisecond, length: length})
	// Only the greeting counts, in the record and on the line, where it lasts 2.8 s from 0.4 s on;
	// what is said after the sound does not matter.
	cut := strings.Contains(s.lines()[0], "[interrupted]")
	sounds := audio.Level(s.desk[rate*2:rate*22/10]) > -40
	if cut && length > time.Second && sounds && audio.Level(s.desk[rate*23/10:rate*25/10]) > -35 &&
		s.party.noise == nil && s.party.desk.opts.Faults.TalkOver == 0 {
		t.Error("the record says that the desk stopped, but it went on")
	}
	return cut
}

// overlap returns for how long both sides sounded at the same time.
func (s *session) overlap() time.Duration {
	n := 0
	for i := 0; i+160 <= len(s.desk); i += 160 {
		if audio.Level(s.desk[i:i+160]) > -30 && audio.Level(s.call[i:i+160]) > -30 {
			n++
		}
	}
	return (time.Duration(n) * 20 * time.Millisecond).Truncate(200 * time.Millisecond)
}

// firstLines returns the first n lines of a text.
func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// sounding returns the beginning of the desk's first sound and the end of its last one, up to the
// given time.
func (s *session) sounding(to time.Duration) (first, last time.Duration) {
	pcm := s.desk[:min(len(s.desk), int(to*rate/time.Second))]
	from, end, _ := audio.Clip{PCM: pcm, Rate: rate}.Audible()
	return time.Duration(from) * time.Second / rate, time.Duration(end) * time.Second / rate
}
