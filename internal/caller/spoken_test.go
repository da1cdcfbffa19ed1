package caller

import (
	"slices"
	"strings"
	"testing"
)

func TestOnlyWordsAreSpoken(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"On Monday at nine, please.":                           "On Monday at nine, please.",
		" On\nMonday\tat  nine. ":                              "On Monday at nine.",
		"*sighs* I have been waiting **for weeks**.":           "I have been waiting for weeks.",
		"(laughs nervously) No, *really*!":                     "No, really!",
		"[pauses] *coughs* Hello?":                             "Hello?",
		"*Really* good.":                                       "Really good.",
		"(in the morning, if you can, please)":                 "(in the morning, if you can, please)",
		"(élève la voix) Non.":                                 "Non.",
		"un*believ*able, **Anna**'s":                           "un believ able, Anna's",
		"(In the morning, if you can.)":                        "(In the morning, if you can.)",
		"Great \U0001F600\uFE0F, thanks \U0001F44D\U0001F3FD!": "Great , thanks !",
		"It is 20 °C.":                                         "It is 20 °C.",
		"```\nOn Monday, please.\n```":                         "On Monday, please.",
		"\u202EOn\u200B Monday\uFEFF, ple\u00ADase.":           "On Monday, please.",
		"می\u200Cخواهم":                                        "می\u200Cخواهم",
		"## Booking":                                           "Booking",
		"- A table for two":                                    "A table for two",
		"* A table for two":                                    "A table for two",
		"5 * 3 is _fifteen_, and `my_name` is my name":         "5 * 3 is fifteen, and my name is my name",
		"Press # and then *.":                                  "Press # and then *.",
		"*sighs*":                                              "",
		"*sighs":                                               "sighs",
		"*":                                                    "*",
		"(":                                                    "(",
		"":                                                     "",
		"Grüße, Łukasz – 12 €.":                                "Grüße, Łukasz – 12 €.",
		"नमस्ते, कल नौ बजे।": "नमस्ते, कल नौ बजे।",
	} {
		if got := spoken(written); got != want {
			t.Errorf("%q is spoken as %q, want %q", written, got, want)
		}
	}
}

func FuzzSpoken(f *testing.F) {
	for _, s := range []string{"*a* **b** (c) [d]", "((", "*[", "\xff*a*", "# # - * a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := spoken(s)
		if strings.Join(strings.Fields(got), " ") != got {
			t.Errorf("%q is spoken as %q", s, got)
		}
		// Everything said must be in the original text, in the same order.
		left := []rune(s)
		for _, r := range got {
			if r == ' ' {
				continue // separators may have been another mark
			}
			i := slices.Index(left, r)
			if i < 0 {
				t.Fatalf("%q is spoken as %q", s, got)
			}
			left = left[i+1:]
		}
	})
}
