package jitter

import (
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// Limits of the packets kept while it is unclear whether they are repetitions, in packets of 10
// ms or more, of which each holds at most 60 ms.
const (
	mostDoubtful  = 17
	doubtfulBytes = 3 * frameSize
)

// doubtful holds consecutive packets with sequence numbers that were seen before. They are
// repetitions, or the beginning of a new numbering by the far end.
type doubtful struct {
	n       int
	packets [mostDoubtful]struct {
		rtp.Packet

		at, ns  int64
		payload [doubtfulBytes]byte
	}
}

// doubt keeps a packet of audio that may be a repetition.
func (r *Receiver) doubt(p rtp.Packet, at, ns int64) {
	if r.doubtful == nil { // most calls have none
		r.doubtful = &doubtful{}
	}
	d, place := r.doubtful, int(r.seq.inRow)-1
	if place > 0 && place != d.n || place >= mostDoubtful || len(p.Payload) > doubtfulBytes {
		d.n = 0 // some are missing
		return
	}
	one := &d.packets[place]
	one.Packet, one.at, one.ns = p, at, ns
	one.Payload = one.payload[:copy(one.payload[:], p.Payload)]
	d.n = place + 1
}

// believeDoubtful processes the kept packets after they turned out not to be repetitions. They are
// recorded where they were said; that they are late for playout says nothing about the network.
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
