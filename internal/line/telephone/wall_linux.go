package telephone

// wall converts the wall time at which the kernel received a packet to monotonic time. Somebody
// may set the wall clock while the packet waits for its turn: if it is set forward by a minute,
// the packet would seem to have arrived a minute ago, which would move the far end's whole
// voice on the recording. Times are in ns.
type wall struct {
	set   bool
	ahead int64 // wall clock minus monotonic clock, at the last look
	last  int64 // time of the last look
	// before is the value of ahead until the wall clock was set, at since or later.
	before, since int64
}

// stepNS is by how much the wall clock must have moved between two looks to count as set. When
// slewed, it is sped up by at most a tenth.
const stepNS = frameNS / 4

// look records the current time by both clocks.
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

// stepped reports whether the wall clock has been set since the last look, given its current offset.
func (w *wall) stepped(ahead int64) bool {
	by := ahead - w.ahead
	return by > stepNS || by < -stepNS
}

// arrival converts the wall time of a packet's arrival; the result is never later than the last look.
func (w *wall) arrival(noted int64) int64 {
	at := noted - w.ahead
	if at < w.since { // recorded before the clock was set
		at = noted - w.before
	}
	return min(at, w.last)
}
