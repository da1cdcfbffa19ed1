package jitter

import "github.com/ringtrue/ringtrue/internal/rtp"

// held is a packet that waits for its turn.
type held struct {
	stamp, at int64
	seq       uint16
	n         int
	payload   [widePayload]byte
}

// hold puts a packet among those that wait, by the time at which it was said, and
// decodes at once what follows the last one.
func (w *Wideband) hold(p rtp.Packet, stamp, at int64) {
	if w.nHeld == heldMost {
		w.decodeFirst()
	}
	i := w.nHeld
	for ; i > 0 && w.held[i-1].stamp > stamp; i-- {
		w.held[i] = w.held[i-1]
	}
	h := &w.held[i]
	h.stamp, h.at, h.seq = stamp, at, p.Sequence
	h.n = copy(h.payload[:], p.Payload)
	w.nHeld++
	for w.nHeld > 0 && (w.held[0].seq == w.nextSeq || w.held[0].stamp < w.next) {
		w.decodeFirst()
	}
}

// release decodes everything that waits.
func (w *Wideband) release() {
	for w.nHeld > 0 {
		w.decodeFirst()
	}
}

// decodeFirst decodes the first of the packets that wait and lays its sound into the ring.
func (w *Wideband) decodeFirst() {
	h := &w.held[0]
	late := h.stamp < w.next
	decoder := w.decoder
	if late {
		decoder = w.late() // its turn is over, and the right one's memory is further on
	} else {
		if follows := h.seq == w.nextSeq; h.stamp > w.next {
			w.gap(w.next, h.stamp, !follows)
			w.restore(h)
		}
		w.nextSeq = h.seq + 1
	}
	n, err := decoder.Decode(w.room[:], h.payload[:h.n])
	w.done += max(int64(n/wide), frameSize)
	if err != nil || n <= 0 {
		w.broken++
		if !late {
			w.gap(h.stamp, h.stamp+frameSize, true)
			w.next = h.stamp + frameSize
		}
	} else {
		n = min(n, widePacket) &^ (wide - 1)
		w.place(h.stamp, w.room[:n])
		w.next = max(w.next, h.stamp+int64(n/wide))
		w.play.arrived(h.stamp+w.clk.offset, int64(n/wide), h.at)
	}
	w.nHeld--
	copy(w.held[:w.nHeld], w.held[1:w.nHeld+1])
}

// late is a decoder that knows of no packet.
func (w *Wideband) late() Decoder {
	if w.aside == nil { // few come too late, and making one takes long
		w.aside = w.fresh()
	}
	w.aside.Reset()
	return w.aside
}

// restore tells the decoder what is lost before a packet, and puts what the packet tells of it where that is missing,
// unless something else is missing too: the far end may have sent nothing for a while.
func (w *Wideband) restore(h *held) {
	packet, missing := h.payload[:h.n], int64(h.seq-w.nextSeq)
	if missing == 0 {
		return
	}
	lost := min(h.stamp-w.next, missing*w.lasts(packet), bridged)
	w.done += lost
	n := int64(w.decoder.Before(w.room[:], packet, wide*int(lost)) / wide)
	if n > 0 && h.stamp-w.next >= n && h.stamp-w.next <= n*missing {
		w.place(h.stamp-n, w.room[:wide*n])
	}
}

// gap says of a stretch that nothing is there, and whether that was meant.
func (w *Wideband) gap(from, to int64, lost bool) {
	w.makeRoom(to)
	from = max(from, to-ringSamples)
	w.there.mark(from, to, false)
	w.lost.mark(from, to, lost)
	w.head = max(w.head, to)
}

// place lays samples into the ring.
func (w *Wideband) place(stamp int64, pcm []int16) {
	if stamp < w.flushed {
		w.writeLate(stamp+w.clk.offset-w.delay, pcm)
		return
	}
	end := stamp + int64(len(pcm)/wide)
	w.makeRoom(end)
	n := copy(w.pcm[wide*(stamp&(ringSamples-1)):], pcm)
	copy(w.pcm[:], pcm[n:])
	w.there.mark(stamp, end, true)
	w.head = max(w.head, end)
}

// makeRoom lays on the tape what must leave the ring for it to reach to a stamp.
func (w *Wideband) makeRoom(to int64) {
	if over := to - ringSamples; over > w.flushed {
		w.flush(over)
		w.flushed = max(w.flushed, over)
		w.head = max(w.head, over)
	}
}
