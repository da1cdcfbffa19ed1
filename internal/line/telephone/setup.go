package telephone

import (
	"cmp"
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/loss"
)

// Cause is why a stream ended.
type Cause int

// The causes; the zero value means that it is still going on.
const (
	Running Cause = iota
	// ByParty: our own Party asked to hang up.
	ByParty
	// ByFar: the signalling said that the far end hung up.
	ByFar
	// ByOrder: our own side ended the call from outside (cancelled, shut down).
	ByOrder
	// MaxReached: the longest time the call was allowed to take is over.
	MaxReached
	// MediaLost: no RTP came for too long.
	MediaLost
)

// Setup is what signalling has found out by the time a call is answered.
type Setup struct {
	Party leg.Party
	// Tape records both directions; nil records nothing.
	Tape *leg.Tape
	// OwnChannel is the channel of the Party's voice, the other one is the far end's.
	OwnChannel int
	// MaxDuration bounds the call, 0 does not.
	MaxDuration time.Duration
	// MediaTimeout is how long no RTP may come, 0 means for ever.
	MediaTimeout time.Duration

	Codec g711.Codec
	// AudioType is the payload type of the codec where the far end knows it by another
	// than its own, else 0.
	AudioType uint8
	// EventType is the payload type of telephone-event, 0 when the far end has none.
	EventType uint8
	// EventHere is the payload type that we named for it, where the far end named
	// another: whoever keeps to RFC 3264 sends by the other side's numbers.
	EventHere uint8
	// Pieces is in how many packets each frame of ours goes, where the far end takes no
	// packets of 20 ms: a divisor of 20, 0 is one.
	Pieces uint8
	// SendOff says that the far end does not want to hear us (on hold).
	SendOff bool
	// Mute says that the far end sends nothing for the time being, so that nothing is missed.
	Mute bool
	// Remote is where RTP goes and should come from, Control the same for RTCP.
	Remote, Control netip.AddrPort
	// Since is from when on what the far end says may be of the call, which is before the stream starts; zero is
	// the start. Without kernel timestamps nothing is known of that time.
	Since time.Time
	// Loss drops packets of ours on purpose.
	Loss loss.Model
}

// audioType is the payload type under which the codec is sent.
func (s *Setup) audioType() uint8 { return cmp.Or(s.AudioType, s.Codec.Type) }

// quiet says that it means nothing when the far end is not heard: it holds the call, or
// has said that it sends nothing.
func (s *Setup) quiet() bool { return s.SendOff || s.Mute }

// Result is what came of a stream.
type Result struct {
	Cause Cause
	// Zero is the wall time of media time 0: our first frame's departure, or the far end's first sound before it.
	Zero time.Time
	// Length is the media time of the end.
	Length time.Duration
	// FirstPacket says whether anything ever came.
	FirstPacket bool
	// Unspoken counts packets of the far end of payload types that were not agreed,
	// UnspokenType is that of the last one.
	Unspoken int64
	// Oversized counts packets that hold more sound than is taken in one.
	Oversized int64
	// Broken counts datagrams of the far end that are no RTP, or contradict themselves.
	Broken       int64
	UnspokenType uint8
	Stats        call.LineStats
	Timeline     []call.Event
}
