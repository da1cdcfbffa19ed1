package phrase

import "strings"

// contraction expands a contracted word. The "'s" of a possessive and that of "is"
// cannot be told apart without grammar, so only the listed words are expanded, and any
// other "'s" loses its apostrophe.
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

// spelling unifies the spellings of a spoken word.
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
	case "thanks":
		return "thank you", true
	case "hyphen":
		return "dash", true
	}
	return shortForm(w)
}

// shortForm expands abbreviations that are never spoken as such, and negations that some transcripts
// write without an apostrophe. "St" may be a saint or
// a street and "Sat" a day, which Same handles; units of one letter are spoken as such, or are
// ambiguous.
func shortForm(w string) (string, bool) {
	long, ok := shortForms[w]
	return long, ok
}

var shortForms = map[string]string{ //nolint:gochecknoglobals // made once, not for each word
	"sec": "seconds", "secs": "seconds", "min": "minutes", "mins": "minutes", "hr": "hour", "hrs": "hours",
	"mon": "monday", "mondays": "monday", "tue": "tuesday", "tues": "tuesday", "tuesdays": "tuesday",
	"wed": "wednesday", "wednesdays": "wednesday",
	"thu": "thursday", "thur": "thursday", "thurs": "thursday", "thursdays": "thursday",
	"fri": "friday", "fridays": "friday", "saturdays": "saturday", "sundays": "sunday", "sept": "september",
	"mg": "milligrams", "kg": "kilograms", "kgs": "kilograms", "kilos": "kilograms", "ml": "milliliters",
	"cm": "centimeters", "km": "kilometers", "kms": "kilometers", "ft": "feet", "lb": "pounds", "lbs": "pounds",
	"oz": "ounces", "yr": "years", "yrs": "years", "wk": "weeks", "wks": "weeks", "mph": "miles per hour", "mb": "megabytes",
	"gb": "gigabytes", "gigs": "gigabytes", "tb": "terabytes", "mbps": "megabits per second", "sq": "square",
	"approx": "approximately", "ave": "avenue", "rd": "road", "blvd": "boulevard", "ln": "lane", "hwy": "highway",
	"apt": "apartment", "ste": "suite", "ext": "extension", "dept": "department", "appt": "appointment", "acct": "account",
	"dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not",
	"hasnt": "has not", "havent": "have not", "hadnt": "had not", "cant": "can not", "couldnt": "could not", "wont": "will not",
	"wouldnt": "would not", "shouldnt": "should not",
}
