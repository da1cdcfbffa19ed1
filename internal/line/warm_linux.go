package line

import "unsafe"

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
	fetch(unsafe.Pointer(s), unsafe.Offsetof(s.far)+unsafe.Offsetof(s.far.play)+unsafe.Offsetof(s.far.play.last))
	fetch(unsafe.Add(unsafe.Pointer(s), unsafe.Offsetof(s.far)+unsafe.Offsetof(s.far.tape)), nearRing)
}

// nearRing is how many bytes of the receiver every turn needs, from the tape on.
const nearRing = unsafe.Offsetof(receiver{}.ring) + unsafe.Offsetof(ring{}.marks) + unsafe.Offsetof(marks{}.there) - unsafe.Offsetof(receiver{}.tape)

// warmFurther fetches what the stream leads to.
func (s *Stream) warmFurther() {
	raw := s.sock.(*rawPair)
	fetch(unsafe.Pointer(raw), unsafe.Offsetof(raw.own))
	if !s.spared || s.rested { // it is heard this time
		fetch(unsafe.Pointer(&s.far.times), unsafe.Sizeof(s.far.times)+unsafe.Offsetof(s.far.seq.base))
		s.far.ring.warm(s.far.head)
	}
	s.far.ring.warm(s.far.lastFrom + frameSize)
	s.setup.Tape.Warm(s.setup.OwnChannel, fetch)
	if s.partyWarms != nil {
		s.partyWarms.Warm(fetch)
	}
}

// warmLast fetches what that leads to.
func (s *Stream) warmLast() {
	s.setup.Tape.WarmFurther(s.setup.OwnChannel, fetch)
	if s.partyWarms != nil {
		s.partyWarms.WarmFurther(fetch)
	}
}

// warm fetches a frame from a stamp on.
func (r *ring) warm(stamp int64) {
	fetch(unsafe.Pointer(&r.codes[stamp&(ringSamples-1)]), frameSize)
}
