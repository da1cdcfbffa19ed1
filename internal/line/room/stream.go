package room

import (
	"crypto/rand"
	"encoding/binary"
	"math"
	"sync/atomic"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"
	pion "github.com/pion/rtp"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

const (
	frameNS      = int64(leg.FrameTime)
	frameSamples = jitter.WidebandRate / 50
	lateNS       = int64(5 * time.Millisecond)
	gapNS        = int64(200 * time.Millisecond)
	catchUp      = 3 // frames still sent after a delay; more are missed
	maxTimeline  = 2000
)

// track is the destination of our packets.
type track interface {
	WriteRTP(p *pion.Packet, o *lksdk.SampleWriteOptions) error
	// IsBound is false while a lost connection is made anew, when packets go nowhere and no error says so.
	IsBound() bool
}

// setup is what a stream needs to begin.
type setup struct {
	party leg.Party
	tape  *leg.Tape
	// own is the channel of the Party's voice; the other one is the far end's.
	own         int
	maxDuration time.Duration
	// mediaTimeout is how long the far end may send nothing at all from the beginning, 0 for no limit.
	mediaTimeout time.Duration
	loss         loss.Model
	track        track
	codec        codec
	// pressed is called with the keys that the Party presses.
	pressed func(keys string)
}

// stream is the media of one call in a room. It steps its Party by the Pacer's schedule, sends
// what it says and places what arrives. The Pacer's thread runs it; the methods under "from
// elsewhere" may be called from any goroutine.
type stream struct {
	setup
	pacer *pace.Pacer
	done  chan struct{}

	zero, next int64
	far        jitter.Wideband
	in, out    leg.Frame
	heard      [frameSamples]int16
	said       [frameSamples]int16
	packet     pion.Packet
	payload    [maxOpus]byte
	stamp0     uint32
	lose       func() bool
	lastHeard  int64
	present    bool
	muted      bool
	openAt     int64 // when the far end's microphone was unmuted, the beginning if it always was
	result     result

	// lead is the number of frames before both sides heard each other.
	lead int64
	// asked is when the far end's audio was requested, before which nothing can have been sent
	// here; 0 if unknown.
	asked   int64
	early   early
	waiting []arrival // arrived but not yet taken in
	started atomic.Bool
	inbox   inbox

	remoteLost losses[uint32] // by the server's count, of each source (SSRC) that we have been to it
	unheard    losses[string] // by the far end's, of each stay
	unbound    int64          // sent while the track was not bound, and in nobody's count
	roundTrip  atomic.Int64
}

// Who ended a call, from the point of view of this end.
const (
	byParty = "party"
	byFar   = "far"
	byLine  = "line"
)

// ending is why a stream is to end.
type ending struct {
	why call.EndReason
	by  string // byParty, byFar or byLine
}

// result is the outcome of a stream.
type result struct {
	ending
	zero     time.Time
	length   time.Duration
	stats    call.LineStats
	timeline []call.Event
}

func newStream(pacer *pace.Pacer, to setup) *stream {
	s := &stream{setup: to, pacer: pacer, done: make(chan struct{}), present: true}
	if s.tape == nil {
		s.tape = leg.NewTape(0)
	}
	return s
}

// start begins the call's media. Media time zero is the next moment of the schedule, or when the
// far end was first heard to speak, if that was earlier.
func (s *stream) start() {
	var seed [14]byte
	_, _ = rand.Read(seed[:]) // never fails (package crypto/rand)
	s.packet.Version = 2
	s.packet.SequenceNumber = binary.BigEndian.Uint16(seed[:]) >> 1
	s.stamp0 = binary.BigEndian.Uint32(seed[2:])
	s.lose = s.loss.Begin(binary.BigEndian.Uint64(seed[6:])).Next
	s.tape.Begin(jitter.WidebandRate)
	s.far.Init(s.tape, 1-s.own, newDecoder, opusDelay)
	s.result.timeline = make([]call.Event, 0, 32)
	s.pacer.Add(s)
}

// From elsewhere.

// arrive accepts a packet of a track.
func (s *stream) arrive(b []byte, source uint32, ns int64) {
	if s.started.Load() || !s.early.keep(b, source, ns) {
		s.inbox.arrive(b, source, ns)
	}
}

// stop ends the stream at the next frame.
func (s *stream) stop(e ending) {
	s.inbox.order(func(o *orders) {
		if o.stop == nil {
			o.stop = &e
		}
	})
}

// note puts an event on the timeline at the next frame.
func (s *stream) note(kind call.Kind, text string, data map[string]any) {
	s.inbox.order(func(o *orders) {
		if len(o.notes) < kind.Room(maxNotes) {
			o.notes = append(o.notes, call.Event{Kind: kind, Text: text, Data: data})
		}
	})
}

// press accepts a key that the far end pressed.
func (s *stream) press(key string) {
	s.inbox.order(func(o *orders) {
		if len(o.keys) < maxKeys {
			o.keys += key
		}
	})
}

// Halt implements pace.Paced.
func (s *stream) Halt() { s.stop(ending{call.EndOf(call.EndInterrupted, "canceled"), byLine}) }

// Called by the Pacer.

// Begin implements pace.Paced.
func (s *stream) Begin(zero int64) {
	s.zero, s.lastHeard, s.openAt = zero, zero, zero
	s.result.zero = s.pacer.Wall(zero)
	s.party.Begin(jitter.WidebandRate)
}

// Tick implements pace.Paced.
func (s *stream) Tick(now int64) (over bool) {
	s.result.stats.ReceiveLateMax = max(s.result.stats.ReceiveLateMax, s.pacer.Behind(now))
	if !s.started.Load() && s.open(now) || s.takeIn() {
		return true
	}
	due := (now-s.zero)/frameNS + 1 - s.next
	for ; due > 0; due-- {
		if s.step(now, due > catchUp) {
			return true
		}
	}
	if t := int64(s.mediaTimeout); t > 0 && !s.far.Started() && !s.muted && now-s.openAt > t {
		return s.end(ending{call.EndOf(call.EndMediaLost, "no audio ever arrived: the agent published a microphone but sent nothing, or nothing in Opus"), byLine})
	}
	return false
}

// takeIn processes what has arrived since the last frame.
func (s *stream) takeIn() (over bool) {
	if len(s.waiting) == 0 {
		s.waiting = s.inbox.empty()
	}
	s.waiting = s.recall(s.waiting, inboxTurn, math.MaxInt64)
	o := s.inbox.ordered()
	return o.some && s.obey(o)
}

// recall processes packets that arrived before a time (ns), at most so many packets or frames in them, and none
// to be heard much later. It returns the rest.
func (s *stream) recall(came []arrival, most int, until int64) []arrival {
	last := s.far.Frames() + most
	for ; len(came) > 0 && most > 0 && s.far.Frames() < last && came[0].ns < until && !s.far.Full(time.Duration(s.next*frameNS)); most-- {
		s.receive(came[0].b, came[0].source, came[0].ns)
		came = came[1:]
	}
	return came
}

func (s *stream) receive(b []byte, source uint32, ns int64) {
	first := !s.far.Started()
	sound, meant := s.far.Receive(b, source, time.Duration(ns-s.zero))
	if !sound {
		return
	}
	if first && s.far.Started() {
		s.mark(call.KindFirstPacket, "", nil)
	} else if gap := ns - s.lastHeard; !first && gap > gapNS && !meant {
		s.mark(call.KindMediaGap, "", map[string]any{"ms": gap / int64(time.Millisecond)})
	}
	s.lastHeard = max(s.lastHeard, ns)
}

func (s *stream) obey(o orders) (over bool) {
	for _, e := range o.notes {
		s.mark(e.Kind, e.Text, e.Data)
	}
	for i := range len(o.keys) {
		s.mark(call.KindDigitReceived, "", map[string]any{"digit": o.keys[i : i+1]})
	}
	s.in.Digits += o.keys
	if o.mute != 0 {
		if s.muted = o.mute > 0; !s.muted {
			s.openAt = s.zero + s.next*frameNS
		}
		s.far.Mute(s.muted)
	}
	if o.away != 0 {
		s.present = o.away < 0
	}
	return o.stop != nil && s.end(*o.stop)
}

// step advances by 20 ms: hear, think, speak.
func (s *stream) step(now int64, missed bool) (over bool) {
	at := time.Duration(s.next * frameNS)
	clear(s.heard[:])
	clear(s.said[:])
	s.in = leg.Frame{At: at, PCM: s.heard[:], Digits: s.in.Digits, Early: s.next < s.lead}
	s.out = leg.Frame{At: at, PCM: s.said[:]}
	s.far.Hear(&s.in)
	s.party.Step(&s.in, &s.out)
	s.in.Digits = ""
	if s.in.Early {
		clear(s.said[:]) // nobody can hear it
	}
	s.speak(now, missed)
	s.far.Settle()
	if s.out.Digits != "" {
		s.pressKeys()
	}
	s.next++
	if s.out.HangUp {
		return s.end(ending{by: byParty})
	}
	if m := s.maxDuration; m > 0 && at+leg.FrameTime >= m {
		return s.end(ending{call.EndOf(call.EndMaxDuration, ""), byLine})
	}
	return false
}

func (s *stream) end(e ending) bool {
	s.result.ending = e
	return true
}

// Finish implements pace.Paced.
func (s *stream) Finish() {
	s.takeInRest()
	s.flush()
	r := &s.result
	r.length = time.Duration(s.next * frameNS)
	s.far.Finish(r.length, s.present, &r.stats)
	r.stats.Early = time.Duration(s.lead * frameNS)
	r.stats.RemoteLost = s.lost()
	r.stats.RoundTrip = time.Duration(s.roundTrip.Load())
	if n := s.far.Broken(); n > 0 {
		s.mark(call.KindUndecodable, "", map[string]any{"packets": n})
	}
	s.party.End(r.length, r.by == byFar)
	close(s.done)
}

// lost returns how many of our packets the far end has lost, -1 if unknown. What the server did not receive never reached
// the far end, which counts it as well. A count larger than the number of packets sent is an error of the far end. Neither
// knows of what was sent between two connections: each counts from the first packet that it receives on one.
func (s *stream) lost() int64 {
	lost := s.remoteLost.all()
	if n := s.unheard.all(); n > 0 && n <= s.result.stats.Sent {
		lost = max(lost, n)
	}
	if s.unbound > 0 {
		lost = max(lost, 0) + s.unbound
	}
	return lost
}

// takeInRest processes what arrived before the end, except what was still waiting for its time.
func (s *stream) takeInRest() {
	end := s.result.ending
	if s.waiting = s.recall(s.waiting, inboxTurn, math.MaxInt64); len(s.waiting) == 0 {
		s.recall(s.inbox.empty(), inboxTurn, math.MaxInt64) // what has arrived meanwhile
	}
	s.obey(s.inbox.ordered())
	s.result.ending = end
}

// mark adds an event at the current media time.
func (s *stream) mark(kind call.Kind, text string, data map[string]any) {
	if len(s.result.timeline) < kind.Room(maxTimeline) {
		s.result.timeline = append(s.result.timeline,
			call.Event{At: time.Duration(s.next * frameNS), Kind: kind, Text: text, Data: data})
	}
}
