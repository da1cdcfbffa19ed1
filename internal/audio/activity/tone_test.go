package activity

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// wave is one sine wave of a tone.
type wave struct{ hz, amplitude float64 }

// progressTones are call progress tones as countries have them (ITU-T E.180, supplement 2).
func progressTones() map[string][]wave {
	return map[string][]wave{
		"425": {{425, 3000}}, "400": {{400, 3000}}, "450, soft": {{450, 200}},
		"440 + 480": {{440, 3000}, {480, 3000}}, "400 + 450": {{400, 3000}, {450, 3000}}, "413 + 438": {{413, 3000}, {438, 3000}},
		"480 + 620": {{480, 3000}, {620, 3000}}, "400 × 16": {{400, 3000}, {384, 1500}, {416, 1500}}, "425 × 25": {{425, 3000}, {400, 1500}, {450, 1500}},
	}
}

// sound returns d of the sum of waves.
func sound(waves []wave, d time.Duration, rate int) []int16 {
	pcm := audio.Silence(d, rate)
	for k, w := range waves {
		for i := range pcm {
			pcm[i] += int16(w.amplitude * math.Sin(2*math.Pi*w.hz*float64(i)/float64(rate)+float64(k)))
		}
	}
	return pcm
}

// TestRingingIsNoSpeech has a line ring three times, the first time for what is left of it after the answer, before somebody speaks.
func TestRingingIsNoSpeech(t *testing.T) {
	t.Parallel()
	for name, waves := range progressTones() {
		for _, rate := range []int{8000, 16000, 44100} {
			for _, snr := range []float64{0, 20} {
				t.Run(fmt.Sprintf("%s at %d Hz, %v dB", name, rate, snr), func(t *testing.T) {
					t.Parallel()
					pcm := audio.Silence(9*time.Second, rate)
					copy(pcm, sound(waves, 190*time.Millisecond, rate))
					copy(pcm[rate+rate/77:], sound(waves, time.Second, rate))
					copy(pcm[3*rate+rate/99:], sound(waves, 2*time.Second, rate))
					speech := 6 * rate
					p := planted{pcm: pcm, truth: []audio.Span{{Start: 4 * rate, End: 5 * rate}}}
					for _, burst := range bursts(5, rate)[:2] {
						copy(pcm[speech:], burst)
					}
					heard := p.overPhone(snr, false)
					for _, s := range Segments(heard, rate) {
						if s.Start < speech-rate/10 {
							t.Errorf("speech from %.3f to %.3f s; nobody speaks before %d s", float64(s.Start)/float64(rate), float64(s.End)/float64(rate), speech/rate)
						}
					}
					live := New(rate)
					for at := 0; at+rate/50 <= len(heard); at += rate / 50 {
						if live.Step(heard[at:at+rate/50]) && at < speech-rate/10 {
							t.Fatalf("speech is heard live at %.2f s", float64(at)/float64(rate))
						}
					}
				})
			}
		}
	}
}

// TestACutOffToneIsNoSpeech has the recording begin with what is left of a ringing tone, and end with the first of a busy tone, where
// both are too short to be told from a vowel by themselves.
func TestACutOffToneIsNoSpeech(t *testing.T) {
	t.Parallel()
	const rate, speech = 8000, 12000
	for name, waves := range progressTones() {
		for _, snr := range []float64{0, 20} {
			if name == "450, soft" && snr > 0 {
				continue // which would be softer than the noise
			}
			t.Run(fmt.Sprintf("%s, %v dB", name, snr), func(t *testing.T) {
				t.Parallel()
				for ms := 46; ms < 190; ms += 26 {
					left := sound(waves, time.Duration(ms)*time.Millisecond, rate)
					pcm := audio.Silence(4*time.Second, rate)
					copy(pcm, left)
					copy(pcm[len(pcm)-len(left):], left)
					p := planted{pcm: pcm, truth: []audio.Span{{Start: speech, End: speech + rate/2}}}
					copy(pcm[speech:], bursts(5, rate)[0])
					heard := Segments(p.overPhone(snr, false), rate)
					if len(heard) == 0 || heard[0].Start < speech-rate/10 || heard[len(heard)-1].End > len(pcm)-rate/2 {
						t.Errorf("with a tone of %d ms at either end, speech is heard at %v; there is none before %d", ms, heard, speech)
					}
				}
			})
		}
	}
}

// TestAWordAtTheBeginningIsSpeech checks that a recording may begin, and end, with a short word.
func TestAWordAtTheBeginningIsSpeech(t *testing.T) {
	t.Parallel()
	const rate = 8000
	pcm := audio.Silence(3*time.Second, rate)
	word := bursts(5, rate)[0][:rate/8]
	copy(pcm, word)
	copy(pcm[len(pcm)-len(word):], word)
	if heard := Segments(pcm, rate); len(heard) != 2 {
		t.Errorf("speech is heard at %v, want it at both ends", heard)
	}
}

