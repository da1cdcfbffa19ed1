package jitter

import (
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/line/prefetch"
)

// Near is the size in bytes of the beginning of a Receiver that every turn needs. A struct that
// places a Receiver after its own hot fields can prefetch both at once.
const Near = unsafe.Offsetof(Receiver{}.play) + unsafe.Offsetof(playout{}.last)

// nearRing is the size in bytes of the part from tape on that every turn needs.
const nearRing = unsafe.Offsetof(Receiver{}.ring) + unsafe.Offsetof(ring{}.marks) + unsafe.Offsetof(marks{}.there) - unsafe.Offsetof(Receiver{}.tape)

// Warm prefetches what every turn needs beyond Near.
func (r *Receiver) Warm() { prefetch.Fetch(unsafe.Pointer(&r.tape), nearRing) }

// WarmFurther prefetches the next frame to be played and, if the turn takes in packets, what that needs.
func (r *Receiver) WarmFurther(takesIn bool) {
	if takesIn {
		prefetch.Fetch(unsafe.Pointer(&r.times), unsafe.Sizeof(r.times)+unsafe.Offsetof(r.seq.base))
		r.ring.warm(r.head)
	}
	r.ring.warm(r.lastFrom + frameSize)
}

// warm prefetches a frame from a stamp on.
func (r *ring) warm(stamp int64) {
	prefetch.Fetch(unsafe.Pointer(&r.codes[stamp&(ringSamples-1)]), frameSize)
}
