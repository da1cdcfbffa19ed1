package phrase

import "strings"

// contraction writes out a contracted word. The "'s" of a possessive and of
// "is" cannot be told apart without grammar, so only the words in the list are
// written out and every other "'s" loses its apostrophe.
func contraction(w string) (string, bool) {
	if long, ok := wholeContractions[w]; ok {
		return long, true
	}
	if w == "o'clock" {
		return "oclock", true
	}
	for _, end := range []struct{ short, long string }{
		{"n't", " not"}, {"'ll", " will"}, {"'re", " are"}, {"'ve", " have"}, {"'d", " would"}, {"'m", " am"},
	} {
		if head, ok := strings.CutSuffix(w, end.short); ok && head != "" && !strings.ContainsAny(head, "'-") {
			return head + end.long, true
		}
	}
	return "", false
}

var wholeContractions = map[string]string{ //nolint:gochecknoglobals // made once, not for each word
	"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "ain't": "is not",
	"it's": "it is", "that's": "that is", "what's": "what is", "there's": "there is", "here's": "here is",
	"he's": "he is", "she's": "she is", "who's": "who is", "where's": "where is", "how's": "how is",
	"let's": "let us", "i'm": "i am",
}

// spelling brings variants of one spoken word together.
func spelling(w string) (string, bool) {
	switch w {
	case "ok":
		return "okay", true
	case "dr":
		return "doctor", true
	case "mr":
		return "mister", true
	case "mrs":
		return "missus", true
	case "alright":
		return "all right", true
	case "thankyou":
		return "thank you", true
	case "goodbye":
		return "good bye", true
	case "gonna":
		return "going to", true
	case "wanna":
		return "want to", true
	case "everyday":
		return "every day", true
	}
	return shortForm(w)
}

// shortForm writes out what is written short and never said so.
func shortForm(w string) (string, bool) {
	switch w {
	case "min", "mins":
		return "minutes", true
	case "hr":
		return "hour", true
	case "hrs":
		return "hours", true
	case "mon":
		return "monday", true
	case "tue", "tues":
		return "tuesday", true
	case "wed":
		return "wednesday", true
	case "thu", "thur", "thurs":
		return "thursday", true
	case "fri":
		return "friday", true
	case "sept":
		return "september", true
	}
	return "", false
}
