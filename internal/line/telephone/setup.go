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

// The causes. The zero value means that the stream has not ended.
const (
	Running Cause = iota
	// ByParty means that our own Party hung up.
	ByParty
	// ByFar means that the far end hung up, according to signalling.
	ByFar
	// ByOrder means that our side ended the call from outside (cancelled, shut down).
	ByOrder
	// MaxReached means that the call reached its maximum duration.
	MaxReached
	// MediaLost means that no RTP arrived for too long.
	MediaLost
)

// Setup is what signalling has negotiated by the time a call is answered.
type Setup struct {
	Party leg.Party
	// Tape records both directions; nil records nothing.
	Tape *leg.Tape
	// OwnChannel is the channel of the Party's voice; the other one is the far end's.
	OwnChannel int
	// MaxDuration bounds the call; 0 means no limit.
	MaxDuration time.Duration
	// MediaTimeout is how long no RTP may arrive; 0 means no limit.
	MediaTimeout time.Duration

	Codec g711.Codec
	// AudioType is the codec's payload type if the far end uses another than its static one, else 0.
	AudioType uint8
	// EventType is the payload type of telephone-event, 0 if the far end does not support it.
	EventType uint8
	// EventHere is the payload type that we offered for it, if the far end chose another: by
	// RFC 3264 each side sends with the other side's number.
	EventHere uint8
	// Pieces is the number of packets for each of our frames, if the far end does not accept
	// packets of 20 ms: a divisor of 20; 0 means 1.
	Pieces uint8
	// SendOff means that the far end does not want to hear us (hold).
	SendOff bool
	// Mute means that the far end sends nothing for now, so that nothing counts as missing.
	Mute bool
	// Remote is the address to which RTP is sent and from which it should come, Control the same for RTCP.
	Remote, Control netip.AddrPort
	// Since is from when on received audio may belong to the call, which is before the stream starts; zero means
	// the start. It has no effect without kernel timestamps.
	Since time.Time
	// Loss drops outgoing packets on purpose.
	Loss loss.Model
}

// audioType returns the payload type of outgoing audio.
func (s *Setup) audioType() uint8 { return cmp.Or(s.AudioType, s.Codec.Type) }

// quiet reports whether silence of the far end is expected: it holds the call, or has announced
// that it sends nothing.
func (s *Setup) quiet() bool { return s.SendOff || s.Mute }

// Result is the outcome of a stream.
type Result struct {
	Cause Cause
	// Zero is the wall time of media time 0: when our first frame was sent, or the far end's first sound if earlier.
	Zero time.Time
	// Length is the media time of the end.
	Length time.Duration
	// FirstPacket reports whether anything ever arrived.
	FirstPacket bool
	// Unspoken counts received packets with payload types that were not agreed; UnspokenType is
	// the last such type.
	Unspoken int64
	// Oversized counts packets with more audio than is accepted in one.
	Oversized int64
	// Broken counts received datagrams that are not valid RTP.
	Broken       int64
	UnspokenType uint8
	Stats        call.LineStats
	Timeline     []call.Event
}
