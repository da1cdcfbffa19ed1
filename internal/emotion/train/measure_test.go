package train

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

func TestOwnFunctionsAreTheUsualOnes(t *testing.T) {
	t.Parallel()
	for x := float32(-30); x < 30; x += 0.37 {
		if want := math.Exp(float64(x)); math.Abs(float64(exponential(x))/want-1) > 1e-5 {
			t.Errorf("e^%g is %g", x, exponential(x))
		}
	}
	for x := float32(1e-4); x < 1e6; x *= 1.7 {
		if math.Abs(float64(logarithm(x))-math.Log(float64(x))) > 1e-4 {
			t.Errorf("the logarithm of %g is %g", x, logarithm(x))
		}
	}
}

func TestThresholdPartsWhatIsPartable(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var scores []float32
	var truth []bool
	for i := range 1000 {
		yes := i%10 == 0
		s := random.Float32() * 0.4
		if yes {
			s += 0.6
		}
		scores, truth = append(scores, s), append(truth, yes)
	}
	if limit := threshold(scores, truth); limit < 0.35 || limit > 0.7 {
		t.Errorf("the threshold is %g", limit)
	}
}

func TestReadTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"I love it\t18\tx1\nso so\t27,4\tx2\n": true, "no labels\n": false, "bad\t28\tx\n": false, "bad\t-1\tx\n": false, "bad\tjoy\tx\n": false, "": true,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "train.tsv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := Read(dir, "train")
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
		if good && text != "" && (len(all) != 2 || all[1].Labels != 1<<27|1<<4) {
			t.Errorf("%v", all)
		}
	}
}

// The same examples give the same bytes, and the model has learned them.
func TestMakeIsRepeatable(t *testing.T) {
	t.Parallel()
	examples := []Example{}
	for i := range 200 {
		e := []Example{{"I love this so much", 1 << 18}, {"this makes me angry", 1 << 2}, {"see you on monday", 1 << 27}, {"what do you mean by that?", 1 << 6}}[i/3%4] // not in step with the folds
		examples = append(examples, e)
	}
	a, b := learn(examples, examples[:20], Options{}), learn(examples, examples[:20], Options{})
	if string(a.Bytes()) != string(b.Bytes()) {
		t.Error("two trainings differ")
	}
	m, err := emotion.Load(a.Bytes(), (&emotion.TemperWeights{}).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for text, label := range map[string]int{"i love this so much": 18, "This makes me angry!": emotion.Anger, "what do you mean": emotion.Confusion, "see you on monday": emotion.Neutral} {
		if w := m.Words(text); w.P[label] < 0.4 || !w.Is(label) {
			t.Errorf("%q has label %d with %g only", text, label, w.P[label])
		}
	}
}
