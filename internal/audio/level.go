package audio

import "math"

// FloorDB is the level of digital silence, the lowest level.
const FloorDB = -100.0

// Level returns the level of pcm in dBFS, FloorDB for silence or no samples.
func Level(pcm []int16) float64 {
	if len(pcm) == 0 {
		return FloorDB
	}
	return Decibels(Energy(pcm) / float64(len(pcm)))
}

// squares returns the sum of squares; it is the portable implementation of Energy.
func squares(pcm []int16) int64 {
	var e int64
	for _, s := range pcm {
		e += int64(s) * int64(s)
	}
	return e
}

// Decibels converts a mean square to dBFS.
func Decibels(power float64) float64 {
	if power <= 0 {
		return FloorDB
	}
	return max(10*math.Log10(power/(32768*32768)), FloorDB)
}

// meanSquare is the inverse of Decibels.
func meanSquare(db float64) float64 { return 32768 * 32768 * math.Pow(10, db/10) }

// clipAt is just below the largest value that mu-law can say (32124).
const clipAt = 32000

// Clipping returns the share (0 to 1) of samples that stand in a run of three
// or more at the top of the range (from 32000 on, which both laws of G.711 can
// still reach). One peak that touches the top is no clipping.
func Clipping(pcm []int16) float64 {
	if len(pcm) == 0 {
		return 0
	}
	clipped, run, side := 0, 0, 0
	for i := 0; i <= len(pcm); i++ {
		now := 0
		if i < len(pcm) {
			now = extreme(pcm[i])
		}
		if now == side && now != 0 {
			run++
			continue
		}
		if run >= 3 {
			clipped += run
		}
		side, run = now, min(now*now, 1)
	}
	return float64(clipped) / float64(len(pcm))
}

func extreme(s int16) int {
	switch {
	case s >= clipAt:
		return 1
	case s <= -clipAt:
		return -1
	}
	return 0
}

// Dropouts finds the holes in running sound: 10 to 500 ms of digital silence
// (no sample beyond ±8, the smallest step of mu-law) with sound above −40 dBFS
// in the 5 ms on either side. A speaker who pauses fades; a lost packet does not.
func Dropouts(pcm []int16, rate int) []Span {
	var found []Span
	edge := max(rate/200, 1)
	for i := 0; i < len(pcm); {
		if !still(pcm[i]) {
			i++
			continue
		}
		end := i
		for end < len(pcm) && still(pcm[end]) {
			end++
		}
		n := end - i
		if n >= rate/100 && n <= rate/2 && i >= edge && end+edge <= len(pcm) &&
			Level(pcm[i-edge:i]) > -40 && Level(pcm[end:end+edge]) > -40 {
			found = append(found, Span{i, end})
		}
		i = end
	}
	return found
}

func still(s int16) bool { return s >= -8 && s <= 8 }

// Silent reports digital silence: no sample beyond the smallest step of mu-law.
func Silent(pcm []int16) bool {
	for _, s := range pcm {
		if !still(s) {
			return false
		}
	}
	return true
}
