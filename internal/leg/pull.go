package leg

// Pull searches the last pullBlocks blocks for pauses; there are pullBlock blocks to a second.
const (
	pullBlock  = 50
	pullBlocks = 4 * pullBlock
)

// A pause is at least pauseBlocks long, longer than the stop within a word or a nearly silent
// consonant. pauseEdge blocks at either end belong to the neighbouring words.
const (
	pauseBlocks = 10
	pauseEdge   = 2
)

// A block is quiet if its peak is at most faint, or at most twice that of the quietest block (room
// noise), but in either case at most a share of the loudest block, since the words of a soft speaker
// may be that faint. A peak up to whisper is always quiet.
const (
	faint      = 32 // -60 dBFS
	whisper    = 8
	quietShare = 16 // -24 dB
)

// Pull shifts the audio on a channel before end earlier, by up to by samples, because it turned out to have been
// said earlier than was assumed. It returns the shift. Room is made by shortening pauses after from, earlier ones
// first; speech is kept whole, and what precedes the first shortened pause stays in place. Pull is meant for rare
// use: it scans up to four seconds, which allocates nothing and takes at most a tenth of a millisecond.
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

// alike returns the start of the run of chunks up to end that store samples in the same form. Moving
// samples between such chunks allocates nothing.
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

// close shortens pauses in the blocks of size samples that begin at first, by at most by samples in
// total, and moves what follows up. It returns the number of samples removed.
func (k *track) close(loud []int16, first, size, by int64) (moved int64) {
	limit := quietest(loud)
	end := first + int64(len(loud))*size
	there := first // everything before is in place already
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

// pause returns the number of leading blocks no louder than limit.
func pause(loud []int16, limit int16) (n int) {
	for n < len(loud) && loud[n] <= limit {
		n++
	}
	return n
}

// quietest returns the peak up to which a block counts as quiet among the others.
func quietest(loud []int16) int16 {
	least, most := loud[0], loud[0]
	for _, v := range loud {
		least, most = min(least, v), max(most, v)
	}
	return min(max(most/quietShare, whisper), max(2*min(least, most/2), faint))
}

// peak returns the largest absolute value of n samples from pos.
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

// move copies the samples from from to to earlier by by samples.
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

// clear writes silence from from to to.
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

// Quiet reports whether nothing audible stands on a channel from from to end.
func (t *Tape) Quiet(channel int, from, end int64) bool {
	return from >= 0 && t.tracks[channel].peak(&t.code, from, end-from) <= faint
}

// Vacant returns the longest run of zero samples among the n samples from pos. from and to are
// relative to pos.
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

// at returns the chunk that holds pos, empty if there is none, and the offset within it.
func (k *track) at(pos int64) (at chunk, offset int) {
	if i := int(pos / chunkSamples); i < len(k.chunks) {
		at = k.chunks[i]
	}
	return at, int(pos % chunkSamples)
}
