package train

import "github.com/ringtrue/ringtrue/internal/emotion"

// rows quantises the weights for the file.
func (m *linear) rows(v *vocabulary) []emotion.Row {
	out := make([]emotion.Row, len(v.hash))
	for f := range out {
		r := &out[f]
		r.Hash, r.Rarity = v.hash[f], rarityCode(v.idf[f])
		var most float32
		for _, w := range m.weights[f] {
			most = max(most, w, -w)
		}
		for r.Step < 255 && emotion.StepOf(r.Step)*127 < most {
			r.Step++
		}
		step := emotion.StepOf(r.Step)
		for k, w := range m.weights[f] {
			r.Weights[k] = int8(rounded(w / step))
		}
	}
	return out
}

// unpacked returns the model with quantised weights.
func unpacked(rows []emotion.Row, bias row) *linear {
	m := &linear{weights: make([]row, len(rows)), bias: bias}
	for f := range rows {
		step := emotion.StepOf(rows[f].Step)
		for k, w := range rows[f].Weights {
			m.weights[f][k] = float32(w) * step
		}
	}
	return m
}

func rarityCode(idf float32) uint8 { return uint8(min(max(rounded(idf*20), 1), 255)) }

func rounded(v float32) int {
	if v < 0 {
		return -int(-v + 0.5)
	}
	return int(v + 0.5)
}
