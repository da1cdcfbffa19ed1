package train

import (
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// width is the number of inputs of the second stage.
const width = Outputs + emotion.Traits

// stack is the second stage: from all sums and the traits of a text to each output.
type stack [Outputs][width]float32

// stacked is a training example of the second stage.
type stacked struct {
	in   [width]float32
	y    row
	form int
}

// formed returns the examples of one form of text.
func formed(all []stacked, form int) (out []stacked) {
	for i := range all {
		if all[i].form == form {
			out = append(out, all[i])
		}
	}
	return out
}

// stackEpochs is the number of passes of the second stage over the texts, stackWeight the
// weight of each.
const (
	stackEpochs = 6
	stackWeight = 0.5
)

// learnStack trains one logistic regression per output, on sums from models that did not see
// the text. It starts from the identity.
func learnStack(all []stacked, epochs int, seed uint64) *stack {
	var m, past stack
	for k := range m {
		m[k][k] = 1
		for j := range past[k] {
			past[k][j] = 20
		}
	}
	random := rand.New(rand.NewPCG(seed, 3))
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	for e := range epochs {
		rate := 0.1 * (1 - float32(e)/float32(epochs))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			s := &all[i]
			p := m.apply(&s.in)
			for k := range m {
				g := (p[k] - s.y[k]) * stackWeight
				if g < 0.002 && g > -0.002 {
					continue
				}
				for j, v := range s.in {
					d := float32(g * v)
					past[k][j] += float32(d * d)
					m[k][j] -= float32(rate * d / root(past[k][j]))
				}
			}
		}
	}
	return &m
}

// apply returns the probabilities of the outputs.
func (m *stack) apply(in *[width]float32) (p row) {
	for k := range m {
		var z float32
		for j, v := range in {
			z += float32(m[k][j] * v)
		}
		p[k] = sigmoid(z)
	}
	return p
}

// said returns one bit for each output that reaches its limit.
func (m *stack) said(in *[width]float32, limits *row) (said uint32) {
	for k, p := range m.apply(in) {
		if p >= limits[k] {
			said |= 1 << k
		}
	}
	return said
}
