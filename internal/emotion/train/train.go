package train

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// Options configure training.
type Options struct {
	// Progress receives messages about progress; nil for none.
	Progress io.Writer
}

// folds is the number of parts of the training data, each of which is judged by
// a model that has not seen it.
const folds = 4

// texts are examples in two forms: as written, and as heard.
type texts struct {
	text []string
	y    []row
	// origin is the index of the example that a text comes from.
	origin []int
}

// doubled returns both forms of examples.
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

// material is the training data.
type material struct {
	texts
	v       *vocabulary
	bags    []bag
	weights []float32
	traits  [][emotion.Traits]float32
	forms   []int
	linear  linearOptions
}

func newMaterial(examples []Example) *material {
	m := &material{texts: doubled(examples, 1), linear: linearOptions{epochs: 5, rate: 0.15, drop: 0.2, seed: 1}}
	m.v = newVocabulary(m.text, [emotion.Blocks]int{5, 17})
	m.bags = m.v.bags(m.text)
	m.traits, m.forms = m.v.traits(m.text)
	m.weights = make([]float32, len(m.bags))
	for i := range m.weights {
		m.weights[i] = 0.5
	}
	return m
}

// learn trains on the texts that thresholds are chosen for, and on others.
func learn(examples, phone []Example, o Options) *emotion.Weights {
	say := func(format string, args ...any) {
		if o.Progress != nil {
			fmt.Fprintf(o.Progress, format+"\n", args...)
		}
	}
	m := newMaterial(append(slices.Clip(examples), phone...))
	say("%d texts, %d features", len(m.text), len(m.v.hash))
	held := m.held(say)
	// Thresholds are chosen on the data alone: telephone speech has other
	// frequencies.
	own := 2 * len(examples)
	say("%s", crossed(held[:own], m.origin))
	return m.finish(held, own)
}

// held computes the sums of each text with a linear model that has not seen it.
func (m *material) held(say func(string, ...any)) []stacked {
	held := make([]stacked, len(m.bags))
	for fold := range folds {
		m.hold(fold, held)
		say("fold %d of %d", fold+1, folds)
	}
	return held
}

// hold trains on all parts but one, and computes the sums of that part's texts.
func (m *material) hold(fold int, held []stacked) {
	var bs []bag
	var ys []row
	var ws []float32
	for i := range m.bags {
		if m.origin[i]%folds != fold {
			bs, ys, ws = append(bs, m.bags[i]), append(ys, m.y[i]), append(ws, m.weights[i])
		}
	}
	first := learnLinear(bs, ys, ws, len(m.v.hash), m.linear)
	first = unpacked(first.rows(m.v), first.bias)
	for i := range m.bags {
		if m.origin[i]%folds == fold {
			held[i] = stacked{in: first.in(&m.bags[i], m.traits[i]), y: m.y[i], form: m.forms[i]}
		}
	}
}

// finish makes the weights from the results of the folds. The thresholds are
// chosen for the first own of them.
func (m *material) finish(held []stacked, own int) *emotion.Weights {
	out := &emotion.Weights{}
	for form := range emotion.Forms {
		second := learnStack(formed(held, form), stackEpochs, 1)
		out.Stack[form], out.Limits[form] = *second, limits(second, formed(held[:own], form))
	}
	first := learnLinear(m.bags, m.y, m.weights, len(m.v.hash), m.linear)
	out.Bias, out.Rows = first.bias, first.rows(m.v)
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

// traits returns the traits of texts, and their forms.
func (v *vocabulary) traits(texts []string) ([][emotion.Traits]float32, []int) {
	out, forms := make([][emotion.Traits]float32, len(texts)), make([]int, len(texts))
	var x emotion.Extractor
	for i, text := range texts {
		known, all := 0, 0
		for _, f := range x.Features(text) {
			all++
			if _, ok := v.index[f.Hash]; ok {
				known++
			}
		}
		out[i], forms[i] = emotion.TraitsOf(&x, known, all), emotion.FormOf(&x)
	}
	return out, forms
}

// crossed describes how well both stages and their thresholds do on data that
// neither has seen: the second stage and the thresholds come from one half of
// the examples and are tested on the other.
func crossed(held []stacked, origin []int) string {
	var as, heard Tally
	for half := range 2 {
		var learn []stacked
		for i := range held {
			if origin[i]/folds%2 == half {
				learn = append(learn, held[i])
			}
		}
		var second [emotion.Forms]*stack
		var limit [emotion.Forms]row
		for form := range second {
			of := formed(learn, form)
			second[form] = learnStack(of, stackEpochs, 1)
			limit[form] = limits(second[form], of)
		}
		for i := range held {
			if origin[i]/folds%2 == half {
				continue
			}
			x := &held[i]
			said := second[x.form].said(&x.in, &limit[x.form])
			if i%2 == 0 {
				as.Add(said, &x.y)
			} else {
				heard.Add(said, &x.y)
			}
		}
	}
	a, b := as.Macro()
	c, d := heard.Macro()
	return fmt.Sprintf("cross-validated: labels %.4f, groups %.4f; as heard: labels %.4f, groups %.4f", a, b, c, d)
}
