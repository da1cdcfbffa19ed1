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

// temper tells how frustrated a turn of the caller's sounds where it stands: from its words, from those that the caller
// said before, and from what the rules make of it (signs, what the agent did, whom it is said of). What the agent says of
// feelings is not the caller's: its words are not read. It is a logistic regression that package emotion/train
// makes of rated calls: patience comes to its end in more words than any list of phrases has.
type temper struct {
	bias    float32
	weights map[uint32]float32
}

// Fact is something that can be seen in a turn, by the hash of what it is, and how much of it there is.
type Fact struct {
	Hash  uint32
	Value float32
}

// TemperWeights is what training leaves behind: the weight of each fact that tells something, in steps.
type TemperWeights struct {
	Bias, Step float32
	// Hashes are in order, each with its weight at the same place.
	Hashes  []uint32
	Weights []int8
}

const (
	temperMagic = "RTT1"
	temperHead  = 4 + 4 + 4 + 4
	temperRow   = 4 + 1
)

// Bytes is the file form of the weights.
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

// loadTemper reads weights in the form that TemperWeights.Bytes gives.
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

// of is how frustrated a turn with such facts sounds, 0 to 1.
func (t *temper) of(facts []Fact) float64 {
	z := t.bias
	for _, f := range facts {
		z += float32(t.weights[f.Hash] * f.Value)
	}
	return 1 / (1 + math.Exp(-float64(z)))
}

// The kinds of words, and how much those of one turn count together.
const (
	ownWords    = 'o'
	formerWords = 'f'

	ownShare    = 1.5
	formerShare = 0.8
)

// wordsOf are the words of the text whose features were taken last, with their neighbours, each once.
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

// sightOf are the words of the text that was read last and those of the caller's turn before as facts, and the words for the next turn.
func sightOf(x *Extractor, former []uint32) (facts []Fact, own []uint32) {
	own = x.wordsOf()
	facts = make([]Fact, 0, len(own)+len(former)+factsAtMost)
	facts = weighed(facts, own, ownWords, ownShare)
	return weighed(facts, former, formerWords, formerShare), own
}

// weighed adds words of a kind as a vector of a length.
func weighed(facts []Fact, words []uint32, kind uint32, length float64) []Fact {
	each := float32(length / math.Sqrt(float64(len(words))+1e-9))
	for _, h := range words {
		facts = append(facts, Fact{mix(h ^ kind*0x9e3779b1), each})
	}
	return facts
}

// factsAtMost is how many facts ruledFacts adds at most.
const factsAtMost = 64

// ruledShare is how much what the rules say counts beside the words.
const ruledShare = 0.8

// ruledFacts adds what the rules make of a turn: it is the n-th of the caller's, and worst is how frustrated the worst one before it was.
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
	if !f.sorry { // sympathy refuses nothing
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

// Seen is what can be seen in a turn of the caller's, which is the Turn-th of the call.
type Seen struct {
	Turn  int
	Facts []Fact
}

// See returns what the temper goes by in each turn of the caller's, for whoever trains it.
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
