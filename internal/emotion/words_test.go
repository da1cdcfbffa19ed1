package emotion

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ringtrue/ringtrue/internal/call"
)

func BenchmarkWords(b *testing.B) {
	m := model(b)
	b.ReportAllocs()
	for b.Loop() {
		m.Words("I called about the delivery last week and nobody ever got back to me, so I'd like to know where it is")
	}
}

func TestWordsDoNotAllocate(t *testing.T) {
	if raced {
		t.Skip("the race detector has pools forget at random")
	}
	m := model(t)
	m.Words("warm up the memory with a text that is at least as long as the other one is")
	if n := testing.AllocsPerRun(100, func() { m.Words("that is not what I asked for, is it?") }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A letter with an accent is the same, whether it is written as one character or as two.
func TestWordsHoweverTheirLettersAreComposed(t *testing.T) {
	t.Parallel()
	m := model(t)
	for _, text := range []string{"Sí, no.", "Não, my naïve café", "für, no"} {
		feel := func(text string) call.Feeling {
			return m.Feel(Input{Turns: []call.Turn{{Speaker: call.Caller, Text: text}}})
		}
		if one, two := feel(norm.NFC.String(text)), feel(norm.NFD.String(text)); !reflect.DeepEqual(one, two) {
			t.Errorf("%q: %+v, and decomposed %+v", text, one, two)
		}
	}
}

func TestBrokenWeightsAreRefused(t *testing.T) {
	t.Parallel()
	short := embedded[:len(embedded)-1]
	alien := append([]byte("XXXX"), embedded[4:]...)
	many := bytes.Clone(embedded[:headBytes])
	many[7] = 0xff
	for _, data := range [][]byte{nil, embedded[:3], short, alien, many} {
		if _, err := Load(data, embeddedTemper); err == nil {
			t.Errorf("%d bytes were taken", len(data))
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "hello", "I'M SO HAPPYYYYY!!! :) ❤️", "f*** this s***", "[NAME] is [", "''''", "日本語のテキスト", "\xff\xfe", strings.Repeat("a", 5000), strings.Repeat("! ", 3000), strings.Repeat("! ", maxTokens-1) + "!!", "[A", "a\u0300b"} {
		f.Add(s)
	}
	m := model(f)
	f.Fuzz(func(t *testing.T, s string) {
		w := m.Words(s)
		for k, p := range w.P {
			if math.IsNaN(float64(p)) || p < 0 || p > 1 {
				t.Fatalf("output %d is %g", k, p)
			}
		}
		var tok tokens
		tok.cut(s)
		if len(tok.all) > maxTokens || len(tok.text) > 3*maxText {
			t.Fatalf("%d tokens, %d bytes", len(tok.all), len(tok.text))
		}
		for _, k := range tok.all {
			if k.start >= k.end || utf8.ValidString(s) && !utf8.Valid(tok.of(k)) {
				t.Fatalf("token %q", tok.of(k))
			}
		}
	})
}
