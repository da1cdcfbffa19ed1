package draft

import (
	"strings"
	"testing"
	"unicode"
)

// leaks tells whether a word of a line is one that had to go, or holds figures that had.
func leaks(line, gone string) bool {
	for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w == gone || unicode.IsDigit([]rune(gone)[0]) && strings.Contains(w, gone) {
			return true
		}
	}
	return false
}

// Lines as people say them, and the words that must not be left of their numbers.
func TestNumbersAsTheyAreReadOut(t *testing.T) {
	t.Parallel()
	for line, gone := range map[string]string{
		"it's four two four two, uh, four two four two, um, nine nine one eight":       "four two eight nine",
		"four two uh four two um nine nine":                                            "four two nine",
		"two one two, dash, eight six seven, dash, three three oh nine":                "two eight six seven three nine",
		"my number is six-six-seven, nine-eight-two-two":                               "six seven nine eight two",
		"four double two, six triple nine":                                             "four two six nine",
		"oh seven seven double four nine":                                              "seven four nine",
		"the card is forty-two forty-two sixty-three ninety-one":                       "forty two sixty three ninety",
		"It's forty two, forty two, sixty three, ninety one.":                          "forty two sixty three ninety",
		"forty one eleven, eleven eleven, eleven eleven, eleven eleven":                "forty eleven",
		"six o seven o nine eight":                                                     "six seven nine eight o",
		"five five seven… nine six two":                                                "seven nine six two",
		"my pin is one two and then three four":                                        "one two three four",
		"eight hundred, two two three, seven seven six six":                            "two three seven six",
		"it's seven as in seven then four six nine eight":                              "four six nine eight",
		"oh three, oh four, nineteen eighty five":                                      "three four nineteen eighty",
		"ninety eight seven six five four":                                             "ninety eight seven six four",
		"FOUR TWO FOUR TWO":                                                            "FOUR TWO",
		"the zip is nine oh two one oh":                                                "nine two oh",
		"My card is 4242-4242-4242-4242":                                               "4242",
		"4242 4242 uh 4242 4242":                                                       "4242",
		"it's 12 uh 34 um 56":                                                          "12 34 56",
		"my social is 123-45-6789":                                                     "123 45 6789",
		"it is 45:51 61:99, pin 24:60":                                                 "45 51 61 99 24 60",
		"my number is 20.30.12.45":                                                     "20 30 12 45",
		"it is $4250.99":                                                               "4250 99",
		"born 03/04/1985":                                                              "1985 03 04",
		"IBAN GB29 NWBK 6016 1331 9268 19":                                             "6016 1331 9268 19",
		"policy QX77-44-LM":                                                            "77 44",
		"policy Q X seven seven four four":                                             "seven four",
		"sure, my phone's four one five, um, five five eight, uh, two six seven three": "four eight two six seven three",
		"it's nine nine, sixty six, four one":                                          "nine sixty four",
		"account six space seven space eight space nine":                               "six seven eight nine",
		"triple eight, nine two":                                                       "eight nine two",
		"+44 (0)20 7946 0958, extension 12":                                            "44 20 7946 0958",
		"the last four are... uh... six, six... two, nine":                             "six two nine",
		"it is ４２４２":                                                                   "４",
		"number: (212) 867 - 5309":                                                     "867 5309 212",
	} {
		got := withoutNumbers(line)
		for w := range strings.FieldsSeq(gone) {
			if leaks(got, w) {
				t.Errorf("%q becomes %q, which keeps %q", line, got, w)
			}
		}
	}
}

// What tells nobody who somebody is stays as it was said.
func TestWhatIsNoSuchNumber(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"I'd like an appointment at 10:30 please",
		"between 10:30 and 11:45, or 13.15",
		"at 10:30am or (12:15 p.m.), not 9:05a.m.",
		"open 9:00-17:30",
		"it was $45.50, not £120,99",
		"at ten thirty",
		"at twelve forty five or ten past one",
		"in nineteen eighty four",
		"two or three people at seven",
		"one moment, I'm the only one",
		"I ordered twenty five of them for ninety nine dollars",
		"one hundred twenty five dollars and ninety nine cents",
		"between two thousand and three thousand",
		"room 12, 3rd floor, a double room",
		"in two or, uh, three days, one or two",
		"a table for four at 7 30",
		"one of two, and then three",
		"at nine, ten or eleven",
		"no one to one calls, point taken",
		"room twelve, forty people at nine thirty",
		"can you do the nine o'clock on the twenty first",
		"we're three adults and two children, for two nights",
		"my son is four and my daughter is seven",
		"it was thirty nine ninety nine, I think",
		"one for me and two for him, so three",
		"chapter 11, page 42",
		"it's uh - um - … not four",
	} {
		if got := withoutNumbers(line); got != line {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}
