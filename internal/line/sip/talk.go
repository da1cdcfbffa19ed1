package sip

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"sync"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// eventType is the payload type of telephone-event in our offers.
const eventType = 101

// talk is the offer/answer state of one call (RFC 3264): what both sides have agreed on.
type talk struct {
	stream *telephone.Stream
	codecs []g711.Codec

	mu     sync.Mutex
	ours   sdp.Description
	told   []byte          // our description, as the far end has it
	setup  telephone.Setup // the negotiated part only
	agreed bool
	flows  bool // the stream was started
}

func newTalk(stream *telephone.Stream, local netip.Addr, codecs []g711.Codec) *talk {
	return &talk{
		stream: stream, codecs: codecs,
		ours: sdp.Description{
			ID: uint64(rand.Uint32()), Version: 1, Addr: local, Port: stream.LocalPort(),
			Codecs: codecs, EventType: eventType, Direction: sdp.SendRecv,
		},
	}
}

// offer returns our description with everything that we support, even during a call: a far end
// that asks for it may be about to connect us with somebody else (RFC 6337 section 5.2.5).
func (t *talk) offer() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ours.Direction, t.ours.Refused = sdp.SendRecv, false
	t.ours.Codecs, t.ours.AudioType = t.codecs, 0
	if t.ours.EventType == 0 {
		t.ours.EventType = eventType
	}
	if t.ours.EventType == t.setup.AudioType { // a number keeps its meaning for the whole call
		t.ours.EventType++
	}
	return t.tell()
}

// tell writes our description, with a new version if its content has changed (RFC 3264 section
// 8): a known version need not be parsed again.
func (t *talk) tell() []byte {
	text := t.ours.Text()
	if t.told != nil && !bytes.Equal(text, t.told) {
		t.ours.Version++
		text = t.ours.Text()
	}
	t.told = text
	return text
}

// accept processes the answer to our offer. It returns false if there is no common codec.
func (t *talk) accept(answer sdp.Session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	answer.Explain(t.ours.EventType)
	return t.agree(answer)
}

// mirrors reports whether an answer names our own address: we would hear our own voice as that
// of the far end.
func (t *talk) mirrors(answer sdp.Session) bool {
	return answer.Port == t.ours.Port && answer.Addr == t.ours.Addr
}

// leaves reports whether an offer would move a call's media from a network that we reach to one
// that we do not. If it is refused, the media stay as they are (RFC 3264 section 8).
func (t *talk) leaves(offer sdp.Session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	near := func(a netip.Addr) bool { return a.Is6() == t.ours.Addr.Is6() }
	return t.agreed && near(t.setup.Remote.Addr()) && !near(offer.Addr) && !offer.Addr.IsUnspecified() && offer.Port != 0
}

// misplaced returns why a call's media cannot go where a description wants it, nil if it can.
func (t *talk) misplaced(far sdp.Session) error {
	switch {
	case t.leaves(far):
		return errBeyond
	case t.mirrors(far):
		return errMirror
	}
	return nil
}

// answer processes an offer and returns our answer. It returns false if there is no common codec.
func (t *talk) answer(offer sdp.Session) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.agree(offer) {
		return nil, false
	}
	t.ours.Codecs, t.ours.AudioType, t.ours.EventType = []g711.Codec{t.setup.Codec}, t.setup.AudioType, t.setup.EventType
	t.setup.EventHere = t.setup.EventType
	t.ours.Direction = offer.Direction.Answering()
	t.ours.Profile, t.ours.Refused = offer.Profile, offer.Port == 0
	t.ours.Before, t.ours.After = offer.Before, offer.After
	return t.tell(), true
}

// agree applies the other side's description. Once agreed, a codec is kept as long as the other
// side still lists it.
func (t *talk) agree(far sdp.Session) bool {
	taken, ok := far.Choose(t.codecs)
	if !ok {
		return false
	}
	if t.agreed {
		if kept, ok := far.Choose([]g711.Codec{t.setup.Codec}); ok {
			taken = kept
		}
	}
	t.agreed = true
	t.setup = telephone.Setup{
		Codec: taken.Codec, AudioType: taken.Audio, EventType: taken.Event, Pieces: far.Pieces(), SendOff: far.Held(), Mute: far.Mute(),
		Remote:  netip.AddrPortFrom(far.Addr, far.Port),
		Control: netip.AddrPortFrom(far.ControlAddr, far.ControlPort),
	}
	if taken.Audio != t.ours.EventType { // keys are heard by the number we offered, even from a far end that accepts none
		t.setup.EventHere = t.ours.EventType
	}
	return true
}

// start starts the stream with what was negotiated and the given call-specific settings.
func (t *talk) start(own telephone.Setup) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own.Codec, own.AudioType, own.SendOff, own.Mute = t.setup.Codec, t.setup.AudioType, t.setup.SendOff, t.setup.Mute
	own.EventType, own.EventHere, own.Pieces = t.setup.EventType, t.setup.EventHere, t.setup.Pieces
	own.Remote, own.Control = t.setup.Remote, t.setup.Control
	t.stream.Start(own)
	t.flows = true
}

// follow applies a new agreement to the running stream.
func (t *talk) follow() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.flows {
		t.stream.Retarget(t.setup)
	}
}

// hasAgreed reports whether both sides have described themselves.
func (t *talk) hasAgreed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.agreed
}

// agreedSetup returns the negotiated part of the stream's Setup.
func (t *talk) agreedSetup() telephone.Setup {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.setup
}
