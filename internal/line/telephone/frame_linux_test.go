package telephone

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/udp"
	"github.com/ringtrue/ringtrue/internal/rtp"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// hum is a mouth that knows one sound.
type hum struct{}

func (hum) Say(_ context.Context, _ scenario.Persona, _, text string) (audio.Clip, error) {
	return audio.Clip{PCM: noise(uint64(len(text)), 12000), Rate: g711.Rate}, nil
}

func noise(seed uint64, n int) []int16 {
	rng := rand.New(rand.NewPCG(seed, 1))
	pcm := make([]int16, n)
	for i := range pcm {
		pcm[i] = int16(rng.IntN(8000) - 4000)
	}
	return pcm
}

// chatter is the far end of a call: it speaks for two seconds of every five.
type chatter struct {
	sock *udp.Pair
	to   netip.AddrPort
	seq  uint16
	seed int
}

func (f *chatter) send(said [][]byte) {
	at := (int(f.seq) + f.seed) % 250
	var packet [rtp.HeaderSize + frameSize]byte
	rtp.WriteHeader(packet[:], rtp.Packet{Sequence: f.seq, Timestamp: uint32(f.seq) * frameSize, SSRC: 7})
	if at < 100 {
		copy(packet[rtp.HeaderSize:], said[at])
	} else {
		for i := range frameSize {
			packet[rtp.HeaderSize+i] = audio.SilenceMuLaw
		}
	}
	f.sock.Send(packet[:], f.to)
	f.seq++
}

// BenchmarkFrame measures the cost per call of a frame of a thousand callers, in virtual time. It
// is for comparing implementations with each other, not for predicting the load.
func BenchmarkFrame(b *testing.B) {
	const calls = 1000
	m, h := byHand()
	here := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	steps := slices.Repeat([]scenario.Step{{WaitForAgent: &scenario.WaitForAgent{}}, {Say: "a line"}}, 2000)
	item := scenario.Item{Input: scenario.Input{Script: steps, Limits: scenario.Limits{MaxDurationMS: 1 << 30}}}
	lines, err := caller.Prepare(context.Background(), hum{}, caller.NewCache(0), item)
	if err != nil {
		b.Fatal(err)
	}
	var far []*chatter
	for i := range calls {
		s, err := m.Open()
		if err != nil {
			b.Fatal(err)
		}
		raw, err := udp.Open(here, 0)
		if err != nil {
			b.Fatal(err)
		}
		to := netip.AddrPortFrom(here, s.LocalPort())
		raw.Settle(to)
		p, err := caller.New(caller.Options{Item: item, Seed: uint64(i), Lines: lines})
		if err != nil {
			b.Fatal(err)
		}
		far = append(far, &chatter{sock: raw, to: to, seed: i * 37})
		s.Start(Setup{Codec: g711.PCMU(), Party: p, Remote: netip.AddrPortFrom(here, raw.Port()), Tape: leg.NewTape(time.Hour)})
	}
	h.takeIn(h.slot())
	var said [][]byte
	pcm := noise(3, 100*frameSize)
	for at := 0; at < len(pcm); at += frameSize {
		code := make([]byte, frameSize)
		audio.EncodeMuLaw(code, pcm[at:at+frameSize])
		said = append(said, code)
	}
	var took []float64
	var empty udp.Mail
	empty.Init()
	for b.Loop() {
		for _, f := range far {
			f.send(said)
			empty.Receive(f.sock.RTP, udp.Batch)
		}
		begun := time.Now()
		h.frame()
		took = append(took, float64(time.Since(begun).Nanoseconds())/calls)
	}
	slices.Sort(took)
	took = took[:len(took)*9/10] // the others were disturbed by the machine
	sum := 0.0
	for _, ns := range took {
		sum += ns
	}
	b.ReportMetric(sum/float64(len(took)), "ns/call")
	for _, f := range far {
		f.sock.Close()
	}
	h.stop()
	h.takeIn(h.slot())
}
