package jitter

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestChangingLawsIsRecordedAsItCame makes the far end change from one law of G.711 to the other
// and back in mid-sentence.
func TestChangingLawsIsRecordedAsItCame(t *testing.T) {
	t.Parallel()
	w := newWire()
	const packets = 400
	var want []int16
	for n := range packets {
		law := g711.PCMU()
		if n/70%2 == 1 {
			law = g711.PCMA()
		}
		payload, pcm := make([]byte, frameSize), make([]int16, frameSize)
		law.Encode(payload, w.tone[n*frameSize:(n+1)*frameSize])
		law.Decode(pcm, payload)
		want = append(want, pcm...)
		at := time.Duration(n)*20*time.Millisecond + transit
		w.r.Audio(rtp.Packet{Type: law.Type, Sequence: w.seq0 + uint16(n), Timestamp: w.ts0 + uint32(n*frameSize), SSRC: w.ssrc, Payload: payload},
			int64(at)*8/1e6, int64(at))
		heard, missing := w.hear(n)
		if from := n*frameSize - begin - startDelay; from >= 0 {
			if missing {
				t.Fatalf("frame %d was missing", n)
			}
			for i, v := range heard {
				// One quantisation step of the laws, for samples that were waiting during the
				// change.
				if d := v - want[from+i]; d > 512 || d < -512 {
					t.Fatalf("frame %d: sample %d is heard as %d, not %d", n, i, v, want[from+i])
				}
			}
		}
	}
	_, pcm := w.finish()
	if !slices.Equal(pcm[begin:], want) {
		t.Error("the recording differs from what was sent")
	}
}

func TestRingTranslatesBetweenLaws(t *testing.T) {
	t.Parallel()
	r := ring{law: g711.PCMU()}
	codes, before, after := make([]byte, 256), make([]int16, 256), make([]int16, 256)
	for i := range codes {
		codes[i] = byte(i)
	}
	r.put(ringSamples-100, codes)
	r.get(ringSamples-100, before)
	r.translate(g711.PCMA())
	r.get(ringSamples-100, after)
	for i := range before {
		d, v := after[i]-before[i], max(before[i], -before[i])
		if d = max(d, -d); d > v/16+16 {
			t.Errorf("%d became %d", before[i], after[i])
		}
	}
	if r.law != g711.PCMA() || !r.whole(ringSamples-100, ringSamples+156) {
		t.Error("the ring lost its samples with its law")
	}
}
