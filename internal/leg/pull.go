package leg

// pullBlock is how finely a quiet place is looked for: so many to a second.
// pullBlocks is how far back.
const (
	pullBlock  = 50
	pullBlocks = 4 * pullBlock
)

// Pull moves what a channel has before end earlier by so many samples, because it turned out to have been said
// sooner than it was taken to be. What stands there at the quietest place of the last four seconds gives
// way, the earlier one of two as quiet; what is before that stays where it is. It is for rare
// occasions: some tens of microseconds, and no memory.
func (t *Tape) Pull(channel int, end, by int64) {
	k := &t.tracks[channel]
	end = min(end, k.end)
	if by = min(by, end); by <= 0 {
		return
	}
	k.close(&t.code, k.quietest(&t.code, end, by, int64(t.rate)/pullBlock), end, by)
}

// quietest is where n samples before end would be missed least; blocks of a size are compared.
func (k *track) quietest(c *code, end, n, size int64) (at int64) {
	var loud [pullBlocks]int64
	first := max(0, end-pullBlocks*size)
	blocks := int((end - first) / size)
	wide := int((n + size - 1) / size)
	if blocks <= wide {
		return min(first, end-n)
	}
	var sum int64
	least := int64(-1)
	for i := range blocks {
		loud[i] = k.loudness(c, first+int64(i)*size, size)
		sum += loud[i]
		if i >= wide {
			sum -= loud[i-wide]
		}
		if from := i - wide + 1; from >= 0 && (least < 0 || sum < least) {
			least, at = sum, first+int64(from)*size
		}
	}
	return at
}

// loudness is the sum of what n samples from a position on differ from silence by.
func (k *track) loudness(c *code, pos, n int64) (sum int64) {
	var pcm [pullPiece]int16
	for n > 0 {
		at, offset := k.at(pos)
		m := min(n, pullPiece, int64(chunkSamples-offset))
		at.read(c, offset, pcm[:m])
		for _, v := range pcm[:m] {
			sum += max(int64(v), -int64(v))
		}
		pos, n = pos+m, n-m
	}
	return sum
}

// close takes n samples at a position out, and lets what follows up to end move up.
func (k *track) close(c *code, pos, end, n int64) {
	for from := pos + n; from < end; {
		there, in := k.at(from)
		at, offset := k.chunk(from - n)
		m := min(end-from, pullPiece, int64(chunkSamples-in), int64(chunkSamples-offset))
		k.copy(c, at, offset, there, in, int(m))
		from += m
	}
	for from := end - n; from < end; {
		at, offset := k.chunk(from)
		m := min(end-from, int64(chunkSamples-offset))
		at.silence(offset, int(m))
		from += m
	}
	if k.end == end {
		k.end -= n
	}
}

// pullPiece is how many samples are moved at a time.
const pullPiece = 160

// at is the chunk of a position, an empty one where there is none, and the place in it.
func (k *track) at(pos int64) (at chunk, offset int) {
	if i := int(pos / chunkSamples); i < len(k.chunks) {
		at = k.chunks[i]
	}
	return at, int(pos % chunkSamples)
}

// copy copies n samples from one chunk to another, or to another place of it.
func (k *track) copy(c *code, to *chunk, offset int, from chunk, in, n int) {
	switch {
	case from.codes == nil && from.pcm == nil:
		to.silence(offset, n)
	case from.codes != nil && to.pcm == nil:
		if to.codes == nil {
			to.codes = k.codes()
		}
		copy(to.codes[offset:offset+n], from.codes[in:in+n])
	default:
		k.plain(to, c)
		from.read(c, in, to.pcm[offset:offset+n])
	}
}

// silence writes silence over n samples from a place on.
func (h *chunk) silence(offset, n int) {
	switch {
	case h.pcm != nil:
		clear(h.pcm[offset : offset+n])
	case h.codes != nil:
		clear(h.codes[offset : offset+n])
	}
}

// read copies samples from a place on, at most pullPiece of them where they are coded.
func (h *chunk) read(c *code, offset int, pcm []int16) {
	switch {
	case h.pcm != nil:
		copy(pcm, h.pcm[offset:])
	case h.codes != nil:
		var codes [pullPiece]byte
		c.turn(codes[:], h.codes[offset:offset+len(pcm)])
		c.decode(pcm, codes[:len(pcm)])
	default:
		clear(pcm)
	}
}
