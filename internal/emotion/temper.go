package emotion

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

//go:embed temper.bin
var embeddedTemper []byte //nolint:gochecknoglobals // an embedded file has to be one

// temper judges how frustrated a turn of the caller sounds in its place: from its words, from the
// caller's words before, and from what the rules find (signs, the agent's behaviour, whom it is
// directed at). The agent's words are not used, because feelings in them are not the caller's. It
// is a logistic regression that package emotion/train learns from rated calls: impatience has more
// words than any list of phrases.
type temper struct {
	bias    float32
	weights map[uint32]float32
}

// Fact is a property of a turn, as a hash, with its amount.
type Fact struct {
	Hash  uint32
	Value float32
}

// TemperWeights is the result of training: the weights of the facts that matter, in steps.
type TemperWeights struct {
	Bias, Step float32
	// Hashes are sorted; each has its weight at the same index.
	Hashes  []uint32
	Weights []int8
}

const (
	temperMagic = "RTT1"
	temperHead  = 4 + 4 + 4 + 4
	temperRow   = 4 + 1
)

// Bytes returns the encoded weights.
func (w *TemperWeights) Bytes() []byte {
	out := append(make([]byte, 0, temperHead+len(w.Hashes)*temperRow), temperMagic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(w.Hashes)))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(w.Bias))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(w.Step))
	for i, h := range w.Hashes {
		out = append(binary.LittleEndian.AppendUint32(out, h), byte(w.Weights[i]))
	}
	return out
}

// loadTemper decodes weights encoded by TemperWeights.Bytes.
func loadTemper(data []byte) (*temper, error) {
	if len(data) < temperHead || string(data[:4]) != temperMagic {
		return nil, errors.New("these are no weights of a temper")
	}
	n := int(binary.LittleEndian.Uint32(data[4:]))
	if len(data) != temperHead+n*temperRow {
		return nil, fmt.Errorf("the weights of the temper are broken: %d rows in %d bytes", n, len(data))
	}
	float := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[at:])) }
	t := &temper{bias: float(8), weights: make(map[uint32]float32, n)}
	for at := temperHead; at < len(data); at += temperRow {
		t.weights[binary.LittleEndian.Uint32(data[at:])] = float32(float32(int8(data[at+4])) * float(12))
	}
	return t, nil
}

// of returns how frustrated a turn with these facts sounds, 0 to 1.
func (t *temper) of(facts []Fact) float64 {
	z := t.bias
	for _, f := range facts {
		z += float32(t.weights[f.Hash] * f.Value)
	}
	return 1 / (1 + math.Exp(-float64(z)))
}

// The kinds of words, and the total weight of those of one turn.
const (
	ownWords    = 'o'
	formerWords = 'f'

	ownShare    = 1.5
	formerShare = 0.8
)

// wordsOf returns the words, and pairs of neighbours, of the text whose features were extracted
// last, without duplicates.
func (x *Extractor) wordsOf() []uint32 {
	var out []uint32
	for _, f := range x.out {
		if f.Block == BlockWords {
			out = append(out, f.Hash)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sightOf returns the facts from the words of the text read last and of the caller's previous turn,
// and the words to pass on for the next turn.
func sightOf(x *Extractor, former []uint32) (facts []Fact, own []uint32) {
	own = x.wordsOf()
	facts = make([]Fact, 0, len(own)+len(former)+factsAtMost)
	facts = weighed(facts, own, ownWords, ownShare)
	return weighed(facts, former, formerWords, formerShare), own
}

// weighed adds words of a kind as a vector of the given length.
func weighed(facts []Fact, words []uint32, kind uint32, length float64) []Fact {
	each := float32(length / math.Sqrt(float64(len(words))+1e-9))
	for _, h := range words {
		facts = append(facts, Fact{mix(h ^ kind*0x9e3779b1), each})
	}
	return facts
}

// factsAtMost is the greatest number of facts that ruledFacts adds.
const factsAtMost = 64

// ruledShare is the weight of what the rules find relative to the words.
const ruledShare = 0.8

// ruledFacts adds what the rules find in a turn: it is the n-th of the caller, and worst is the
// frustration of the worst one before it.
func (t *told) ruledFacts(n int, worst float64) []Fact {
	facts := t.facts
	add := func(name string, v float64) {
		if v != 0 {
			facts = append(facts, Fact{hashOf([]byte(name), 'D'), float32(ruledShare * v)})
		}
	}
	say := func(name string, is bool) {
		if is {
			add(name, 1)
		}
	}
	add("ruled", 2*t.ruled)
	add("valence", t.spoken)
	add("hostile", 2*t.words.hostile())
	add("lasting", 2*t.lasting)
	add("worst", 2*worst)
	for _, s := range t.signs.list() {
		add(string(s), 1)
	}
	f := t.failed
	say("asked", f.asked)
	add("stuck", min(float64(f.stuck), 3)/2)
	say("question", f.question)
	say("gave", f.gave)
	if !f.sorry { // sympathy is no refusal
		add("refused", min(float64(f.refused), 4)/3)
		say("flat", f.flat)
	}
	say("denies", t.denies)
	say("answers", t.answers)
	say("polite", t.polite)
	say("asks", t.asks)
	say("opens", t.opens)
	say("formula", t.formula)
	say("patient", t.patient)
	say("ironic", t.ironic)
	say("concedes", t.concedes)
	say("shouts", t.shouts)
	add([...]string{atAgent: "agent", someone: "someone", outsider: "outsider", oneself: "oneself"}[t.target], 1)
	add("place", min(float64(n), 8)/4)
	add("words", math.Log1p(float64(t.words.Count))/2)
	return facts
}

// Seen are the facts of a turn of the caller; Turn is its index in the call.
type Seen struct {
	Turn  int
	Facts []Fact
}

// See returns the facts that the temper uses for each turn of the caller, for training.
func (m *Model) See(turns []call.Turn) []Seen {
	c := m.course(&Input{Turns: turns})
	c.behave()
	var out []Seen
	worst := 0.0
	for i := range c.turns {
		t := &c.turns[i]
		c.carry(i)
		t.judge(c.english)
		out = append(out, Seen{t.at, t.ruledFacts(i, worst)})
		worst = max(worst, t.ruled)
	}
	return out
}
