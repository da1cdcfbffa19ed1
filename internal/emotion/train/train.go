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

// material is everything that is learned from.
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

// learn trains on texts for which the thresholds are chosen, and on others.
func learn(examples, phone []Example, o Options) *emotion.Weights {
	say := func(format string, args ...any) {
		if o.Progress != nil {
			fmt.Fprintf(o.Progress, format+"\n", args...)
		}
	}
	m := newMaterial(append(slices.Clip(examples), phone...))
	say("%d texts, %d features", len(m.text), len(m.v.hash))
	held := m.held(say)
	// The thresholds are for the data alone: telephone talk has other shares.
	own := 2 * len(examples)
	say("%s", crossed(held[:own], m.origin))
	return m.finish(held, own)
}

// held has each text summed up by a linear model that has not seen it.
func (m *material) held(say func(string, ...any)) []stacked {
	held := make([]stacked, len(m.bags))
	for fold := range folds {
		m.hold(fold, held)
		say("fold %d of %d", fold+1, folds)
	}
	return held
}

// hold learns from all parts but one, and sums the texts of that one up.
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

// finish makes the weights of what the folds came to, the first own of which are
// those that the thresholds are for.
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

// traits are the plain facts of texts, and their forms.
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

// crossed tells how well the two stages with their thresholds do on parts of the
// data that neither has seen: the second stage and the thresholds come from one
// half of the examples and are tried on the other.
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
