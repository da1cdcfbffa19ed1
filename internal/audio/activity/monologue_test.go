package activity

import (
	"path/filepath"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// TestNobodyIsSilentWhoTalksOn plays somebody who greets, is silent, and then talks to the end of
// the recording almost without pauses. All of that is speech, although there is almost no silence
// nearby to compare it with.
func TestNobodyIsSilentWhoTalksOn(t *testing.T) {
	t.Parallel()
	const line = "Before we go on, let me tell you that our clinic is open to everybody, that we have many good doctors, and that all of our visitors are very happy with what we do for them. "
	for _, voice := range []string{"rms", "slt", "awb", "kal16"} {
		said, err := say(filepath.Join(t.TempDir(), "line.wav"), voice, line+line+"Thank you for calling. Goodbye.", 8000)
		if err != nil {
			t.Fatalf("flite does not speak (make setup installs it): %v", err)
		}
		first, last, _ := audio.Clip{PCM: said, Rate: 8000}.Audible()
		talk := said[first:last]
		pcm := make([]int16, 3*8000, 40*8000)
		pcm = append(append(pcm, talk[:2*8000]...), make([]int16, 2*8000)...)
		from := len(pcm)
		pcm = append(pcm, talk...)
		coded := make([]byte, len(pcm))
		audio.EncodeMuLaw(coded, pcm)
		audio.DecodeMuLaw(pcm, coded)
		speech, gap, end := 0, 0, from
		for _, s := range Segments(pcm, 8000) {
			if s.End <= from {
				continue
			}
			speech += s.End - max(s.Start, from)
			gap = max(gap, s.Start-end)
			end = s.End
		}
		if gap = max(gap, len(pcm)-end); gap > 8000/2 || speech < len(talk)*85/100 {
			t.Errorf("%s: %.1f of %.1f s are speech, with a gap of %.2f s", voice, float64(speech)/8000, float64(len(talk))/8000, float64(gap)/8000)
		}
	}
}
