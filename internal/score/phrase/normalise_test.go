package phrase

import (
	"strings"
	"testing"
)

func written(text string) string {
	var out []string
	for _, t := range Normalise(text) {
		s := t.String()
		if t.Kind != Word {
			s = "<" + s + ">"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                   "",
		"Hello, World!":                      "hello world",
		"I don't think it's OK":              "i do not think it is okay",
		"I don’t, you’ll see: we're Anna's":  "i do not you will see we are annas",
		"ten thirty":                         "<10> <30>",
		"10:30":                              "<10> <30>",
		"at 10:30 a.m.":                      "at <10> <30> <am>",
		"ten thirty a m":                     "<10> <30> <am>",
		"ten thirty in the morning":          "<10> <30> <am>",
		"10am":                               "<10> <am>",
		"ten o'clock":                        "<10>",
		"10:00":                              "<10>",
		"14:30":                              "<2> <30> <pm>",
		"ten oh five":                        "<10> <0> <5>",
		"10:05":                              "<10> <0> <5>",
		"at for o'clock":                     "at <4>",
		"half past ten":                      "<10> <30>",
		"quarter to one":                     "<12> <45>",
		"quarter past nine":                  "<9> <15>",
		"noon":                               "<12> <pm>",
		"forty five dollars":                 "<45 dollars>",
		"forty-five dollars":                 "<45 dollars>",
		"$45":                                "<45 dollars>",
		"$45.00":                             "<45 dollars>",
		"$1,250.50":                          "<1250.50 dollars>",
		"forty five dollars and fifty cents": "<45.50 dollars>",
		"$45.50":                             "<45.50 dollars>",
		"one hundred and forty five dollars": "<145 dollars>",
		"a hundred dollars":                  "<100 dollars>",
		"€9":                                 "<9 euros>",
		"one hundred five":                   "<105>",
		"three thousand two hundred":         "<3200>",
		"twelve hundred":                     "<1200>",
		"one forty five":                     "<1> <45>",
		"twenty twenty six":                  "<20> <26>",
		"four five seven one":                "<4> <5> <7> <1>",
		"555-0123":                           "<555> <0123>",
		"four point five percent":            "<4.5> percent",
		"10%":                                "<10> percent",
		"March 3rd":                          "<march 3>",
		"march third":                        "<march 3>",
		"the third of march":                 "the <march 3>",
		"3 March":                            "<march 3>",
		"2026-03-03":                         "<march 3>",
		"march twenty first":                 "<march 21>",
		"march second":                       "<march 2>",
		"one second please":                  "<1> second please",
		"the 21st":                           "the <21st>",
		"twenty first":                       "<21st>",
		"room B12":                           "room b <12>",
		"Dr. Miller & Mrs. Jones":            "doctor miller and missus jones",
		"You may 3 times":                    "you <may 3> times",
		"nine and five":                      "<9> and <5>",
		"nine to five":                       "<9> to <5>",
		"from 9:00 to 17:00":                 "from <9> to <5> <pm>",
	} {
		if got := written(in); got != want {
			t.Errorf("Normalise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNormaliseSameHoweverSpoken(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"$45", "45 dollars", "forty five dollars", "Forty-five dollars."},
		{"10:30", "ten thirty", "half past ten"},
		{"March 3rd", "march third", "3 march", "2026-03-03"},
		{"3:15 pm", "three fifteen p m", "15:15", "quarter past three in the afternoon"},
	} {
		for _, other := range same[1:] {
			if a, b := written(same[0]), written(other); a != b {
				t.Errorf("%q is %q but %q is %q", same[0], a, other, b)
			}
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"ten thirty", "$45.50", "a hundred", "oh five oh", "point", "march", "2026-99-99", "\xff\xfe", "0:00am", "99999999999999999999", "twenty twenty twenty"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := strings.Fields(s)
		for _, tok := range Normalise(s) {
			if tok.First < 0 || tok.Last < tok.First || tok.Last >= len(words) {
				t.Fatalf("token %+v lies outside %d words", tok, len(words))
			}
		}
	})
}
