package train

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/emotion"
)

//go:embed calls/*.txt
var callFiles embed.FS

// Rated is a call with ratings of how frustrated the caller sounds in each turn.
type Rated struct {
	// Hand is who wrote it, by the name of the file.
	Hand  string
	Upset bool
	Turns []call.Turn
	// Degrees are 0 (not at all) to 4 (furious), by the index of the turn.
	Degrees map[int]int
}

// Calls returns this package's rated calls, which are of several hands.
func Calls() ([]Rated, error) {
	names, err := callFiles.ReadDir("calls")
	if err != nil {
		return nil, err
	}
	var all []Rated
	for _, n := range names {
		data, err := callFiles.ReadFile(path.Join("calls", n.Name()))
		if err != nil {
			return nil, err
		}
		calls, err := readCalls(strings.TrimSuffix(n.Name(), ".txt"), string(data))
		if err != nil {
			return nil, err
		}
		all = append(all, calls...)
	}
	return all, nil
}

// readCalls reads calls of one hand: a line "== upset: who" or "== calm: who" before each, then a line for each
// turn, "A: " the agent's and "C0: " to "C4: " the caller's, with how frustrated that one sounds.
func readCalls(hand, text string) ([]Rated, error) {
	var all []Rated
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if head, ok := strings.CutPrefix(line, "== "); ok {
			truth, _, _ := strings.Cut(head, ":")
			if truth != "upset" && truth != "calm" {
				return nil, fmt.Errorf("%s: %q is neither upset nor calm", hand, line)
			}
			all = append(all, Rated{Hand: hand, Upset: truth == "upset", Degrees: map[int]int{}})
			continue
		}
		who, said, ok := strings.Cut(line, ": ")
		if !ok || len(all) == 0 {
			return nil, fmt.Errorf("%s: %q has no speaker", hand, line)
		}
		if err := all[len(all)-1].add(who, said); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", hand, line, err)
		}
	}
	return all, nil
}

// add adds a turn.
func (r *Rated) add(who, said string) error {
	t := call.Turn{Index: len(r.Turns), Speaker: call.Caller, Text: said}
	switch {
	case who == "A":
		t.Speaker = call.Agent
	case len(who) == 2 && who[0] == 'C' && who[1] >= '0' && who[1] <= '4':
		r.Degrees[t.Index] = int(who[1] - '0')
	default:
		return fmt.Errorf("%q is no speaker", who)
	}
	r.Turns = append(r.Turns, t)
	return nil
}

// sounding returns the target for each degree of frustration.
func sounding(degree int) float32 { return [...]float32{0.02, 0.12, 0.4, 0.65, 0.85}[degree] }

// Parameters of training the temper.
const (
	temperRounds = 14
	temperRate   = 0.15
	temperDecay  = 0.002
	temperDrop   = 0.5 // share of the facts left out each time
	temperLeast  = 2   // least number of turns with a fact for it to be used
	temperRows   = 12000
)

// rating is a turn with its target; facts are indexes into the vocabulary.
type rating struct {
	facts  []int32
	values []float32
	want   float32
}

// temperament is a temper in training.
type temperament struct {
	hashes        []uint32
	weights, past []float32
	bias          float32
	ratings       []rating
}

// Temper learns from rated calls how frustrated a turn sounds, using what the model sees in them.
func Temper(m *emotion.Model, calls []Rated) *emotion.TemperWeights {
	t := gathered(m, calls)
	random := rand.New(rand.NewPCG(1, 6))
	for n := range temperRounds {
		rate := temperRate * (1 - float32(n)/float32(temperRounds))
		random.Shuffle(len(t.ratings), func(i, j int) { t.ratings[i], t.ratings[j] = t.ratings[j], t.ratings[i] })
		for i := range t.ratings {
			t.learn(&t.ratings[i], rate, random)
		}
	}
	return t.packed()
}

// gathered numbers the facts of all turns in the order of their hashes.
func gathered(m *emotion.Model, calls []Rated) *temperament {
	turns := map[uint32]int{}
	var seen []emotion.Seen
	var wants []float32
	for _, c := range calls {
		for _, s := range m.See(c.Turns) {
			seen, wants = append(seen, s), append(wants, sounding(c.Degrees[s.Turn]))
			for _, f := range s.Facts {
				turns[f.Hash]++
			}
		}
	}
	t := &temperament{}
	for h, n := range turns {
		if n >= temperLeast {
			t.hashes = append(t.hashes, h)
		}
	}
	slices.Sort(t.hashes)
	place := map[uint32]int32{}
	for i, h := range t.hashes {
		place[h] = int32(i)
	}
	t.weights, t.past = make([]float32, len(t.hashes)), make([]float32, len(t.hashes))
	for i, s := range seen {
		r := rating{want: wants[i]}
		for _, f := range s.Facts {
			if k, ok := place[f.Hash]; ok {
				r.facts, r.values = append(r.facts, k), append(r.values, f.Value)
			}
		}
		t.ratings = append(t.ratings, r)
	}
	return t
}

// learn trains on one turn.
func (t *temperament) learn(r *rating, rate float32, random *rand.Rand) {
	var facts [1024]int32
	var values [1024]float32
	n, z := 0, t.bias
	for j, k := range r.facts {
		if n < len(facts) && random.Uint32() >= uint32(temperDrop*4294967040) {
			facts[n], values[n] = k, r.values[j]/(1-temperDrop)
			z += float32(t.weights[k] * values[n])
			n++
		}
	}
	slope := sigmoid(z) - r.want
	for j, k := range facts[:n] {
		g := float32(slope*values[j]) + float32(temperDecay*t.weights[k])
		t.past[k] += float32(g * g)
		t.weights[k] -= float32(rate * g / root(t.past[k]+0.05))
	}
	t.bias -= float32(rate * 0.1 * slope)
}

// packed returns the most effective weights, in steps.
func (t *temperament) packed() *emotion.TemperWeights {
	does := make([]float32, len(t.hashes))
	for i := range t.ratings {
		for j, k := range t.ratings[i].facts {
			v := float32(t.weights[k] * t.ratings[i].values[j])
			does[k] += float32(v * v)
		}
	}
	order := make([]int, len(does))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case does[a] > does[b]:
			return -1
		case does[a] < does[b]:
			return 1
		}
		return 0
	})
	order = order[:min(len(order), temperRows)]
	slices.Sort(order)
	most := float32(0)
	for _, k := range order {
		most = max(most, t.weights[k], -t.weights[k])
	}
	w := &emotion.TemperWeights{Bias: t.bias, Step: most / 127}
	for _, k := range order {
		if step := rounded(t.weights[k] / w.Step); step != 0 {
			w.Hashes, w.Weights = append(w.Hashes, t.hashes[k]), append(w.Weights, int8(step))
		}
	}
	return w
}
