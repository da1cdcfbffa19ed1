package main

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/practice"
)

// stepped returns a tone that begins at one second, softly for 200 ms and then loudly.
func stepped(soft float64) (pcm []int16, span audio.Span) {
	pcm = make([]int16, 3*segmentRate)
	n := copy(pcm[segmentRate:], audio.Tone(700, soft, 200*time.Millisecond, segmentRate))
	n += copy(pcm[segmentRate+n:], audio.Tone(700, 4000, 500*time.Millisecond, segmentRate))
	return pcm, audio.Span{Start: segmentRate, End: segmentRate + n}
}

func TestIdealListenerHearsWhatStandsOut(t *testing.T) {
	t.Parallel()
	noise := make([]int16, 3*segmentRate)
	audio.NewNoise(5).White(noise, -35)
	o := newIdeal(noise)
	for _, tt := range []struct {
		soft  float64
		least int // ms late
		most  int
	}{{2000, 0, 0}, {400, 0, 20}, {4, 120, 200}} {
		clean, span := stepped(tt.soft)
		heard, ok := o.heard(clean, noise, span)
		late := (heard.Start - span.Start) * 1000 / segmentRate
		if !ok || late < tt.least || late > tt.most {
			t.Errorf("a beginning of amplitude %g is heard %d ms late (%v), want %d to %d", tt.soft, late, ok, tt.least, tt.most)
		}
		if early := (span.End - heard.End) * 1000 / segmentRate; early > 10 {
			t.Errorf("a loud end is heard %d ms early, want at most 10", early)
		}
	}
}

func TestIdealListenerHearsAllInSilence(t *testing.T) {
	t.Parallel()
	clean, span := stepped(150)
	quiet := make([]int16, len(clean))
	if heard, ok := newIdeal(quiet).heard(clean, quiet, span); !ok || heard != span {
		t.Errorf("%v is heard of %v, want all of it", heard, span)
	}
}

func TestOutermostNeedsWhatItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		sums []float64
		need float64
		want int
	}{
		{"nothing speaks for any", []float64{-2, -1, -3}, 0, -1},
		{"the greatest sum", []float64{90, 91, 80, 40}, 0, 1},
		{"a guess is enough when nothing is needed", []float64{80.3, 80.2, 80, 40}, 0, 0},
		{"a guess is not enough", []float64{80.3, 80.2, 80, 40}, 3, 2},
		{"little by little it is enough", []float64{84, 82.5, 81, 80, 40}, 3, 0},
		{"too little from the first on", []float64{2, 1, 0.5}, 3, -1},
	} {
		if got := outermost(tt.sums, tt.need); got != tt.want {
			t.Errorf("%s: window %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestIdealListenerIsSureOfWhatStandsOut checks that a beginning that is well hidden by noise can
// be guessed but not heard for sure, and that one that stands out is.
func TestIdealListenerIsSureOfWhatStandsOut(t *testing.T) {
	t.Parallel()
	noise := make([]int16, 3*segmentRate)
	audio.NewNoise(5).White(noise, -35)
	for _, tt := range []struct {
		soft                        float64
		guessed, sureFrom, sureMost float64 // maximum ms late; and the range if it must be sure
	}{{2000, 1, 0, 1}, {400, 1, 0, 20}, {150, 1, 150, 200}} {
		clean, span := stepped(tt.soft)
		sent := &practice.Sent{Rate: segmentRate, PCM: clean}
		for i := range len(clean) / (segmentRate / 50) {
			sent.Left = append(sent.Left, time.Duration(i)*20*time.Millisecond)
		}
		a := &arrival{sent: sent, arrived: *sent, noise: noise, ideal: newIdeal(noise)}
		likeliest, sure := a.late(span)
		if likeliest > tt.guessed || sure < tt.sureFrom || sure > tt.sureMost {
			t.Errorf("a beginning of amplitude %g is guessed %g ms late, he is sure %g ms late, want at most %g, and %g to %g",
				tt.soft, likeliest, sure, tt.guessed, tt.sureFrom, tt.sureMost)
		}
	}
}

func TestCausesOfErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s    sample
		want cause
	}{
		{sample{Truth: 300, Measured: 350}, fine},
		{sample{Truth: 300, Measured: 200}, early},
		{sample{Truth: 300, Measured: 400}, late},
		{sample{Truth: 300, Measured: 400, Bound: 80}, underNoise},
		{sample{Truth: 300, Measured: 400, Bound: 20, Sure: 80}, unsure},
		{sample{Truth: 300, Measured: 400, Bound: 20, Sure: 20}, late},
		{sample{Truth: 300, Measured: 900, Bound: 80}, elsewhere},
		{sample{Missed: true}, elsewhere},
		{sample{Invented: true}, elsewhere},
	} {
		if got := tt.s.why(60); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.s, got, tt.want)
		}
	}
}
