package jitter

import (
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/line/prefetch"
)

// Near is how many bytes of a Receiver, from its beginning, every turn needs. Whoever
// keeps one behind what a turn needs too fetches both at once.
const Near = unsafe.Offsetof(Receiver{}.play) + unsafe.Offsetof(playout{}.last)

// nearRing is how many bytes of it every turn needs from the tape on.
const nearRing = unsafe.Offsetof(Receiver{}.ring) + unsafe.Offsetof(ring{}.marks) + unsafe.Offsetof(marks{}.there) - unsafe.Offsetof(Receiver{}.tape)

// Warm fetches what every turn needs beyond what is Near.
func (r *Receiver) Warm() { prefetch.Fetch(unsafe.Pointer(&r.tape), nearRing) }

// WarmFurther fetches the frame that is heard next and, when the turn takes in what came,
// what that needs.
func (r *Receiver) WarmFurther(takesIn bool) {
	if takesIn {
		prefetch.Fetch(unsafe.Pointer(&r.times), unsafe.Sizeof(r.times)+unsafe.Offsetof(r.seq.base))
		r.ring.warm(r.head)
	}
	r.ring.warm(r.lastFrom + frameSize)
}

// warm fetches a frame from a stamp on.
func (r *ring) warm(stamp int64) {
	prefetch.Fetch(unsafe.Pointer(&r.codes[stamp&(ringSamples-1)]), frameSize)
}
