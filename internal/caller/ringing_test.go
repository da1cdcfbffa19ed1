package caller

import (
	"math"
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestALostPacketOfATone has the line be busy for eight tones, which begin anywhere in a frame. Of the last one a packet is lost,
// where it cannot be told from a vowel yet.
func TestALostPacketOfATone(t *testing.T) {
	t.Parallel()
	const rate, frame, half = 8000, 160, 4000
	for test := range 12 * 16 {
		lost, at := test%12, test/12*10
		var a agent
		a.begin(rate)
		for i := 0; i < 16*half; i += frame {
			in := leg.Frame{PCM: make([]int16, frame), Missing: i == 15*half+lost*frame}
			for k := range in.PCM {
				if n := i + k - at; n > 0 && n/half%2 == 1 && !in.Missing {
					in.PCM[k] = int16(3000*math.Sin(2*math.Pi*480*float64(n)/rate) + 3000*math.Sin(2*math.Pi*620*float64(n)/rate+1))
				}
			}
			if a.hear(&in) {
				t.Errorf("without frame %d of a tone, which is %d samples late, speech is heard after %d ms", lost, at, i*1000/rate)
				break
			}
		}
	}
}
