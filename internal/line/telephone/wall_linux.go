package telephone

// wall tells when a packet arrived that the kernel has noted the wall time of, which
// somebody may have set while the packet waited for its turn: a minute forward, and it
// would seem to have come a minute ago, which moves the far end's whole voice on the
// recording. Its times are ns, and those that it gives out monotonic.
type wall struct {
	set   bool
	ahead int64 // of the wall clock before the monotonic one, at the last look
	last  int64 // the last look
	// before was ahead until the wall clock was set, no sooner than at since.
	before, since int64
}

// stepNS is by how much the wall clock must have moved from one look to the next to have
// been set: it is made to run faster by a tenth at most.
const stepNS = frameNS / 4

// look notes one moment by both clocks.
func (w *wall) look(mono, wall int64) {
	ahead := wall - mono
	if !w.set {
		w.set, w.ahead, w.before = true, ahead, ahead
	}
	if w.stepped(ahead) {
		w.before, w.since = w.ahead, w.last
	}
	w.ahead, w.last = ahead, mono
}

// stepped says that the wall clock has been set since the last look, if it is now so far ahead.
func (w *wall) stepped(ahead int64) bool {
	by := ahead - w.ahead
	return by > stepNS || by < -stepNS
}

// arrival is when a packet arrived by the last look, given the wall time of it: never later.
func (w *wall) arrival(noted int64) int64 {
	at := noted - w.ahead
	if at < w.since { // noted before the clock was set
		at = noted - w.before
	}
	return min(at, w.last)
}
