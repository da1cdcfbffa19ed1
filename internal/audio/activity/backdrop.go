package activity

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// All levels here are in dBFS.
const (
	// softest is the level from which something is considered to be behind the speaker; levels
	// below noLevel are not distinguished.
	softest, noLevel = -57.0, -60.0
	// overCrest is how far the speaker must rise above the peaks of the background, overUnknown
	// how far while the speaker's level is unknown.
	overCrest, overUnknown = 2.0, 4.0
	// reserve is the assumed minimum distance of those peaks below the speaker's usual peaks.
	reserve = 5.0
	// wayBelow is how far below the speaker's peaks a sound must be to be possibly somebody else's.
	wayBelow = 7.0
	// awayFrames is how long this must have gone on, and nearLow how close to the lowest level
	// of the last seconds it must come, for the speaker to have stopped. In that time the level
	// of a crowd or of music varies by less than awayRange, that of a single voice by more.
	awayFrames, nearLow, awayRange = 14, 11.0, 14.0
	// guessFrames is how long this is assumed without confirmation.
	guessFrames = 60
	// If the level stays within sameRange dB for rangeBlocks blocks, and sameShare of the
	// frames resemble speech, it is not speech.
	sameRange, sameShare = 12.5, 0.85
	// blockFrames is the length of a block; rangeBlocks and crestBlocks are how many blocks are remembered.
	blockFrames, rangeBlocks, crestBlocks = 15, 10, 8
	// settle is the number of frames after speech that are not learnt from.
	settle = 6
)

// backdrop distinguishes the speaker from other voices, music or traffic in the background, by
// level alone. It tracks the speaker's usual peaks, and the peaks of what is heard while nobody
// speaks. If the level stays well below the speaker's peaks without ever getting quiet, the
// speaker has stopped; and what hardly varies for three seconds is not speech at all.
type backdrop struct {
	smooth  float32
	speaker float32 // usual peaks of the speaker; FloorDB if unknown
	share   float32 // share of frames that resemble speech in the last second or two
	unheard int32   // frames since speech

	// away is the current run of frames below the speaker.
	away awayRun
	// guess is the peak of what was taken for background, valid for guessFor more frames.
	guess    float32
	guessFor int32

	crests crests   // of what was heard while nobody spoke
	recent extremes // of everything heard
}

// awayRun is a run of frames that resemble speech far below the speaker's peaks.
type awayRun struct {
	frames    int32
	low, high float32
}

func (d *backdrop) reset() {
	*d = backdrop{smooth: noLevel, speaker: audio.FloorDB, away: awayRun{high: audio.FloorDB}}
	d.recent.reset()
	d.crests.reset()
}

// inFront processes the next frame, given its mean square, its level without clicks (see
// frameLevels), whether its spectrum resembles speech, and whether there was speech before it.
// It reports whether the frame is the speaker's.
func (d *backdrop) inFront(power float64, steady float32, likely, speech bool) bool {
	d.smooth += (max(steady, noLevel) - d.smooth) * 0.4
	d.recent.add(d.smooth)
	d.learn(steady, likely, speech)
	d.follow(steady, likely)
	if !likely || float32(audio.Decibels(power)) <= d.threshold(speech) {
		return false
	}
	if d.gone() {
		d.guess, d.guessFor = d.away.high, guessFrames
		return false
	}
	return !speech || !d.same()
}

// learn updates the peaks of what is heard while nobody speaks, excluding what may be the
// speaker and noise that does not resemble speech.
func (d *backdrop) learn(steady float32, likely, speech bool) {
	d.share -= d.share * 0.01
	if likely {
		d.share += 0.01
	}
	if speech {
		d.unheard = 0
		d.crests.drop()
		return
	}
	if d.unheard++; d.unheard <= settle {
		return
	}
	if known := d.speaker > audio.FloorDB; likely && steady > softest && d.recent.low > softest && !(known && d.smooth > d.speaker-wayBelow) {
		d.crests.add(d.smooth)
	} else {
		d.crests.add(audio.FloorDB)
	}
}

// follow updates the run of frames far below the speaker.
func (d *backdrop) follow(steady float32, likely bool) {
	r := &d.away
	near := d.smooth > d.speaker-wayBelow
	if near {
		d.guessFor = 0
	}
	switch {
	case near || steady < softest:
		*r = awayRun{high: audio.FloorDB}
	case likely:
		r.frames++
		if r.low, r.high = min(r.low, d.smooth), max(r.high, d.smooth); r.high-r.low > awayRange {
			*r = awayRun{low: d.smooth, high: d.smooth}
		}
	default:
		r.frames = max(0, r.frames-2)
	}
}

