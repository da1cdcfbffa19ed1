package telephone

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/keys"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The timing of a stream in engine time (ns).
const (
	frameNS     = int64(leg.FrameTime)
	frameSize   = g711.FrameSize // samples
	lateNS      = int64(5 * time.Millisecond)
	reportNS    = int64(5 * time.Second)
	gapNS       = int64(200 * time.Millisecond)
	catchUp     = 6   // frames still sent after a delay; more are missed
	floodBound  = 256 // packets of one stream in one turn: a hundred times the agreed rate, and as much again after a delay
	maxTimeline = 2000
)

// Stream is the media of one call. It steps its Party by an absolute schedule, sends what it says and
// places what arrives. One thread runs it at a time; only the exported methods may be called from others.
type Stream struct {
	media *Media
	sock  socket
	done  chan struct{}

	// The fields needed in every turn are together, so that they share cache lines.
	memory     *scratch
	zero, next int64
	lastHeard  int64
	quietFor   int64 // how long (ns) nothing need come after the newest packet: for twice its sound, or as long as it likes
	reportAt   int64
	nDigits    int
	strangers  *strangers
	latched    bool // remote is not the agreed address
	astray     bool // nothing came from remote for a while: the source may be found elsewhere
	sawRemote  bool // remote is final
	crowded    bool // more packets came for the last turn than are sent in one
	spared     bool // it is heard in every other turn
	rested     bool // it was not heard in the last one
	remote     netip.AddrPort
	partyWarms warmer // the Party, if it implements warmer
	orders     orders
	setup      Setup
	own        sender
	pressed    keys.Ears // the far end's keys
	far        jitter.Receiver

	control   netip.AddrPort
	elsewhere *stranger      // the first packet from another address
	moved     int            // packets since then
	left      netip.AddrPort // where the previous source was heard, which another one at remote has replaced
	former    netip.AddrPort // where the far end was heard before it named another address,
	formerly  int64          // and until when it may still be heard there
	keysFrom  uint32         // the source of the newest key press
	ways      keys.Ways      // its keys that came in one way only
	digitsIn  [32]byte
	lastSR    uint32
	lastSRAt  int64
	losses    losses // of ours, at the far end
	// lead is how many frames passed before we were on the line, early what came until the first turn.
	lead  int64
	early *early
	rang  rings
	// unread is how many packets did not fit into the socket before the call, when nobody was to take them.
	unread int64

	result Result
}

// orders come from signalling and are carried out before the next frame.
type orders struct {
	some atomic.Bool
	mu   sync.Mutex
	stop Cause
	// retarget, if set, replaces the remote side (re-INVITE).
	retarget *Setup
	digits   string
}

// LocalPort returns the UDP port of RTP. RTCP uses the next one.
func (s *Stream) LocalPort() uint16 { return s.sock.Port() }

// Done returns a channel that is closed when the stream has ended and Result may be called.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Result returns the outcome of the stream. It must not be called before Done is closed.
func (s *Stream) Result() *Result { return &s.result }

// Stop ends the stream at the next frame, after what has already arrived was taken in.
func (s *Stream) Stop(why Cause) {
	s.order(func(o *orders) {
		if o.stop == Running {
			o.stop = why
		}
	})
}

// Retarget applies a re-INVITE: new addresses, codec or direction.
func (s *Stream) Retarget(to Setup) {
	s.order(func(o *orders) { o.retarget = &to })
}

// Press passes in digits that the far end sent by signalling (SIP INFO).
func (s *Stream) Press(digits string) {
	s.order(func(o *orders) {
		if len(o.digits)+len(digits) <= 32 {
			o.digits += digits
		}
	})
}

func (s *Stream) order(f func(*orders)) {
	s.orders.mu.Lock()
	f(&s.orders)
	s.orders.mu.Unlock()
	s.orders.some.Store(true)
}

// Start begins the call's media. Media time zero is the next moment of the schedule, or when the far end was
// first heard after Setup.Since, if that was earlier.
func (s *Stream) Start(to Setup) {
	s.setup, s.unread = to, s.sock.Dropped()
	s.partyWarms, _ = to.Party.(warmer)
	if s.setup.Tape == nil {
		s.setup.Tape = leg.NewTape(0)
	}
	s.setup.Tape.Begin(g711.Rate)
	s.remote, s.control = to.Remote, to.Control
	s.own.init(s, to)
	s.far.Init(to.Codec, s.setup.Tape, 1-to.OwnChannel)
	s.result.Timeline = make([]call.Event, 0, 16)
	s.expect(to.Since)
	if to.SendOff {
		s.note(call.KindHeld, nil)
	}
	s.result.Stats.RemoteLost = -1
	to.Party.Begin(g711.Rate) // not on the media thread, as it allocates
	s.media.driver.add(s)
}

// Close releases the sockets of a stream that was never started.
func (s *Stream) Close() { s.sock.Close() }

// scratch is memory that a thread lends to the stream it is running, so that it stays in the
// processor's cache. Nothing in it outlives the turn.
type scratch struct {
	hears, says    leg.Frame
	in, out, plain [frameSize]int16
	packet         [rtp.HeaderSize + frameSize]byte
	piece          [rtp.HeaderSize + frameSize/2]byte
	far            jitter.Scratch
}

// lend is called by the driver before begin with the memory of its thread.
func (s *Stream) lend(m *scratch) {
	s.memory, s.own.memory = m, m
	s.far.Lend(&m.far)
}

// begin is called by the driver with the engine time of media time 0.
func (s *Stream) begin(zero int64) {
	s.zero, s.lastHeard, s.reportAt = zero, zero, zero+reportNS/5
	s.result.Zero = s.media.wall(zero)
}

