package lenient_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// of returns an object with one field, "a".
func of(value any) lenient.Object { return lenient.Of(map[string]any{"a": value}) }

// An object with more fields than a word has bits, of which every third is read.
func TestRestOfManyFields(t *testing.T) {
	t.Parallel()
	values, names := map[string]any{"nothing": nil}, []string{}
	for i := range 300 {
		names = append(names, "field "+strconv.Itoa(i))
		values[names[i]] = true
	}
	o := lenient.Of(values)
	o.Done("not there")
	var want []string
	for i, name := range names {
		if i%3 == 0 {
			o.Done(name)
			continue
		}
		want = append(want, name)
	}
	slices.Sort(want)
	if got := o.Rest(); !slices.Equal(got, want) {
		t.Errorf("the rest are %q, want %q", got, want)
	}
}

func TestWordIsMadeOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain word": "plain word", "": "", " ": "", " before": "before", "behind ": "behind", "a\tb\nc": "a b c", "a\x7fb": "a b",
		"größer": "größer", "\u00a0wide\u3000": "wide", "12345678901234567890xyz": "12345678901234567890", strings.Repeat("é", 11): strings.Repeat("é", 10),
	} {
		if got := of(text).Word("a", 20); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestPhoneThatWasTakenForAnAmount(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]string{
		json.Number("1.5550100123E10"): "15550100123", json.Number("15550100123.0"): "15550100123", json.Number("15550100123"): "15550100123", "15550100123.0": "15550100123",
		"+15550100123.0": "+15550100123", "+15550100123": "+15550100123", "0155.0": "0155", "1.55501E+10": "1.55501E+10", "555.010.0": "555.010.0", "x.0": "x.0", ".0": ".0",
		"sip:1@10.0": "sip:1@10.0", json.Number("0.5"): "0.5", json.Number("-5.0"): "-5.0", json.Number("1e300"): "1e300", true: "",
	} {
		if got := of(value).Phone("a", 128); got != want {
			t.Errorf("%v becomes %q, want %q", value, got, want)
		}
	}
}

func TestNumberIsReadAsParseFloatDoes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0", "7", "007", "-7", "+7", "1.5", "1e3", "1_000", "0x10", "", " ", "-", "12a", "999999999999999", "9007199254740993", "123456789012345678901234567890", "Inf", "NaN", "１",
	} {
		want, err := strconv.ParseFloat(text, 64)
		isNumber := err == nil && want-want == 0
		for _, value := range []any{text, json.Number(text)} {
			if got, ok := of(value).Number("a"); ok != isNumber || ok && got != want {
				t.Errorf("%q is %v, %v; want %v, %v", text, got, ok, want, isNumber)
			}
		}
	}
}
