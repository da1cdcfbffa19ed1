package speech

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var (
	// pounds matches an amount that a local voice says without its currency.
	pounds = regexp.MustCompile(`([£€])\s?(\d+(?:,\d{3})*)(?:\.(\d\d)\b)?`)
	// reach matches the dash between two numbers.
	reach = regexp.MustCompile(`(\d)\s?[–—]\s?(\d)`)
	// half matches the end of a number with a half.
	half = regexp.MustCompile(`(\d)\s?½`)
)

// wordsForMarks are what is said for marks and letters that a local voice would pass over.
var wordsForMarks = strings.NewReplacer( //nolint:gochecknoglobals // made once
	"’", "'", "‘", "'", "“", `"`, "”", `"`, "–", ", ", "—", ", ", "…", "...", "&", " and ", "°", " degrees", "½", "half",
	"ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "þ", "th", "ı", "i",
)

// latin writes text with the letters and marks of English. The local voices leave out all others:
// "Zoë" would be "Zo", and "£40" forty of nothing.
func latin(text string) string {
	text = pounds.ReplaceAllStringFunc(text, func(amount string) string {
		part := pounds.FindStringSubmatch(amount)
		unit := map[string]string{"£": " pound", "€": " euro"}[part[1]]
		if part[2] != "1" {
			unit += "s"
		}
		if part[3] == "" || part[3] == "00" {
			return part[2] + unit
		}
		return part[2] + unit + " " + part[3]
	})
	text = wordsForMarks.Replace(half.ReplaceAllString(reach.ReplaceAllString(text, "$1 to $2"), "$1 and a half"))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) { // the accent of a letter
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}
