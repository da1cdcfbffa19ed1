package train

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// Options are what training can be told.
type Options struct {
	// Progress is told what is going on, nil for nothing.
	Progress io.Writer
}

// folds is the number of parts of the training data, each of which is judged by
// a model that has not seen it.
const folds = 4

// texts are examples twice over: as they are, and as heard.
type texts struct {
	text []string
	y    []row
	// origin is the example that a text is of.
	origin []int
}

// doubled makes the texts of examples.
func doubled(examples []Example, seed uint64) texts {
	random := rand.New(rand.NewPCG(seed, 4))
	var t texts
	for i, e := range examples {
		y := Targets(e.Labels)
		t.text = append(t.text, e.Text, AsHeard(e.Text, random))
		t.y = append(t.y, y, y)
		t.origin = append(t.origin, i, i)
	}
	return t
}

// Make trains the weights on labelled texts and on those of Phone.
func Make(examples []Example, o Options) (*emotion.Weights, error) {
	phone, err := Phone(1)
	if err != nil {
		return nil, err
	}
	return learn(examples, phone, o), nil
}

// learn trains on texts for which the thresholds are chosen, and on others.
func learn(examples, phone []Example, o Options) *emotion.Weights {
	say := func(format string, args ...any) {
		if o.Progress != nil {
			fmt.Fprintf(o.Progress, format+"\n", args...)
		}
	}
	learned := len(examples)
	t := doubled(append(slices.Clip(examples), phone...), 1)
	v := newVocabulary(t.text, [emotion.Blocks]int{5, 12})
	say("%d texts, %d features", len(t.text), len(v.hash))
	bags := v.bags(t.text)
	traits := v.traits(t.text)
	weights := make([]float32, len(bags))
	for i := range weights {
		weights[i] = 0.5
	}
	lo := linearOptions{epochs: 5, rate: 0.15, drop: 0.2, seed: 1}
	held := make([]stacked, len(bags))
	for fold := range folds {
		var bs []bag
		var ys []row
		var ws []float32
		for i := range bags {
			if t.origin[i]%folds != fold {
				bs, ys, ws = append(bs, bags[i]), append(ys, t.y[i]), append(ws, weights[i])
			}
		}
		m := learnLinear(bs, ys, ws, len(v.hash), lo)
		m = unpacked(m.rows(v), m.bias)
		for i := range bags {
			if t.origin[i]%folds == fold {
				held[i] = stacked{in: m.in(&bags[i], traits[i]), y: t.y[i]}
			}
		}
		say("fold %d of %d", fold+1, folds)
	}
	out := &emotion.Weights{}
	second := learnStack(held, weights, 4, 1)
	out.Stack = *second
	// The thresholds are for the data alone: telephone talk has other shares.
	own := held[:2*learned]
	out.Limits = limits(second, own)
	say("%s", crossed(own, t.origin, weights))
	m := learnLinear(bags, t.y, weights, len(v.hash), lo)
	out.Bias, out.Rows = m.bias, m.rows(v)
	return out
}

func (m *linear) in(b *bag, traits [emotion.Traits]float32) (in [width]float32) {
	z := m.bias
	m.sum(&z, b.features, b.values)
	copy(in[:], z[:])
	copy(in[Outputs:], traits[:])
	return in
}

// limits chooses the thresholds.
func limits(m *stack, held []stacked) (out row) {
	all := make([]row, len(held))
	for i := range held {
		all[i] = m.apply(&held[i].in)
	}
	scores, truth := make([]float32, len(held)), make([]bool, len(held))
	for k := range out {
		for i := range held {
			scores[i], truth[i] = all[i][k], held[i].y[k] == 1
		}
		out[k] = threshold(scores, truth)
	}
	return out
}

// traits are the plain facts of texts.
func (v *vocabulary) traits(texts []string) [][emotion.Traits]float32 {
	out := make([][emotion.Traits]float32, len(texts))
	var x emotion.Extractor
	for i, text := range texts {
		known, all := 0, 0
		for _, f := range x.Features(text) {
			all++
			if _, ok := v.index[f.Hash]; ok {
				known++
			}
		}
		out[i] = emotion.TraitsOf(&x, known, all)
	}
	return out
}

// crossed tells how well the two stages with their thresholds do on parts of the
// data that neither has seen: the second stage and the thresholds come from one
// half of the examples and are tried on the other.
func crossed(held []stacked, origin []int, weights []float32) string {
	var as, heard Tally
	for half := range 2 {
		var learn, try []stacked
		var ws []float32
		for i := range held {
			if origin[i]/folds%2 == half {
				learn, ws = append(learn, held[i]), append(ws, weights[i])
			} else {
				try = append(try, held[i])
			}
		}
		m := learnStack(learn, ws, 4, 1)
		l := limits(m, learn)
		for i := range try {
			p := m.apply(&try[i].in)
			var said uint32
			for k := range p {
				if p[k] >= l[k] {
					said |= 1 << k
				}
			}
			if i%2 == 0 {
				as.Add(said, &try[i].y)
			} else {
				heard.Add(said, &try[i].y)
			}
		}
	}
	a, b := as.Macro()
	c, d := heard.Macro()
	return fmt.Sprintf("cross-validated: labels %.4f, groups %.4f; as heard: labels %.4f, groups %.4f", a, b, c, d)
}
