package room

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// rtpOf builds a packet as it comes from the network.
func rtpOf(seq uint16, stamp uint32, payload []byte) []byte {
	b := make([]byte, 12, 12+len(payload))
	b[0], b[1] = 2<<6, 111
	binary.BigEndian.PutUint16(b[2:], seq)
	binary.BigEndian.PutUint32(b[4:], stamp)
	return append(b, payload...)
}

// spoken returns a second of audio as packets, with a tone from 0.3 to 0.7 s.
func spoken(t testing.TB) [][]byte {
	t.Helper()
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	var packets [][]byte
	var pcm [frameSamples]int16
	for n := range 50 {
		for i := range pcm {
			pcm[i] = 0
			if at := n*frameSamples + i; at >= 4800 && at < 11200 {
				pcm[i] = int16(8000 * math.Sin(2*math.Pi*500*float64(at)/16000))
			}
		}
		var b [maxOpus]byte
		size, err := voice.Encode(b[:], pcm[:])
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, b[:size])
	}
	return packets
}

// hear passes packets through a receiver, in the given order for each frame, and returns the tape
// and the counts.
func hear(order [][]int, packets [][]byte) (*leg.Tape, call.LineStats) {
	tape := leg.NewTape(time.Minute)
	tape.Begin(jitter.WidebandRate)
	var far jitter.Wideband
	far.Init(tape, leg.AgentChannel, newDecoder, opusDelay)
	in := leg.Frame{PCM: make([]int16, frameSamples)}
	for n := range len(packets) + 10 {
		at := time.Duration(n) * leg.FrameTime
		if n < len(order) {
			for _, which := range order[n] {
				far.Receive(rtpOf(uint16(65520+which), uint32(which)*960+4_294_960_000, packets[which]), 1, at)
			}
		}
		in.At = at
		clear(in.PCM)
		far.Hear(&in)
		far.Settle()
	}
	var stats call.LineStats
	far.Finish(time.Duration(len(packets))*leg.FrameTime, true, &stats)
	return tape, stats
}

