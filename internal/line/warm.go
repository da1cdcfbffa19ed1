package line

// lineSamples is how many samples in a law of G.711 a line of the processor's cache holds.
const lineSamples = 64

// warmer is a Party that can read what its next Step will need. What Warm returns
// means nothing.
type warmer interface{ Warm() int64 }

// warm reads what the stream's turn will need from memory that other calls have
// driven out of the processor's cache. No read waits for another, so that the
// processor fetches for many streams at once what it would fetch bit by bit in
// their turns. What it returns means nothing.
func (s *Stream) warm() int64 {
	sum := s.far.warm() + s.zero + s.reportAt + int64(s.setup.MediaTimeout) + int64(s.setup.EventType) + s.own.sent + int64(s.own.keys.elapsed)
	if s.orders.some.Load() {
		sum++
	}
	if s.own.memory != nil {
		sum++
	}
	return sum
}

// warmFurther reads what lies behind that, one thing leading to the next: warm has to
// have been there before, for as many streams.
func (s *Stream) warmFurther() int64 {
	sum := s.setup.Tape.Warm(s.setup.OwnChannel)
	if s.partyWarms != nil {
		sum += s.partyWarms.Warm()
	}
	return sum
}

func (r *receiver) warm() int64 {
	sum := r.clk.offset + r.clk.bucketAt + r.seq.highest + r.seq.longest + r.play.delay + r.play.worst[delayMemory-1] +
		int64(r.ring.law.Type)
	if r.seq.seen.has(max(r.seq.highest, 0)) {
		sum++
	}
	return sum + r.ring.warm(r.head) + r.ring.warm(r.lastFrom+frameSize)
}

// warm reads a frame from a stamp on.
func (r *ring) warm(stamp int64) (sum int64) {
	for at := stamp; at < stamp+frameSize+lineSamples; at += lineSamples {
		sum += int64(r.codes[at&(ringSamples-1)])
	}
	return sum + int64(r.there[stamp>>6&(ringSamples/64-1)])
}
