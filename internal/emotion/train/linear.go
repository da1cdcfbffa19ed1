package train

import "math/rand/v2"

// Outputs is the number of outputs learned: the 28 labels, and whether a text is
// positive, negative, ambiguous, or neither positive nor negative.
const Outputs = 32

type row = [Outputs]float32

// linearOptions configure the training of the linear stage.
type linearOptions struct {
	epochs int
	rate   float32
	drop   float32 // share of the features left out each time
	seed   uint64
}

// linear is one logistic regression per output.
type linear struct {
	weights []row
	bias    row
}

// Targets returns the outputs for labels.
func Targets(labels uint32) (y row) {
	for k := range 28 {
		if labels>>k&1 == 1 {
			y[k] = 1
		}
	}
	p, n := labels&positive != 0, labels&negative != 0
	set := func(k int, on bool) {
		if on {
			y[k] = 1
		}
	}
	set(28, p)
	set(29, n)
	set(30, labels&ambiguous != 0)
	set(31, !p && !n)
	return y
}

// The groups of the labels, with one bit per label.
const (
	positive  = 1<<0 | 1<<1 | 1<<4 | 1<<5 | 1<<8 | 1<<13 | 1<<15 | 1<<17 | 1<<18 | 1<<20 | 1<<21 | 1<<23
	negative  = 1<<2 | 1<<3 | 1<<9 | 1<<10 | 1<<11 | 1<<12 | 1<<14 | 1<<16 | 1<<19 | 1<<24 | 1<<25
	ambiguous = 1<<6 | 1<<7 | 1<<22 | 1<<26
)

// learner trains a linear model by stochastic gradient descent with a learning rate per
// weight (Adagrad).
type learner struct {
	m       *linear
	options linearOptions
	random  *rand.Rand
	// past are the sums of the squared gradients so far.
	past     []row
	pastBias row
	// features and values are what was kept of the current bag.
	features []int32
	values   []float32
	// active are the outputs with more than a negligible gradient, slope the gradients.
	active []int
	slope  []float32
}

// trifle is the gradient below which an output is left unchanged.
const trifle = 0.004

// learnLinear trains on bags with their targets.
func learnLinear(bags []bag, ys []row, weights []float32, size int, o linearOptions) *linear {
	l := learner{m: &linear{weights: make([]row, size), bias: shares(ys)}, options: o, past: make([]row, size)}
	for i := range l.past {
		for k := range l.past[i] {
			l.past[i][k] = 0.05
		}
	}
	for k := range l.pastBias {
		l.pastBias[k] = 1
	}
	l.random = rand.New(rand.NewPCG(o.seed, 1))
	order := make([]int, len(bags))
	for i := range order {
		order[i] = i
	}
	for e := range o.epochs {
		rate := o.rate * (1 - float32(e)/float32(o.epochs))
		l.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			l.keep(&bags[i])
			l.look(&ys[i], weights[i])
			l.step(rate)
		}
	}
	return l.m
}

// shares returns the logits of the frequencies of the outputs.
func shares(ys []row) (bias row) {
	var total row
	for i := range ys {
		for k, y := range ys[i] {
			total[k] += y
		}
	}
	n := float32(len(ys))
	for k := range total {
		bias[k] = logarithm((total[k] + 1) / (n - total[k] + 1))
	}
	return bias
}

// keep drops some features of a bag at random.
func (l *learner) keep(b *bag) {
	l.features, l.values = l.features[:0], l.values[:0]
	drop := l.options.drop
	for j, f := range b.features {
		if l.random.Uint32() >= uint32(drop*4294967040) {
			l.features = append(l.features, f)
			l.values = append(l.values, b.values[j]/(1-drop))
		}
	}
}

// look computes the gradients of the outputs.
func (l *learner) look(y *row, weight float32) {
	z := l.m.bias
	l.m.sum(&z, l.features, l.values)
	l.active, l.slope = l.active[:0], l.slope[:0]
	for k := range z {
		if g := (sigmoid(z[k]) - y[k]) * weight; g > trifle || g < -trifle {
			l.active, l.slope = append(l.active, k), append(l.slope, g)
		}
	}
}

// step updates the weights.
func (l *learner) step(rate float32) {
	for j, f := range l.features {
		w, p := &l.m.weights[f], &l.past[f]
		for a, k := range l.active {
			g := float32(l.slope[a] * l.values[j])
			p[k] += float32(g * g)
			w[k] -= float32(rate * g / root(p[k]))
		}
	}
	for a, k := range l.active {
		l.pastBias[k] += float32(l.slope[a] * l.slope[a])
		l.m.bias[k] -= float32(rate * 0.3 * l.slope[a] / root(l.pastBias[k]))
	}
}

func (m *linear) sum(z *row, features []int32, values []float32) {
	for j, f := range features {
		w, v := &m.weights[f], values[j]
		for k := range z {
			z[k] += float32(w[k] * v)
		}
	}
}