func extent(pcm []int16) (from, to int) {
	from = -1
	for i, v := range pcm {
		if v > 1500 || v < -1500 {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	return from, to
}

func inOrder(n int) [][]int {
	order := make([][]int, n)
	for i := range order {
		order[i] = []int{i}
	}
	return order
}

func TestSoundStandsWhereItWasSaid(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	swapped := inOrder(len(packets))
	swapped[20], swapped[21] = nil, []int{21, 20}
	silent := inOrder(len(packets))
	for name, order := range map[string][][]int{"in order": silent, "two swapped": swapped} {
		tape, stats := hear(order, packets)
		from, to := extent(tape.Channel(leg.AgentChannel))
		for what, off := range map[string]int{"beginning": from - 4800, "end": to - 11200} {
			if off < -80 || off > 80 {
				t.Errorf("%s: the %s is %.1f ms off", name, what, float64(off)/16)
			}
		}
		if stats.Received != 50 || stats.Lost != 0 {
			t.Errorf("%s: received %d, lost %d", name, stats.Received, stats.Lost)
		}
		if got := tape.Written(leg.AgentChannel); got < 15800 {
			t.Errorf("%s: only %d samples are covered", name, got)
		}
	}
}

func TestLossIsNoSilence(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	lossy := inOrder(len(packets))
	lossy[20], lossy[21], lossy[22] = nil, nil, nil
	tape, stats := hear(lossy, packets)
	if stats.Lost != 3 || stats.Bursts != 1 {
		t.Errorf("lost %d in %d bursts, want 3 in one", stats.Lost, stats.Bursts)
	}
	if got := tape.Written(leg.AgentChannel); got > 16000-3*frameSamples+400 {
		t.Errorf("%d samples are covered though three frames were lost, want at most %d", got, 16000-3*frameSamples+400)
	}
}

func TestSilenceThatIsNotSentIsSilence(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	tape := leg.NewTape(time.Minute)
	tape.Begin(jitter.WidebandRate)
	var far jitter.Wideband
	far.Init(tape, leg.AgentChannel, newDecoder, opusDelay)
	in := leg.Frame{PCM: make([]int16, frameSamples)}
	seq, missing := uint16(0), 0
	for n := range 150 {
		at := time.Duration(n) * leg.FrameTime
		if n < 50 || n >= 100 {
			far.Receive(rtpOf(seq, uint32(n)*960, packets[n%50]), 1, at)
			seq++
		}
		in.At, in.Missing = at, false
		far.Hear(&in)
		if in.Missing {
			missing++
		}
		far.Settle()
	}
	var stats call.LineStats
	far.Finish(3*time.Second, true, &stats)
	if stats.LongestGap > 25*time.Millisecond || stats.LongestGap < 15*time.Millisecond {
		t.Errorf("the longest gap is %v, want that between two packets of sound", stats.LongestGap)
	}
	if stats.Lost != 0 || missing > 16 {
		t.Errorf("lost %d, %d frames missing, want none and at most 16", stats.Lost, missing)
	}
	if got := tape.Written(leg.AgentChannel); got < 47000 {
		t.Errorf("%d of 48000 samples are covered", got)
	}
	if _, to := extent(tape.Channel(leg.AgentChannel)); to < 2*16000+11200-80 || to > 2*16000+11200+80 {
		t.Errorf("the second sound ends %.1f ms off", float64(to-2*16000-11200)/16)
	}
}

// TestJumpingClock checks that a far end's clock may jump: audio is placed when it came, and the
// recording is no longer than the call.
func TestJumpingClock(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	for name, jump := range map[string]uint32{"an hour on": 3600 * 48000, "ten hours on": 36000 * 48000, "half a round": 1 << 31, "an hour back": 1<<32 - 3600*48000, "a second on": 48000} {
		tape := leg.NewTape(time.Hour)
		tape.Begin(jitter.WidebandRate)
		var far jitter.Wideband
		far.Init(tape, leg.AgentChannel, newDecoder, opusDelay)
		in := leg.Frame{PCM: make([]int16, frameSamples)}
		const seconds = 4
		for n := range seconds * 50 {
			stamp := uint32(n) * 960
			if n >= 100 {
				stamp += jump
			}
			in.At = time.Duration(n) * leg.FrameTime
			far.Receive(rtpOf(uint16(n), stamp, packets[n%50]), 1, in.At)
			far.Hear(&in)
			far.Settle()
		}
		var stats call.LineStats
		far.Finish(seconds*time.Second, true, &stats)
		if got := tape.Samples(); got > seconds*jitter.WidebandRate {
			t.Errorf("%s: %.1f s are on the recording of a call of %d s", name, float64(got)/jitter.WidebandRate, seconds)
		}
		pcm := tape.Channel(leg.AgentChannel)
		for _, second := range []int{0, 1, 3} {
			first, last := extent(pcm[second*16000 : min(len(pcm), second*16000+15000)])
			if abs(first-4800) > 16*45 || abs(last-11200) > 16*45 {
				t.Errorf("%s, second %d: the sound stands at %d to %d, want 4800 to 11200", name, second, first, last)
			}
		}
	}
}

// TestClocksDrift checks that an agent's clock may be fast or slow: for minutes, audio stays where
// it was said, and nothing counts as lost.
func TestClocksDrift(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	for _, ppm := range []int64{-200, 200} {
		const seconds = 90
		tape := leg.NewTape(2 * time.Minute)
		tape.Begin(jitter.WidebandRate)
		var far jitter.Wideband
		far.Init(tape, leg.AgentChannel, newDecoder, opusDelay)
		in := leg.Frame{PCM: make([]int16, frameSamples)}
		missing, sent := 0, 0
		for n := range seconds * 50 {
			at := time.Duration(n) * leg.FrameTime
			// Packet k is said at k frames of the agent's own clock.
			for ; ; sent++ {
				said := time.Duration(sent) * leg.FrameTime * time.Duration(1e6-ppm) / 1e6
				if said > at {
					break
				}
				jitter := time.Duration(sent*7919%13) * time.Millisecond
				far.Receive(rtpOf(uint16(sent), uint32(sent)*960, packets[sent%50]), 1, said+jitter)
			}
			in.At, in.Missing = at, false
			far.Hear(&in)
			far.Settle()
			if in.Missing && n > 50 {
				missing++
			}
		}
		var stats call.LineStats
		far.Finish(seconds*time.Second, true, &stats)
		pcm := tape.Channel(leg.AgentChannel)
		for second := 2; second < seconds-2; second++ {
			begun := time.Duration(second) * time.Second * time.Duration(1e6-ppm) / 1e6
			from := int(begun * 16000 / time.Second)
			first, last := extent(pcm[from : from+15000])
			if first < 0 || abs(first-4800) > 16*6 || abs(last-11200) > 16*6 {
				t.Errorf("%d ppm, second %d: the sound stands at %d to %d, want 4800 to 11200", ppm, second, first, last)
				break
			}
		}
		if stats.Lost != 0 || missing > seconds {
			t.Errorf("%d ppm: lost %d, %d frames missing", ppm, stats.Lost, missing)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// FuzzPackets feeds the receiver arbitrary packets, which must not make it fail, grow or take long.
func FuzzPackets(f *testing.F) {
	for _, p := range spoken(f)[14:17] {
		f.Add(rtpOf(7, 960, p), uint16(20))
	}
	f.Add([]byte{2 << 6, 111, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0xff, 0xff}, uint16(1))
	f.Fuzz(func(t *testing.T, b []byte, every uint16) {
		tape := leg.NewTape(10 * time.Second)
		tape.Begin(jitter.WidebandRate)
		var far jitter.Wideband
		far.Init(tape, leg.AgentChannel, newDecoder, opusDelay)
		in := leg.Frame{PCM: make([]int16, frameSamples)}
		size := 12 + int(every)%400
		for n := 0; len(b) > 0 && n < 100; n++ {
			part := b[:min(size, len(b))]
			b = b[len(part):]
			far.Receive(part, uint32(n/10), time.Duration(n)*leg.FrameTime)
			in.At = time.Duration(n) * leg.FrameTime
			far.Hear(&in)
			far.Settle()
		}
		var stats call.LineStats
		far.Finish(2*time.Second, true, &stats)
		if stats.Lost < 0 || tape.Samples() > 10*jitter.WidebandRate {
			t.Errorf("lost %d, %d samples", stats.Lost, tape.Samples())
		}
	})
}

// nowhere discards packets.
type nowhere struct{}

func (nowhere) WriteRTP(*rtp.Packet, *lksdk.SampleWriteOptions) error { return nil }
func (nowhere) IsBound() bool                                         { return true }

// listener is a Party that says nothing.
type listener struct{}

func (listener) Begin(int)               {}
func (listener) Step(_, _ *leg.Frame)    {}
func (listener) End(time.Duration, bool) {}

// TestFramesDoNotAllocate checks that a frame of ours allocates almost nothing: only what the codec
// does.
func TestFramesDoNotAllocate(t *testing.T) {
	packets := spoken(t)
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	pacer := pace.NewPacer(time.Now, 1)
	defer pacer.Close()
	s := newStream(pacer, setup{party: listener{}, tape: leg.NewTape(time.Hour), own: leg.CallerChannel, track: nowhere{}, codec: voice})
	s.lose = func() bool { return false }
	s.tape.Begin(jitter.WidebandRate)
	s.far.Init(s.tape, leg.AgentChannel, newDecoder, opusDelay)
	s.Begin(0)
	n := 0
	b := rtpOf(0, 0, packets[20])
	frame := func() {
		binary.BigEndian.PutUint16(b[2:], uint16(n))
		binary.BigEndian.PutUint32(b[4:], uint32(n)*960)
		s.arrive(b, 1, int64(n)*frameNS)
		s.Tick(int64(n) * frameNS)
		n++
	}
	for range 200 {
		frame()
	}
	if allocs := testing.AllocsPerRun(300, frame); allocs > 1 {
		t.Errorf("%.1f allocations per frame, want at most 1", allocs)
	}
	if s.result.stats.Sent < 500 || !s.far.Started() {
		t.Errorf("sent %d frames, want at least 500, and that the far end is heard", s.result.stats.Sent)
	}
}
