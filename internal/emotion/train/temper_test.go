package train

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// The embedded weights of the temper are exactly those that this package's calls give.
func TestTemperIsWhatTheCallsGive(t *testing.T) {
	t.Parallel()
	m, err := emotion.New()
	if err != nil {
		t.Fatal(err)
	}
	calls, err := Calls()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../temper.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(Temper(m, calls).Bytes(), want) {
		t.Error("go run ./bench/feeling --temper --write internal/emotion/temper.bin makes other weights, and the engine then needs another name")
	}
}

func TestReadCalls(t *testing.T) {
	t.Parallel()
	const good = "== upset: a tenant\nA: Hello.\nC0: It is the boiler.\nA: Again?\nC3: Again.\n\n== calm: a guest\nC1: Hi."
	calls, err := readCalls("me", good)
	if err != nil || len(calls) != 2 || !calls[0].Upset || calls[1].Upset || len(calls[0].Turns) != 4 || calls[0].Degrees[3] != 3 || calls[1].Degrees[0] != 1 || calls[1].Hand != "me" {
		t.Errorf("%+v, %v", calls, err)
	}
	for bad, why := range map[string]string{
		"A: Hello.":                "no speaker",
		"== cross: him\nA: Hello.": "neither",
		"== calm: him\nHello.":     "no speaker",
		"== calm: him\nC5: Hello.": "no speaker",
		"== calm: him\nC: Hello.":  "no speaker",
	} {
		if _, err := readCalls("me", bad); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
