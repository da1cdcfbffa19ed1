package jitter

import (
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The bounds of what is kept of packets that may be repetitions: as long as it takes to know,
// in packets of 10 ms and longer, each of which holds 60 ms at most.
const (
	mostDoubtful  = 17
	doubtfulBytes = 3 * frameSize
)

// doubtful are packets in a row whose numbers have come before. They are repetitions, or the
// beginning of what a far end says that counts from the beginning again.
type doubtful struct {
	n       int
	packets [mostDoubtful]struct {
		rtp.Packet

		at, ns  int64
		payload [doubtfulBytes]byte
	}
}

// doubt keeps a packet of sound that may be a repetition.
func (r *Receiver) doubt(p rtp.Packet, at, ns int64) {
	if r.doubtful == nil { // there are none on most calls
		r.doubtful = &doubtful{}
	}
	d, place := r.doubtful, int(r.seq.inRow)-1
	if place > 0 && place != d.n || place >= mostDoubtful || len(p.Payload) > doubtfulBytes {
		d.n = 0 // not all of them are there
		return
	}
	one := &d.packets[place]
	one.Packet, one.at, one.ns = p, at, ns
	one.Payload = one.payload[:copy(one.payload[:], p.Payload)]
	d.n = place + 1
}

// believeDoubtful takes those in a row that were taken for repetitions and are none. They lie
// where they were said; that they are late for whoever listens tells nothing of the network.
func (r *Receiver) believeDoubtful() {
	d := r.doubtful
	all := d.packets[:d.n]
	d.n = 0
	if len(all) != int(r.seq.inRow) {
		return
	}
	for i := range all {
		one := &all[i]
		var kind novelty
		if i == 0 {
			kind = r.seq.beginsBy(one.Packet, one.ns, len(all))
		} else {
			kind = r.seq.arrive(one.Packet, one.ns)
		}
		if one.Type == g711.ComfortNoise {
			r.admit(one.Packet, kind, one.at, one.ns)
			continue
		}
		pos := r.sound(one.Packet, kind, one.at, one.ns)
		r.play.passed(pos + int64(len(one.Payload)))
	}
}
