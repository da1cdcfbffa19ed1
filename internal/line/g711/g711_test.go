package g711

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

func TestACodecIsFoundByItsName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Codec{"PCMU": PCMU(), "pcmu": PCMU(), "PCMA": PCMA(), "pcma": PCMA()} {
		if got, ok := Named(name); !ok || got != want {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if got, ok := Named("opus"); ok {
		t.Errorf("opus is %+v, want none", got)
	}
}

// TestWhatIsRecordedIsWhatWasCoded goes through all codes of both laws, on a tape and in pieces
// whose boundaries fall inside them.
func TestWhatIsRecordedIsWhatWasCoded(t *testing.T) {
	t.Parallel()
	for _, codec := range []Codec{PCMU(), PCMA()} {
		codes, want := make([]byte, 3*256), make([]int16, 3*256)
		for i := range codes {
			codes[i] = byte(i)
		}
		codec.Decode(want, codes)
		tape := leg.NewTape(time.Second)
		Prepare(tape)
		tape.Begin(Rate)
		var plain [100]int16
		codec.Record(tape, leg.AgentChannel, FrameSize, codes, plain[:])
		if got := tape.Channel(leg.AgentChannel); !slices.Equal(got[FrameSize:], want) {
			t.Errorf("%s: the recording differs from what came", codec.Name)
		}
		var quiet [1]int16
		if codec.Decode(quiet[:], []byte{codec.Silence()}); quiet[0] > 8 || quiet[0] < -8 {
			t.Errorf("%s: silence sounds like %d", codec.Name, quiet[0])
		}
	}
}