// threshold returns the level above which a frame is the speaker's.
func (d *backdrop) threshold(speech bool) float32 {
	if d.speaker <= d.crests.highest && !speech {
		d.speaker = audio.FloorDB // the assumed speaker was part of the background
	}
	if d.speaker <= d.crests.highest {
		return d.crests.highest + overUnknown
	}
	crest := d.crests.usual
	if d.guessFor > 0 {
		d.guessFor--
		crest = max(crest, d.guess)
	}
	return min(crest, d.speaker-reserve) + overCrest
}

// gone reports whether the speaker has stopped, though it is not quiet.
func (d *backdrop) gone() bool {
	return d.recent.low > softest && d.away.frames >= awayFrames && d.away.low < d.recent.low+nearLow
}

// same is called while there seems to be speech. It updates the speaker's peaks and reports
// whether it is not speech after all.
func (d *backdrop) same() bool {
	if d.smooth > d.speaker {
		d.speaker += max(0.4, (d.smooth-d.speaker)*0.1)
	} else {
		d.speaker = max(audio.FloorDB, d.speaker-0.02)
	}
	if d.recent.low <= softest || d.recent.high-d.recent.low >= sameRange || d.share < sameShare {
		return false
	}
	d.crests.raise(d.recent.high)
	if d.recent.high > d.speaker-reserve {
		d.speaker = audio.FloorDB
	}
	return true
}

// extremes are the lowest and highest level of the last three seconds. Fields needed in every
// frame are together.
type extremes struct {
	low, high       float32
	lowNow, highNow float32 // of the current block
	block, in       int32
	lows, highs     [rangeBlocks]float32
}

func (x *extremes) reset() {
	*x = extremes{low: audio.FloorDB, high: audio.FloorDB, lowNow: audio.FloorDB, highNow: audio.FloorDB}
	for i := range x.lows {
		x.lows[i], x.highs[i] = audio.FloorDB, audio.FloorDB
	}
}

func (x *extremes) add(level float32) {
	x.lowNow, x.highNow = lesser(x.lowNow, level), greater(x.highNow, level)
	x.low, x.high = lesser(x.low, level), greater(x.high, level)
	if x.in++; x.in < blockFrames {
		return
	}
	x.lows[x.block], x.highs[x.block] = x.lowNow, x.highNow
	x.in, x.block = 0, (x.block+1)%rangeBlocks
	x.lows[x.block], x.highs[x.block] = level, level
	x.lowNow, x.highNow = level, level
	x.low, x.high = level, level
	for i := range x.lows {
		x.low, x.high = min(x.low, x.lows[i]), max(x.high, x.highs[i])
	}
}

// crests are the peaks of the last blocks in which nobody spoke, each the second highest level
// of its block.
type crests struct {
	highest, usual float32 // the highest of them, and the second highest
	top, next      float32 // the highest levels of the current block
	block, in      int32
	blocks         [crestBlocks]float32
}

func (c *crests) reset() {
	*c = crests{highest: audio.FloorDB, usual: audio.FloorDB, top: audio.FloorDB, next: audio.FloorDB}
	for i := range c.blocks {
		c.blocks[i] = audio.FloorDB
	}
}

// drop discards the block interrupted by speech: its end may be the beginning of the speech.
func (c *crests) drop() { c.in, c.top, c.next = 0, audio.FloorDB, audio.FloorDB }

// raise adds a peak at once.
func (c *crests) raise(level float32) {
	c.blocks[c.block] = max(c.blocks[c.block], level)
	c.highest, c.usual = max(c.highest, level), max(c.usual, level)
}

func (c *crests) add(level float32) {
	if level > c.top {
		c.top, c.next = level, c.top
	} else {
		c.next = max(c.next, level)
	}
	if c.in++; c.in < blockFrames {
		return
	}
	c.blocks[c.block] = c.next
	c.block = (c.block + 1) % crestBlocks
	c.blocks[c.block] = audio.FloorDB
	c.drop()
	c.highest, c.usual = audio.FloorDB, audio.FloorDB
	for _, b := range c.blocks {
		if b > c.highest {
			c.highest, c.usual = b, c.highest
		} else {
			c.usual = max(c.usual, b)
		}
	}
}

// frameLevels returns the mean square of a frame, and the level of the quieter half of its
// quarters, which is unaffected by a click.
func frameLevels(pcm []int16) (power float64, steady float32) {
	n := len(pcm) / 4
	if n == 0 {
		return audio.Energy(pcm) / float64(max(len(pcm), 1)), audio.FloorDB
	}
	whole := audio.Energy(pcm[4*n:])
	a, b := math.MaxFloat64, math.MaxFloat64 // the two lowest
	for q := range 4 {
		e := audio.Energy(pcm[q*n : (q+1)*n])
		whole += e
		if e < a {
			a, b = e, a
		} else {
			b = min(b, e)
		}
	}
	return whole / float64(len(pcm)), float32(audio.Decibels((a + b) / float64(2*n)))
}
