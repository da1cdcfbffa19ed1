package room

import (
	"math"
	"testing"

	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// twice returns speech from an encoder with forward error correction, so that each packet also
// contains the one before.
func twice(t *testing.T) [][]byte {
	t.Helper()
	e, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 48000, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		t.Fatal(err)
	}
	e.SetFEC(true)
	if err := e.SetPacketLoss(20); err != nil {
		t.Fatal(err)
	}
	var packets [][]byte
	pcm := make([]int16, 960)
	for n := range 50 {
		for i := range pcm {
			pcm[i] = 0
			if at := n*len(pcm) + i; at >= 14400 && at < 33600 {
				pcm[i] = int16(8000 * math.Sin(2*math.Pi*500*float64(at)/48000))
			}
		}
		b := make([]byte, maxOpus)
		size, err := e.EncodeInt16(pcm, b)
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, b[:size])
	}
	return packets
}

// TestALostPacketIsRestored checks that a lost packet is restored from the next one, and of two in
// a row the second. They still count as lost, and what cannot be restored is a gap.
func TestALostPacketIsRestored(t *testing.T) {
	t.Parallel()
	order := inOrder(50)
	order[20], order[25], order[29], order[30] = nil, nil, nil, nil
	whole, _ := hear(inOrder(50), twice(t))
	tape, stats := hear(order, twice(t))
	want, got := whole.Channel(leg.AgentChannel), tape.Channel(leg.AgentChannel)
	for frame, restored := range map[int]bool{20: true, 25: true, 29: false, 30: true} {
		var off, power float64
		for i := frame*frameSamples - 60; i < (frame+1)*frameSamples-160; i++ {
			off += math.Pow(float64(got[i])-float64(want[i]), 2)
			power += math.Pow(float64(want[i]), 2)
		}
		if (off < power/10) != restored {
			t.Errorf("frame %d is on the recording: %v, %.1f dB off", frame, !restored, 10*math.Log10(off/power))
		}
	}
	if stats.Lost != 4 || stats.Bursts != 3 {
		t.Errorf("lost %d in %d bursts", stats.Lost, stats.Bursts)
	}
}

// gliding returns a sound whose pitch glides all the time, every 100 ms from one frequency of the
// voice to another.
func gliding(n int) []int16 {
	pcm := make([]int16, n)
	phase := 0.0
	for i := range pcm {
		slot, into := i/1600, float64(i%1600)/1600
		from, to := float64(300+slot*997%2700), float64(300+slot*1709%2700)
		phase += 2 * math.Pi * (from + (to-from)*into) / 16000
		pcm[i] = int16(8000 * math.Sin(phase))
	}
	return pcm
}

// TestWhatFollowsALossIsNearerThanSilence checks that the frames after a loss are closer to what
// was said than silence would be, even without forward error correction: the decoder conceals the
// loss, as every listener's does, instead of taking the next packets for a direct continuation.
func TestWhatFollowsALossIsNearerThanSilence(t *testing.T) {
	t.Parallel()
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	const frames = 500
	pcm := gliding(frames * frameSamples)
	packets, order := make([][]byte, frames), inOrder(frames)
	for n := range packets {
		packets[n] = make([]byte, maxOpus)
		size, err := voice.Encode(packets[n], pcm[n*frameSamples:(n+1)*frameSamples])
		if err != nil {
			t.Fatal(err)
		}
		packets[n] = packets[n][:size]
		if n%25 == 24 {
			order[n] = nil
		}
	}
	whole, _ := hear(inOrder(frames), packets)
	tape, _ := hear(order, packets)
	want, got := whole.Channel(leg.AgentChannel), tape.Channel(leg.AgentChannel)
	var off, power float64
	for n := 25; n < frames; n += 25 {
		for i := n * frameSamples; i < (n+1)*frameSamples-160; i++ {
			off += math.Pow(float64(got[i])-float64(want[i]), 2)
			power += math.Pow(float64(want[i]), 2)
		}
	}
	if off > power/1.5 {
		t.Errorf("the frames after those that are lost are %.1f dB off", 10*math.Log10(off/power))
	}
}

// TestWhatIsToldAgainMayBeAnything checks that arbitrary forward error correction data is decoded
// without failing, and within the space there is.
func TestWhatIsToldAgainMayBeAnything(t *testing.T) {
	t.Parallel()
	good := twice(t)
	d := newDecoder()
	pcm := make([]int16, longestOpus)
	for i := range 20000 {
		p := append([]byte(nil), good[i%len(good)]...)
		p = p[:1+i*7919%len(p)]
		for k := range 1 + i%4 {
			p[(i*31+k*17)%len(p)] = byte(i*131 + k*29)
		}
		if n := d.Before(pcm, p, i%(longestOpus+1)); n < 0 || n > len(pcm) {
			t.Fatalf("%d samples of %x", n, p)
		}
		_, _ = d.Decode(pcm, p)
	}
	if d.Before(pcm, nil, frameSamples) != 0 {
		t.Error("an empty packet tells of the one before it")
	}
}
