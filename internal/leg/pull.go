package leg

// What is looked through for pauses: pullBlocks pieces, of which there are pullBlock to a second.
const (
	pullBlock  = 50
	pullBlocks = 4 * pullBlock
)

// A pause is at least pauseBlocks long, so that it is neither the stop within a word nor a
// consonant that is nearly silent, and pauseEdge of it at either end belong to the words beside it.
const (
	pauseBlocks = 10
	pauseEdge   = 2
)

// What is quiet: nothing in it is louder than faint, or than twice the quietest that was found, as the
// noise of a room is; and nothing is louder than a share of the loudest, as a word may be
// of somebody who speaks softly. What is no louder than a whisper is quiet beside anything.
const (
	faint      = 32 // -60 dBFS
	whisper    = 8
	quietShare = 16 // -24 dB
)

// Pull moves what stands on a channel before end earlier, by so many samples at most, because it turned out to
// have been said sooner than it was taken to be, and says by how much. Pauses after from give way for that, the
// earlier ones first, and no more than there is of them: what is said stays whole. What lies before the
// first of them stays where it is. It is for rare occasions: it looks through the last four seconds,
// which takes no memory and no more than a tenth of a millisecond.
func (t *Tape) Pull(channel int, from, end, by int64) (moved int64) {
	k := &t.tracks[channel]
	end = min(end, k.end)
	size := int64(t.rate) / pullBlock
	if by <= 0 || end <= 0 || size == 0 {
		return 0
	}
	first := max(from, k.alike(end), 0)
	n := min((end-first)/size, pullBlocks)
	if n < pauseBlocks {
		return 0
	}
	var loud [pullBlocks]int16
	first = end - n*size
	for i := range n {
		loud[i] = k.peak(&t.code, first+i*size, size)
	}
	return k.close(loud[:n], first, size, by)
}

// alike is where the memory of a channel begins that is of one kind up to end: what moves from one chunk
// to another needs none then.
func (k *track) alike(end int64) int64 {
	last, _ := k.at(end - 1)
	i := int((end - 1) / chunkSamples)
	for ; i > 0; i-- {
		before, _ := k.at(int64(i-1) * chunkSamples)
		if (before.codes == nil) != (last.codes == nil) || (before.pcm == nil) != (last.pcm == nil) {
			break
		}
	}
	return int64(i) * chunkSamples
}

// close takes pauses out of blocks of a size that begin at first, by samples in all at most, lets what
// follows move up, and says how many it took.
func (k *track) close(loud []int16, first, size, by int64) (moved int64) {
	limit := quietest(loud)
	end := first + int64(len(loud))*size
	there := first // everything before lies where it is to
	for i := 0; i < len(loud) && moved < by; {
		n := pause(loud[i:], limit)
		if n < pauseBlocks {
			i += n + 1
			continue
		}
		cut := first + int64(i+pauseEdge)*size
		k.move(there, cut, moved)
		gone := min(int64(n-2*pauseEdge)*size, by-moved)
		moved += gone
		there = cut + gone
		i += n
	}
	if moved == 0 {
		return 0
	}
	k.move(there, end, moved)
	k.clear(end-moved, end)
	if k.end == end {
		k.end -= moved
	}
	k.last, k.laid = int(k.end/chunkSamples), int(k.end%chunkSamples)
	return moved
}

// pause is how many blocks from the first one on are no louder than a limit.
func pause(loud []int16, limit int16) (n int) {
	for n < len(loud) && loud[n] <= limit {
		n++
	}
	return n
}

// quietest is up to what loudness a block is quiet beside the others.
func quietest(loud []int16) int16 {
	least, most := loud[0], loud[0]
	for _, v := range loud {
		least, most = min(least, v), max(most, v)
	}
	return min(max(most/quietShare, whisper), max(2*min(least, most/2), faint))
}

// peak is the loudest of n samples from a position on.
func (k *track) peak(c *code, pos, n int64) (most int16) {
	for n > 0 {
		at, offset := k.at(pos)
		m := min(n, int64(chunkSamples-offset))
		switch {
		case at.codes != nil:
			for _, b := range at.codes[offset : offset+int(m)] {
				most = max(most, c.loud[b])
			}
		case at.pcm != nil:
			for _, v := range at.pcm[offset : offset+int(m)] {
				most = max(most, loudness(v))
			}
		}
		pos, n = pos+m, n-m
	}
	return most
}

// move moves what stands from one position to another up by so many samples.
func (k *track) move(from, to, by int64) {
	for by > 0 && from < to {
		source, in := k.at(from)
		at, offset := k.at(from - by)
		n := min(to-from, int64(chunkSamples-in), int64(chunkSamples-offset))
		switch {
		case source.codes != nil:
			copy(at.codes[offset:offset+int(n)], source.codes[in:])
		case source.pcm != nil:
			copy(at.pcm[offset:offset+int(n)], source.pcm[in:])
		}
		from += n
	}
}

// clear writes silence from one position to another.
func (k *track) clear(from, to int64) {
	for from < to {
		at, offset := k.at(from)
		n := min(to-from, int64(chunkSamples-offset))
		switch {
		case at.codes != nil:
			clear(at.codes[offset : offset+int(n)])
		case at.pcm != nil:
			clear(at.pcm[offset : offset+int(n)])
		}
		from += n
	}
}

// Quiet says that nothing can be heard on a channel from one position to another.
func (t *Tape) Quiet(channel int, from, end int64) bool {
	return from >= 0 && t.tracks[channel].peak(&t.code, from, end-from) <= faint
}

// Vacant is the longest stretch of n samples from pos on in which nothing stands on a channel that
// could be heard: from and to are counted from pos.
func (t *Tape) Vacant(channel int, pos int64, n int) (from, to int) {
	k, since := &t.tracks[channel], 0
	for i := range n + 1 {
		if i < n && (pos+int64(i) < 0 || k.peak(&t.code, pos+int64(i), 1) == 0) {
			continue
		}
		if i-since > to-from {
			from, to = since, i
		}
		since = i + 1
	}
	return from, to
}

// at is the chunk of a position, an empty one where there is none, and the place in it.
func (k *track) at(pos int64) (at chunk, offset int) {
	if i := int(pos / chunkSamples); i < len(k.chunks) {
		at = k.chunks[i]
	}
	return at, int(pos % chunkSamples)
}
