package telephone

import (
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/prefetch"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

// warm fetches, while the stream at a place of a lane has its turn, what those behind it
// will need: each itself three turns before its own, then what it leads to, and then what
// that leads to.
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

// warm fetches what every turn needs of the stream itself.
func (s *Stream) warm() {
	prefetch.Fetch(unsafe.Pointer(s), unsafe.Offsetof(s.far)+jitter.Near)
	s.far.Warm()
}

// warmFurther fetches what the stream leads to.
func (s *Stream) warmFurther() {
	raw := s.sock.(*udp.Pair)
	prefetch.Fetch(unsafe.Pointer(raw), udp.Near)
	s.far.WarmFurther(!s.spared || s.rested) // then it is heard this time
	s.setup.Tape.Warm(s.setup.OwnChannel, prefetch.Fetch)
	if s.partyWarms != nil {
		s.partyWarms.Warm(prefetch.Fetch)
	}
}

// warmLast fetches what that leads to.
func (s *Stream) warmLast() {
	s.setup.Tape.WarmFurther(s.setup.OwnChannel, prefetch.Fetch)
	if s.partyWarms != nil {
		s.partyWarms.WarmFurther(prefetch.Fetch)
	}
}