// TestAToneBeginsAnywhereInAFrame has a line ring again and again, beginning anywhere in a frame, with its waves wherever they are then.
func TestAToneBeginsAnywhereInAFrame(t *testing.T) {
	t.Parallel()
	const rate, frame, half = 8000, 160, 4013
	for name, waves := range progressTones() {
		for at := range frame {
			pcm := append(make([]int16, at), sound(waves, 10*time.Second, rate)...)
			for i := at; i < len(pcm); i += 2 * half {
				clear(pcm[i:min(i+half, len(pcm))])
			}
			live := New(rate)
			for i := 0; i+frame <= len(pcm); i += frame {
				if live.Step(pcm[i : i+frame]) {
					t.Errorf("%s, %d samples later: speech is heard live at %.2f s", name, at, float64(i)/rate)
					break
				}
			}
		}
	}
}

// TestAToneEnds checks that a tone is over when the line is silent, whether that is a hiss or nothing at all.
func TestAToneEnds(t *testing.T) {
	t.Parallel()
	const rate, frame = 8000, 160
	for _, hiss := range []float64{0, -60} {
		pcm := append(sound(progressTones()["425"], time.Second, rate), audio.Silence(time.Second, rate)...)
		if hiss != 0 {
			audio.NewNoise(1).White(pcm[rate:], hiss)
		}
		live := New(rate)
		for at := 0; at+frame <= len(pcm); at += frame {
			live.Step(pcm[at : at+frame])
			if at == rate-frame && !live.Tone() || at == rate+2*frame && live.Tone() {
				t.Errorf("with a hiss of %v dBFS, at %d ms it is %v that there is a tone", hiss, at/8, live.Tone())
			}
		}
	}
}

// TestWhoSpeaksAfterAToneIsHeard lets an agent speak 60 ms after a tone has ended, which is less than what parts two segments.
func TestWhoSpeaksAfterAToneIsHeard(t *testing.T) {
	t.Parallel()
	const rate = 8000
	word := bursts(5, rate)[0]
	pcm := audio.Silence(6*time.Second, rate)
	begun := rate*3/2 + rate*60/1000 + 11
	copy(pcm[rate/2:], sound(progressTones()["440 + 480"], time.Second, rate))
	copy(pcm[begun:], word)
	got := Segments(pcm, rate)
	alone := audio.Silence(6*time.Second, rate)
	copy(alone[begun:], word)
	want := Segments(alone, rate)
	if len(got) != len(want) || abs(got[0].Start-want[0].Start) > rate/1000 || got[0].End != want[0].End {
		t.Errorf("%v with a tone before, %v without", got, want)
	}
	live, first := New(rate), -1
	for at := 0; at+rate/50 <= len(pcm); at += rate / 50 {
		if live.Step(pcm[at:at+rate/50]) && first < 0 {
			first = at
		}
	}
	if first < begun-rate/50 || first > begun+rate/10 {
		t.Errorf("speech is heard live at sample %d; it begins at %d", first, begun)
	}
}

// TestALostPacketDoesNotMakeAToneSpeech takes frames out of a tone, and a part of one, so that its phase jumps.
func TestALostPacketDoesNotMakeAToneSpeech(t *testing.T) {
	t.Parallel()
	const rate = 8000
	ring := sound(progressTones()["425"], 4*time.Second, rate)
	clear(ring[rate : rate+rate/50])
	ring = append(ring[:2*rate], ring[2*rate+37:]...)
	pcm := append(audio.Silence(time.Second, rate), ring...)
	pcm = append(pcm, audio.Silence(time.Second, rate)...)
	for _, s := range Segments(pcm, rate) {
		t.Errorf("speech from %d to %d", s.Start, s.End)
	}
}

// TestAVowelIsNoTone hums with a voice that has all its energy where tones have it, but whose pitch moves as that of any voice does.
func TestAVowelIsNoTone(t *testing.T) {
	t.Parallel()
	const rate = 8000
	for _, moves := range []float64{0.01, 0.02, 0.05} {
		pcm := audio.Silence(3*time.Second, rate)
		phase := 0.0
		for i := range rate / 2 {
			at := float64(i) / rate
			phase += 2 * math.Pi * 200 * (1 + moves*math.Sin(2*math.Pi*5*at)) / rate
			pcm[rate+i] = int16(3000*math.Sin(2*phase) + 1500*math.Sin(3*phase+1))
		}
		got := Segments(pcm, rate)
		if len(got) != 1 || abs(got[0].Start-rate) > rate/500 || abs(got[0].End-rate*3/2) > rate/500 {
			t.Errorf("a voice whose pitch moves by %v: %v", moves, got)
		}
	}
}

// TestOtherTonesAreSound holds what is told of tones beyond those of call progress: keys and beeps count as before.
func TestOtherTonesAreSound(t *testing.T) {
	t.Parallel()
	const rate = 8000
	for _, waves := range [][]wave{{{1000, 4000}}, {{770, 4000}, {1336, 4000}}, {{300, 4000}}} {
		pcm := audio.Silence(2*time.Second, rate)
		copy(pcm[rate:], sound(waves, 300*time.Millisecond, rate))
		if got := Segments(pcm, rate); len(got) != 1 {
			t.Errorf("%v: %v", waves, got)
		}
	}
}
