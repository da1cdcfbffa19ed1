package emotion

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

var update = flag.Bool("update", false, "rewrite the golden file; refused where a result changed and its engine's name did not")

// golden is the result of the engines for fixed calls, with their names.
type golden struct {
	Words, Behaviour, Voice string
	// Read are the results for words, Felt those for calls, Heard the arousals of a planted
	// voice.
	Read  map[string]call.TurnFeeling
	Felt  []call.Feeling
	Heard []float64
}

func present(t *testing.T) golden {
	t.Helper()
	m := model(t)
	g := golden{Words: WordsEngine, Behaviour: BehaviourEngine, Voice: VoiceEngine, Read: map[string]call.TurnFeeling{}}
	for _, text := range []string{
		"I'd like to book a table for two", "This is great, thank you so much!", "I am so disappointed", "what do you mean", "oh no, I'm scared", "okay",
		"it made me really sad", "you people are useless", "that's the wrong one", "haha :)",
	} {
		w := m.Words(text)
		t := told{words: w}
		t.words.Count = 0 // words only: no sign, no courtesy
		t.judge(true)
		t.frustration = t.ruled
		f := t.feeling(true)
		g.Read[text] = f
	}
	for _, d := range dialogues(t, set{file: "dialogues.txt"})[:6] {
		g.Felt = append(g.Felt, m.Feel(Input{Turns: d.turns}))
	}
	calm, raised := tone{120, 0.5, 0.8, 2.5}, tone{150, 0.9, 0.85, 2.2}
	for _, x := range m.Feel(planted([]tone{calm, calm, raised, calm}, -1, true)).Turns {
		g.Heard = append(g.Heard, *x.Arousal)
	}
	return g
}

// A changed result needs a new name of the engine that produced it.
func TestEnginesChangeWithResults(t *testing.T) {
	t.Parallel()
	now := present(t)
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil && !*update {
		t.Fatal(err)
	}
	if err == nil {
		var before golden
		if err := json.Unmarshal(data, &before); err != nil {
			t.Fatal(err)
		}
		same := func(a, b any) bool {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return bytes.Equal(x, y)
		}
		if !same(before.Read, now.Read) && before.Words == now.Words {
			t.Errorf("words are read in another way, but the engine is still %q", now.Words)
		}
		if !same(before.Heard, now.Heard) && before.Voice == now.Voice {
			t.Errorf("the voice is heard in another way, but the engine is still %q", now.Voice)
		}
		if !same(before.Felt, now.Felt) && before.Words == now.Words && before.Behaviour == now.Behaviour {
			t.Errorf("calls are felt in another way, but the engines are still %q and %q", now.Words, now.Behaviour)
		}
		if !*update && (before.Words != now.Words || before.Behaviour != now.Behaviour || before.Voice != now.Voice) {
			t.Error("the golden file is of other engines: run with -update")
		}
	}
	if !*update || t.Failed() {
		return
	}
	out, err := json.MarshalIndent(now, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/golden.json", append(out, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
