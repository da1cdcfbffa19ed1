package audio

// lineSamples and lineBands are how many samples and bands a line of the processor's cache holds.
const lineSamples, lineBands = 32, 16

// Warm reads what the next Step will need, so that it is in the processor's cache by
// then. No read waits for another. What it returns means nothing.
func (a *Activity) Warm() int64 {
	sum := a.frames + a.since
	for i := 0; i < len(a.recent); i += lineSamples {
		sum += int64(a.recent[i])
	}
	return sum + a.floor.warm() + a.behind.warm()
}

func (f *floor) warm() int64 {
	sum := float32(f.inBlock)
	for _, bands := range [...]*[bandCount]float32{&f.now, &f.smooth, &f.before, &f.lows[f.block]} {
		for b := 0; b < bandCount; b += lineBands {
			sum += bands[b]
		}
		sum += bands[bandCount-1]
	}
	return int64(sum)
}

func (d *backdrop) warm() int64 {
	return int64(d.smooth + d.recent.low + d.recent.lows[0] + d.recent.highs[d.recent.block] + d.crests.highest + d.crests.top + d.guess)
}
