package telephone

import (
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/prefetch"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

// warm prefetches, during the turn of the stream at index at of a lane, what the streams after it need:
// each stream's own memory three turns ahead, then what it points to, then what that points to.
func warm(lane []*Stream, at int) {
	if at+3 < len(lane) {
		lane[at+3].warm()
	}
	if at+2 < len(lane) {
		lane[at+2].warmFurther()
	}
	if at+1 < len(lane) {
		lane[at+1].warmLast()
	}
}

// warm prefetches what every turn needs of the stream itself.
func (s *Stream) warm() {
	prefetch.Fetch(unsafe.Pointer(s), unsafe.Offsetof(s.far)+jitter.Near)
	s.far.Warm()
}

// warmFurther prefetches what the stream points to.
func (s *Stream) warmFurther() {
	raw := s.sock.(*udp.Pair)
	prefetch.Fetch(unsafe.Pointer(raw), udp.Near)
	s.far.WarmFurther(!s.spared || s.rested) // then it is heard this time
	s.setup.Tape.Warm(s.setup.OwnChannel, prefetch.Fetch)
	if s.partyWarms != nil {
		s.partyWarms.Warm(prefetch.Fetch)
	}
}

// warmLast prefetches what that points to.
func (s *Stream) warmLast() {
	s.setup.Tape.WarmFurther(s.setup.OwnChannel, prefetch.Fetch)
	if s.partyWarms != nil {
		s.partyWarms.WarmFurther(prefetch.Fetch)
	}
}
