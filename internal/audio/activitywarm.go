package audio

// lineSamples is how many samples a line of the processor's cache holds, telephoneNear
// how many of the last window are kept on a telephone line.
const lineSamples, telephoneNear = 32, 96

// Warm reads what the next Step will need, line by line of the processor's cache, so that
// it is there by then. What it returns means nothing.
func (a *Activity) Warm() int64 {
	f, d := &a.floor, &a.behind
	sum := float32(a.frames) + f.smooth[1] + f.current[4] + f.before[7] + d.smooth + d.crests.highest + d.recent.low
	for i := 0; i < telephoneNear; i += lineSamples {
		sum += float32(a.near[i])
	}
	return int64(sum)
}