// position converts an engine time to a media position (samples).
func (s *Stream) position(ns int64) int64 { return jitter.Position(ns - s.zero) }

// tick sends every frame that is due at engine time now. It returns true when the stream is
// over and finish must be called.
func (s *Stream) tick(now int64) bool {
	if s.early != nil && s.open(now) || s.orders.some.Load() && s.obey(now) {
		return true
	}
	due := (now-s.zero)/frameNS + 1 - s.next
	if due > catchUp { // we did not listen meanwhile, so the far end was not silent
		s.lastHeard += (due - 1) * frameNS
	}
	for ; due > 0; due-- {
		if s.step(now, due > catchUp) {
			return true
		}
	}
	if now >= s.reportAt {
		s.sendReport(now)
	}
	if (s.sawRemote || s.left.IsValid()) && now-s.lastHeard > awayNS {
		s.lookAround()
	}
	if t := int64(s.setup.MediaTimeout); t > 0 && !s.setup.quiet() && now-s.lastHeard > t {
		return s.end(MediaLost)
	}
	return false
}

// obey carries out orders, or leaves them to the next frame while their lock is held.
func (s *Stream) obey(now int64) (over bool) {
	if !s.orders.mu.TryLock() {
		return false
	}
	stop, to, digits := s.orders.stop, s.orders.retarget, s.orders.digits
	s.orders.retarget, s.orders.digits = nil, ""
	s.orders.some.Store(false)
	s.orders.mu.Unlock()
	if to != nil {
		s.follow(to)
	}
	for i := range len(digits) {
		s.heardDigit(digits[i], keys.ByNotice, now)
	}
	return stop != Running && s.end(stop)
}

// follow applies what a re-INVITE has changed.
func (s *Stream) follow(to *Setup) {
	s.note(call.KindReinvited, nil)
	if to.SendOff != s.setup.SendOff {
		kind := call.KindResumed
		if to.SendOff {
			kind = call.KindHeld
		}
		s.note(kind, nil)
	}
	if s.setup.quiet() && !to.quiet() {
		s.lastHeard = s.zero + s.next*frameNS
		s.far.Excuse(s.lastHeard)
	}
	s.rang = rings{} // a change of sources is what was agreed
	if to.Remote != s.setup.Remote {
		s.leave(s.zero + s.next*frameNS)
		s.remote, s.latched, s.sawRemote, s.astray = to.Remote, false, false, false
		s.left = netip.AddrPort{}
		s.sock.Loosen()
	}
	s.setup.Codec, s.setup.AudioType, s.setup.SendOff, s.setup.Mute = to.Codec, to.AudioType, to.SendOff, to.Mute
	s.setup.EventType, s.setup.EventHere, s.setup.Pieces = to.EventType, to.EventHere, to.Pieces
	s.control, s.setup.Remote, s.setup.Control = to.Control, to.Remote, to.Control
	s.far.Switch(to.Codec)
	s.losses.anew = true
}

// step advances by 20 ms: hear, think, speak.
func (s *Stream) step(now int64, missed bool) (over bool) {
	at := time.Duration(s.next * frameNS)
	in, out := s.prepare(at)
	in.Early = s.next < s.lead
	s.far.Hear(in, s.next*frameSize)
	if key := s.pressed.Idle(now); key != 0 {
		s.heardDigit(key, keys.ByEvent, now)
	}
	if s.nDigits > 0 {
		in.Digits, s.nDigits = string(s.digitsIn[:s.nDigits]), 0
	}
	s.setup.Party.Step(in, out)
	if in.Early {
		clear(out.PCM) // nobody can hear it
	}
	s.own.frame(out, now, missed)
	s.far.Settle()
	s.next++
	if out.HangUp {
		return s.end(ByParty)
	}
	if m := s.setup.MaxDuration; m > 0 && at+leg.FrameTime >= m {
		return s.end(MaxReached)
	}
	return false
}

func (s *Stream) prepare(at time.Duration) (in, out *leg.Frame) {
	m := s.memory
	clear(m.in[:])
	clear(m.out[:])
	m.hears = leg.Frame{At: at, PCM: m.in[:]}
	m.says = leg.Frame{At: at, PCM: m.out[:]}
	return &m.hears, &m.says
}

func (s *Stream) end(why Cause) bool {
	s.result.Cause = why
	return true
}

// finish completes the result. The driver must have taken in everything that arrived.
func (s *Stream) finish() {
	s.result.Length = time.Duration(s.next * frameNS)
	_, s.result.FirstPacket = s.far.Source()
	s.far.Finish(&s.result.Stats)
	s.own.into(&s.result.Stats)
	s.result.Stats.Early = time.Duration(s.lead * frameNS)
	s.result.Stats.ReceiveDropped = s.sock.Dropped() - s.unread
	s.setup.Party.End(s.result.Length, s.result.Cause == ByFar)
	s.sock.Close()
	close(s.done)
}

// note adds an event at the current media time.
func (s *Stream) note(kind call.Kind, data map[string]any) {
	if len(s.result.Timeline) < kind.Room(maxTimeline) {
		s.result.Timeline = append(s.result.Timeline,
			call.Event{At: time.Duration(s.next * frameNS), Kind: kind, Data: data})
	}
}

func (s *Stream) heardDigit(key byte, way keys.Way, ns int64) {
	if s.ways.Repeats(key, way, ns) {
		return
	}
	s.note(call.KindDigitReceived, map[string]any{"digit": string(key)})
	if s.nDigits < len(s.digitsIn) {
		s.digitsIn[s.nDigits] = key
		s.nDigits++
	}
}
