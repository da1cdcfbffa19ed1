package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// wire plays a far end into a receiver: packet n is said at n·20 ms of its clock.
type wire struct {
	r    *Receiver
	tape *leg.Tape
	seq0 uint16
	ts0  uint32
	ssrc uint32
	tone []int16
}

func newWire() *wire {
	w := &wire{r: &Receiver{memory: &Scratch{}}, tape: leg.NewTape(time.Minute), seq0: 65500, ts0: 1<<32 - 5000, ssrc: 1}
	w.tape.Begin(telephoneRate)
	w.r.Init(g711.PCMU(), w.tape, leg.AgentChannel)
	w.tone = audio.Tone(400, 8000, 30*time.Second, telephoneRate)
	return w
}

// send makes packet n arrive at the given time after our answer.
func (w *wire) send(n int, at time.Duration) {
	w.sendSized(n*frameSize, frameSize, uint16(n), at)
}

func (w *wire) sendSized(first, size int, seq uint16, at time.Duration) {
	payload := make([]byte, size)
	audio.EncodeMuLaw(payload, w.tone[first:first+size])
	p := rtp.Packet{Sequence: w.seq0 + seq, Timestamp: w.ts0 + uint32(first), SSRC: w.ssrc, Payload: payload}
	w.r.Audio(p, int64(at)*8/1e6, int64(at))
}

// hear takes the frame at n·20 ms.
func (w *wire) hear(n int) (pcm []int16, missing bool) {
	f := leg.Frame{PCM: make([]int16, frameSize)}
	w.r.Hear(&f, int64(n*frameSize))
	w.r.Settle()
	return f.PCM, f.Missing
}

func (w *wire) finish() (call.LineStats, []int16) {
	var s call.LineStats
	w.r.Finish(&s)
	return s, w.tape.Channel(leg.AgentChannel)
}

const transit = 50 * time.Millisecond

// begin is where the first packet belongs on the tape.
var begin = int(transit * telephoneRate / time.Second)

func firstLoud(pcm []int16) int {
	for i, v := range pcm {
		if v > 100 || v < -100 {
			return i
		}
	}
	return -1
}
