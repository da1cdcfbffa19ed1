package telephone

import (
	"math"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// attentive is a Party that listens as a caller does: what is missing for a moment is passed over.
type attentive struct {
	quietParty

	ears    *activity.Detector
	missing int
	spoken  int // frames with speech
}

func (p *attentive) Step(in, _ *leg.Frame) {
	if p.missing++; !in.Missing {
		p.missing = 0
	}
	if (p.missing == 0 || p.missing > 3) && p.ears.Step(in.PCM) {
		p.spoken++
	}
}

// TestTheLastOfTheRingingIsNoSpeech has a line ring on for a moment after the answer, and then be silent: at once or after a
// gap, by the same source or another. A caller that took the end of it for a word would answer before anybody has spoken.
func TestTheLastOfTheRingingIsNoSpeech(t *testing.T) {
	t.Parallel()
	const turn, ms = int64(1e9), int64(1e6)
	for _, waves := range [][]float64{{440, 480}, {425}, {400, 450}} {
		for left := 20 * ms; left <= 300*ms; left += 10 * ms {
			for _, gap := range []int64{0, 20 * ms, 100 * ms} {
				for _, source := range []uint32{7, 9} {
					e, p := newEars(), &attentive{ears: activity.New(g711.Rate)}
					e.setup.Remote, e.early = e.from, &early{since: turn}
					e.starts(t, p, turn)
					for n, at := 0, turn-20*frameNS; at < turn+1e9; n, at = n+1, at+frameNS {
						e.now = at + 3*ms
						pcm := make([]int16, frameSize)
						for i := range pcm {
							if at-turn+int64(i)*frameNS/frameSize < left {
								pcm[i] = ringing(waves, n*frameSize+i)
							}
						}
						switch since := at - turn; {
						case since < left:
							e.hearsPCM(9, n, pcm)
						case since >= left+gap:
							e.hearsPCM(source, n, pcm)
						}
						if at >= turn {
							e.tick(at + 5*ms)
						}
					}
					if p.spoken > 0 {
						t.Errorf("%v Hz for %d ms, then nothing for %d ms and source %d: %d frames are taken for speech", waves, left/ms, gap/ms, source, p.spoken)
					}
				}
			}
		}
	}
}

func ringing(waves []float64, i int) int16 {
	sum := 0.0
	for _, hz := range waves {
		sum += 4000 * math.Sin(2*math.Pi*hz*float64(i)/g711.Rate)
	}
	return int16(sum)
}

// hearsPCM receives the n-th packet of 20 ms of a source.
func (e *ears) hearsPCM(source uint32, n int, pcm []int16) {
	b := make([]byte, rtp.HeaderSize+len(pcm))
	rtp.WriteHeader(b, rtp.Packet{Sequence: uint16(n), Timestamp: uint32(n * len(pcm)), SSRC: source})
	audio.EncodeMuLaw(b[rtp.HeaderSize:], pcm)
	e.receive(b, e.from, e.now)
}
