package caller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func TestLinesAreSynthesisedOnceForAllCalls(t *testing.T) {
	t.Parallel()
	m, cache := &fakeMouth{}, NewCache(defaultCacheBytes)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := Prepare(t.Context(), m, cache, script(say("one"), say("two"), hangUp())); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(m.said) != 4 {
		t.Errorf("synthesised %q, want each of two lines and two phrases once", m.said)
	}
	other := script(say("one"), hangUp())
	other.Input.Persona.Pitch = 1.5
	if _, err := Prepare(t.Context(), m, cache, other); err != nil || len(m.said) != 7 {
		t.Errorf("another voice needs lines of its own, synthesised %d, want 7, %v", len(m.said), err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	m, cache := &fakeMouth{}, NewCache(200_000)
	for i := range 20 {
		if _, err := Prepare(t.Context(), m, cache, script(say(fmt.Sprintf("line number %d", i)), hangUp())); err != nil {
			t.Fatal(err)
		}
	}
	if got := cache.Bytes(); got > 200_000 || got == 0 {
		t.Errorf("the cache holds %d bytes, want some and at most 200000", got)
	}
}

func TestMouthThatFails(t *testing.T) {
	t.Parallel()
	cache := NewCache(defaultCacheBytes)
	m := &fakeMouth{fail: errBroken}
	if _, err := Prepare(t.Context(), m, cache, script(say("one"))); !errors.Is(err, errBroken) {
		t.Errorf("gave %v, want %v", err, errBroken)
	}
	m.fail = nil
	if _, err := Prepare(t.Context(), m, cache, script(say("one"))); err != nil {
		t.Errorf("a failure was kept: %v", err)
	}
	for name, clip := range map[string]audio.Clip{
		"nothing": {}, "silence": {PCM: make([]int16, 16000), Rate: 16000}, "no rate": {PCM: make([]int16, 10)},
		"endless": {PCM: make([]int16, 4000*301), Rate: 4000}, "a scrap": {PCM: audio.Tone(300, 8000, 20*time.Millisecond, 8000), Rate: 8000},
		"something else": {PCM: audio.Tone(300, 8000, 8*time.Second, 8000), Rate: 8000},
	} {
		if _, err := Prepare(t.Context(), clipMouth(clip), NewCache(1000), script(say("one"))); err == nil {
			t.Errorf("%s was taken for speech", name)
		}
	}
}

type clipMouth audio.Clip

func (m clipMouth) Say(context.Context, scenario.Persona, string, string) (audio.Clip, error) {
	return audio.Clip(m), nil
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	lines, err := Prepare(t.Context(), &fakeMouth{}, NewCache(defaultCacheBytes), script(say("one")))
	if err != nil {
		t.Fatal(err)
	}
	ears := func() (leg.Ears, error) {
		t.Error("ears were started for a caller that cannot be made, and nobody closes them")
		return &fakeEars{}, nil
	}
	deaf := func() (leg.Ears, error) { return nil, noAnswer() }
	branch := script(scenario.Step{Branch: &scenario.Branch{}})
	for name, o := range map[string]Options{
		"lines":           {Item: script(say("one"))},
		"model":           {Item: goal(), Lines: lines, Ears: ears, Mouth: &fakeMouth{}},
		"mouth":           {Item: goal(), Lines: lines, Ears: ears, Model: chat.Model(&fakeModel{})},
		"ears":            {Item: branch, Lines: lines},
		"ears that start": {Item: branch, Lines: lines, Ears: deaf},
	} {
		if _, err := New(o); problem.As(err) == nil {
			t.Errorf("without %s: %v, want a problem that says so", name, err)
		}
	}
}

func TestHoldsAny(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, phrase string
		want         bool
	}{
		{"I didn’t catch that.", "didn't catch", true},
		{"That is forty-two dollars", "42", true},
		{"at 10:30", "ten thirty", true},
		{"ten thirty", "10:30", true},
		{"It is at ten thirty. One moment, please.", "ten thirty", true},
		{"at ten thirty, two of them", "10:30, two", true},
		{"at ten thirty-one", "ten thirty", false},
		{"the catalogue", "cat", false},
		{"Très bien", "TRÈS", true},
		{"", "x", false},
		{"x", "...", false},
		{"one twenty", "1 20", true},
		{"a cleaning costs one hundred twenty dollars", "120 dollars", true},
		{"a cleaning costs one hundred and twenty dollars", "$120", true},
		{"that is a hundred dollars", "$100", true},
		{"a cleaning costs 120 dollars", "one hundred and twenty", true},
		{"a cleaning costs one hundred twenty dollars", "100", false},
		{"between one hundred and two hundred", "200", true},
		{"between one hundred and two hundred", "100 and 200", true},
		{"nine hundred ninety nine", "999", true},
		{"it costs a hundred. Five are left", "105", false},
		{"room one hundred. and five chairs", "105", false},
		{"we do not have any", "don't have", true},
		{"I cannot see it", "can't see", true},
		{"that’s all, we’re done", "that is all we are done", true},
		{"ten percent off", "10% off", true},
		{"the doctor's office", "doctors office", true},
		{"we do have any", "don't have", false},
		// Scripts without spaces: the characters must follow one another, however they are parted.
		{"您好，今天没有预约了。", "没有预约", true},
		{"今天 没有 预约", "没有预约", true},
		{"今天有预约", "没有预约", false},
		{"上午9点开门", "9点", true},
		{"上午19点开门", "9点", false},
		{"コーヒーをどうぞ", "コーヒー", true},
		{"สวัสดีครับ", "สวัสดี", true},
		{"ein Cafe\u0301 in Mu\u0308nchen", "café in München", true},
		{"ein Café in München", "cafe\u0301 in mu\u0308nchen", true},
		{"カ\u3099イト\u3099です", "ガイド", true},
	} {
		if got := holdsAny(test.text, []string{test.phrase}) != ""; got != test.want {
			t.Errorf("%q in %q: %v, want %v", test.phrase, test.text, got, test.want)
		}
	}
}

func FuzzHoldsAny(f *testing.F) {
	f.Add("ten thirty-one", "10")
	f.Add("\xff'’", "zero oh")
	f.Fuzz(func(t *testing.T, text, phrase string) {
		if plainWords(phrase) != "" && holdsAny(text+" "+phrase, []string{phrase}) == "" && holdsAny(phrase, []string{phrase}) == "" {
			t.Errorf("%q is not found in itself", phrase)
		}
		sentenceEnd(text)
	})
}
