package train

import "math/rand/v2"

// Outputs is how many things are learned of a text: the 28 labels, whether it is
// positive, negative, ambiguous, and whether it is neither positive nor negative.
const Outputs = 32

type row = [Outputs]float32

// linearOptions are how the linear part is learned.
type linearOptions struct {
	epochs int
	rate   float32
	drop   float32 // share of the features left out at each look
	decay  float32
	boost  float32 // exponent of the weight of rare labels
	seed   uint64
	nb     float32
}

// linear is a logistic regression per output.
type linear struct {
	weights []row
	bias    row
}

// Targets spreads labels over the outputs.
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

// The groups of the labels, a bit per label.
const (
	positive  = 1<<0 | 1<<1 | 1<<4 | 1<<5 | 1<<8 | 1<<13 | 1<<15 | 1<<17 | 1<<18 | 1<<20 | 1<<21 | 1<<23
	negative  = 1<<2 | 1<<3 | 1<<9 | 1<<10 | 1<<11 | 1<<12 | 1<<14 | 1<<16 | 1<<19 | 1<<24 | 1<<25
	ambiguous = 1<<6 | 1<<7 | 1<<22 | 1<<26
	neutral   = 1 << 27
)

// learnLinear trains on bags with their targets by stochastic descent with a
// rate per weight (Adagrad).
func learnLinear(bags []bag, ys []row, weights []float32, size int, o linearOptions) *linear {
	m := &linear{weights: make([]row, size)}
	m.prior(bags, ys, o)
	past := make([]row, size)
	var pastBias row
	for i := range past {
		for k := range past[i] {
			past[i][k] = 0.05
		}
	}
	for k := range pastBias {
		pastBias[k] = 1
	}
	var cost row
	for k := range cost {
		n := float32(1)
		for i := range ys {
			n += ys[i][k]
		}
		cost[k] = exponential(o.boost * logarithm(float32(len(ys))/n/5))
	}
	random := rand.New(rand.NewPCG(o.seed, 1))
	order := make([]int, len(bags))
	for i := range order {
		order[i] = i
	}
	kept, values := make([]int32, 0, 1024), make([]float32, 0, 1024)
	for e := range o.epochs {
		rate := o.rate * (1 - float32(e)/float32(o.epochs))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			b := &bags[i]
			kept, values = kept[:0], values[:0]
			for j, f := range b.features {
				if random.Uint32() >= uint32(o.drop*4294967040) {
					kept = append(kept, f)
					values = append(values, b.values[j]/(1-o.drop))
				}
			}
			z := m.bias
			m.sum(&z, kept, values)
			var active [Outputs]int
			var slope [Outputs]float32
			n := 0
			for k := range z {
				g := (sigmoid(z[k]) - ys[i][k]) * weights[i]
				if ys[i][k] == 1 {
					g *= cost[k]
				}
				if g > 0.004 || g < -0.004 {
					active[n], slope[n] = k, g
					n++
				}
			}
			for j, f := range kept {
				w, p := &m.weights[f], &past[f]
				for a, k := range active[:n] {
					g := float32(slope[a]*values[j]) + float32(o.decay*w[k])
					p[k] += float32(g * g)
					w[k] -= float32(rate * g / root(p[k]))
				}
			}
			for a, k := range active[:n] {
				pastBias[k] += float32(slope[a] * slope[a])
				m.bias[k] -= float32(rate * 0.3 * slope[a] / root(pastBias[k]))
			}
		}
	}
	return m
}

func (m *linear) sum(z *row, features []int32, values []float32) {
	for j, f := range features {
		w, v := &m.weights[f], values[j]
		for k := range z {
			z[k] += float32(w[k] * v)
		}
	}
}

// prior starts from the log-count ratios of naive Bayes.
func (m *linear) prior(bags []bag, ys []row, o linearOptions) {
	count := make([]row, len(m.weights))
	texts := make([]float32, len(m.weights))
	var total row
	for i := range bags {
		for _, f := range bags[i].features {
			texts[f]++
			for k, y := range ys[i] {
				count[f][k] += y
			}
		}
		for k, y := range ys[i] {
			total[k] += y
		}
	}
	n := float32(len(bags))
	for k := range total {
		m.bias[k] = logarithm((total[k] + 1) / (n - total[k] + 1))
	}
	if o.nb == 0 {
		return
	}
	for f := range m.weights {
		for k := range m.weights[f] {
			p := total[k] / n
			in := (count[f][k] + 2*p) / (texts[f] + 2)
			in = min(in, 0.999)
			m.weights[f][k] = o.nb * (logarithm(in/(1-in)) - logarithm((p+1e-6)/(1-p+1e-6)))
		}
	}
}
