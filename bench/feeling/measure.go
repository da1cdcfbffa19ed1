package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/bench/peer"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/emotion/train"
)

// report is everything that was measured.
type report struct {
	config config
	texts  int
	// written and heard are the F1 of each output for the two forms of the texts.
	written, heard train.Tally
	// sentiments are three-way, by the set that they were measured on.
	sentiments []*sentiment
	us, vader  float64
	bytes      int
	hands      []hand
	note       string
}

// sentiment compares two readers on texts with a known sign.
type sentiment struct {
	name       string
	ours, peer confusion
}

// confusion counts truth (first index) against prediction: negative, neutral, positive.
type confusion [3][3]float64

// macro returns the mean F1 of the three.
func (c *confusion) macro() float64 {
	sum := 0.0
	for k := range 3 {
		var said, real float64
		for j := range 3 {
			said += c[j][k]
			real += c[k][j]
		}
		if said+real > 0 {
			sum += 2 * c[k][k] / (said + real) / 3
		}
	}
	return sum
}

// labelled is a text with its sign: 0 negative, 1 neutral, 2 positive.
type labelled struct {
	text string
	sign int
}

func measure(ctx context.Context, c config) (*report, error) {
	m, err := emotion.New()
	if err != nil {
		return nil, err
	}
	r := &report{config: c, bytes: emotion.WeightBytes()}
	sets, order, err := serviceSets()
	if err != nil {
		return nil, err
	}
	texts := make([]string, 0, 6000)
	for _, s := range sets[order[0]] {
		texts = append(texts, s.text)
	}
	if c.data != "" {
		examples, err := train.Read(c.data, c.split)
		if err != nil {
			return nil, err
		}
		written, heard := r.labels(m, examples)
		sets["GoEmotions "+c.split], sets["GoEmotions "+c.split+", as heard"] = written, heard
		order = append([]string{"GoEmotions " + c.split, "GoEmotions " + c.split + ", as heard"}, order...)
		texts = texts[:0]
		for _, e := range examples {
			texts = append(texts, e.Text)
		}
	}
	r.us = cost(m, texts, c.quick)
	if !c.quick {
		if r.hands, err = judgeHands(); err != nil {
			return nil, err
		}
	}
	vader, err := startVader(ctx)
	if err != nil {
		r.note = "VADER is left out: " + err.Error()
	} else {
		defer vader.Stop()
	}
	for _, name := range order {
		s, err := r.signs(m, vader, name, sets[name])
		if err != nil {
			return nil, err
		}
		r.sentiments = append(r.sentiments, s)
	}
	return r, nil
}

// labels measures the outputs and returns the texts that have one sign.
func (r *report) labels(m *emotion.Model, examples []train.Example) (written, heard []labelled) {
	random := rand.New(rand.NewPCG(r.config.seed, 9))
	r.texts = len(examples)
	for _, e := range examples {
		spoken := train.AsHeard(e.Text, random)
		y := train.Targets(e.Labels)
		a, b := m.Words(e.Text), m.Words(spoken)
		r.written.Add(a.Said, &y)
		r.heard.Add(b.Said, &y)
		sign := 1 + int(y[emotion.Positive]) - int(y[emotion.Negative])
		if y[emotion.Positive] == 1 && y[emotion.Negative] == 1 {
			continue
		}
		written = append(written, labelled{e.Text, sign})
		heard = append(heard, labelled{spoken, sign})
	}
	return written, heard
}

// cost returns the time of a reading in microseconds, on one core: the best of five rounds.
func cost(m *emotion.Model, texts []string, quick bool) float64 {
	best := time.Duration(1 << 62)
	rounds := 5
	if quick {
		rounds = 2
	}
	for range rounds {
		begun := time.Now()
		for _, text := range texts {
			m.Words(text)
		}
		best = min(best, time.Since(begun))
	}
	return float64(best.Nanoseconds()) / 1000 / float64(len(texts))
}

// signs makes both readers predict the sentiment of texts.
func (r *report) signs(m *emotion.Model, peer *vader, name string, all []labelled) (*sentiment, error) {
	s := &sentiment{name: name}
	var spent time.Duration
	for _, x := range all {
		f := m.Feel(emotion.Input{Turns: []call.Turn{{Speaker: call.Caller, Text: x.text}}})
		said := 1
		if len(f.Turns) > 0 {
			said = signOf(f.Turns[0].Sentiment)
		}
		s.ours[x.sign][said]++
		if peer == nil {
			continue
		}
		score, took, err := peer.ask(x.text)
		if err != nil {
			return nil, err
		}
		spent += took
		switch { // VADER's own thresholds
		case score >= 0.05:
			s.peer[x.sign][2]++
		case score <= -0.05:
			s.peer[x.sign][0]++
		default:
			s.peer[x.sign][1]++
		}
	}
	if r.vader == 0 {
		r.vader = float64(spent.Nanoseconds()) / 1000 / float64(len(all))
	}
	return s, nil
}

func signOf(s call.Sentiment) int {
	switch s {
	case call.Negative:
		return 0
	case call.Positive:
		return 2
	case call.Neutral:
	}
	return 1
}

// serviceSets returns the sets of service talk by name, and the names in order. The last three are
// reported in halves: corrections made after they had been seen were based on the errors in half A
// only.
func serviceSets() (sets map[string][]labelled, order []string, err error) {
	sets = map[string][]labelled{}
	for _, s := range [][2]string{{"first", "service.tsv"}, {"second", "second.tsv"}, {"third", "third.tsv"}, {"fourth", "fourth.tsv"}, {"fifth", "fifth.tsv"}} {
		all, err := serviceTurns(s[1])
		if err != nil {
			return nil, nil, err
		}
		name := "service turns, " + s[0] + " set"
		if s[0] == "first" || s[0] == "second" {
			sets[name], order = all, append(order, name)
			continue
		}
		for i, x := range all {
			half := name + ", half " + string("AB"[i%2])
			sets[half] = append(sets[half], x)
		}
		order = append(order, name+", half A", name+", half B")
	}
	return sets, order, nil
}

// serviceTurns returns the labelled turns in the tests of package emotion.
func serviceTurns(file string) ([]labelled, error) {
	root, err := peer.Root()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(root, "internal", "emotion", "testdata", file))
	if err != nil {
		return nil, err
	}
	var out []labelled
	for line := range strings.Lines(string(data)) {
		label, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("%s: %q has no label", file, line)
		}
		out = append(out, labelled{text, signOf(call.Sentiment(label))})
	}
	return out, nil
}
