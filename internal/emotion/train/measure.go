package train

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// f1 is the harmonic mean of precision and recall.
func f1(hit, said, real float64) float64 {
	if said+real == 0 {
		return 0
	}
	return 2 * hit / (said + real)
}

// threshold returns the score from which on an output counts as present such that F1 is
// greatest. The curve of F1 over the ranks is smoothed first, so that no single text
// decides.
func threshold(scores []float32, truth []bool) float32 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	if len(scores) == 0 {
		return 0.5
	}
	total := 0.0
	for _, t := range truth {
		if t {
			total++
		}
	}
	curve := make([]float64, len(order))
	hit := 0.0
	for rank, i := range order {
		if truth[i] {
			hit++
		}
		curve[rank] = f1(hit, float64(rank+1), total)
	}
	wide := int(total/12) + 1
	best, at := -1.0, 0
	sum := make([]float64, len(curve)+1)
	for i, c := range curve {
		sum[i+1] = sum[i] + c
	}
	for i := range curve {
		if i > int(4*total)+10 {
			break
		}
		a, b := max(0, i-wide), min(len(curve), i+wide+1)
		if m := (sum[b] - sum[a]) / float64(b-a); m > best {
			best, at = m, i
		}
	}
	if at+1 < len(order) {
		return (scores[order[at]] + scores[order[at+1]]) / 2
	}
	return scores[order[at]]
}

// Tally counts predictions for texts, and how many were right.
type Tally struct{ hit, said, real [Outputs]float64 }

// F1 returns the F1 of one output.
func (t *Tally) F1(k int) float64 { return f1(t.hit[k], t.said[k], t.real[k]) }

// Texts returns how many texts really have the output.
func (t *Tally) Texts(k int) int { return int(t.real[k]) }

// Add adds a text: a bit for each predicted output, and the truth.
func (t *Tally) Add(said uint32, y *row) {
	for k := range y {
		yes := said>>k&1 == 1
		if yes {
			t.said[k]++
		}
		if y[k] == 1 {
			t.real[k]++
			if yes {
				t.hit[k]++
			}
		}
	}
}

// Macro returns the mean F1 over the labels, and over positive, negative, ambiguous and
// neutral.
func (t *Tally) Macro() (labels, groups float64) {
	for k := range Outputs - 1 {
		f := t.F1(k)
		if k < emotion.Labels {
			labels += f / emotion.Labels
		}
		if k >= emotion.Neutral {
			groups += f / 4
		}
	}
	return labels, groups
}
