package speech

import (
	"strconv"
	"strings"
)

// spoken converts written text to the words a voice says for it, in lower case: "Dr. Lee,
// 10:30" becomes "doctor lee ten thirty". What has no letters or digits is dropped.
func spoken(text string) []string {
	var out []string
	for field := range strings.FieldsSeq(strings.ToLower(latin(text))) {
		out = append(out, spokenField(field)...)
	}
	return out
}

func spokenField(field string) []string {
	if amount, ok := strings.CutPrefix(strings.TrimRight(field, ".,;:!?)\"'"), "$"); ok {
		if w := spokenAmount(amount); w != nil {
			return w
		}
	}
	if hours, minutes, ok := clockTime(strings.Trim(field, ".,;!?()\"'")); ok {
		return spokenClock(hours, minutes)
	}
	var out []string
	for _, part := range strings.FieldsFunc(field, notSpoken) {
		part = strings.Trim(part, "'.")
		out = append(out, spokenPart(part)...)
	}
	return out
}

// notSpoken reports whether a rune separates the parts of a field.
func notSpoken(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '\'' || r == '.')
}

func spokenPart(part string) []string {
	switch part {
	case "":
		return nil
	case "dr":
		return []string{"doctor"}
	case "mr":
		return []string{"mister"}
	case "mrs":
		return []string{"missus"}
	}
	if n, err := strconv.Atoi(part); err == nil && n >= 0 {
		if len(part) > 4 || (len(part) > 1 && part[0] == '0') {
			return spokenDigits(part)
		}
		return spokenNumber(n)
	}
	if n, ok := ordinal(part); ok {
		return spokenOrdinal(n)
	}
	if strings.ContainsAny(part, "0123456789") {
		return spokenMixed(part)
	}
	return strings.FieldsFunc(part, func(r rune) bool { return r == '.' })
}

// spokenMixed spells a mixture of letters and digits ("a7", "10am").
func spokenMixed(part string) []string {
	var out []string
	for i := 0; i < len(part); {
		j, digit := i, isDigit(part[i])
		for j < len(part) && isDigit(part[j]) == digit && part[j] != '.' {
			j++
		}
		if j == i {
			i++
			continue
		}
		run := part[i:j]
		switch {
		case digit && len(run) < 5 && run[0] != '0':
			n, _ := strconv.Atoi(run)
			out = append(out, spokenNumber(n)...)
		case digit:
			out = append(out, spokenDigits(run)...)
		case run == "am" || run == "pm":
			out = append(out, run[:1], run[1:])
		default:
			out = append(out, run)
		}
		i = j
	}
	return out
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func clockTime(s string) (hours, minutes int, ok bool) {
	h, m, found := strings.Cut(s, ":")
	if !found || len(m) != 2 || len(h) == 0 || len(h) > 2 {
		return 0, 0, false
	}
	hours, errH := strconv.Atoi(h)
	minutes, errM := strconv.Atoi(m)
	return hours, minutes, errH == nil && errM == nil && hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60
}

func spokenClock(hours, minutes int) []string {
	out := spokenNumber(hours)
	switch {
	case minutes == 0:
		return out
	case minutes < 10:
		return append(append(out, "oh"), spokenNumber(minutes)...)
	}
	return append(out, spokenNumber(minutes)...)
}

func spokenAmount(amount string) []string {
	whole, cents, _ := strings.Cut(strings.ReplaceAll(amount, ",", ""), ".")
	n, err := strconv.Atoi(whole)
	if err != nil || n < 0 || len(whole) > 6 {
		return nil
	}
	out := counted(n, "dollar")
	if c, err := strconv.Atoi(cents); err == nil && c > 0 && c < 100 {
		out = append(append(out, "and"), counted(c, "cent")...)
	}
	return out
}

// counted returns a number of units.
func counted(n int, unit string) []string {
	if n != 1 {
		unit += "s"
	}
	return append(spokenNumber(n), unit)
}

func spokenDigits(digits string) []string {
	out := make([]string, 0, len(digits))
	for _, d := range digits {
		if d >= '0' && d <= '9' {
			out = append(out, spokenNumber(int(d-'0'))...)
		}
	}
	return out
}

// spokenNumber returns a number from 0 to 999999 in the words flite says.
func spokenNumber(n int) []string {
	const small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
	const tens = "twenty thirty forty fifty sixty seventy eighty ninety"
	switch {
	case n < 20:
		return []string{strings.Fields(small)[n]}
	case n < 100:
		out := []string{strings.Fields(tens)[n/10-2]}
		if n%10 > 0 {
			out = append(out, spokenNumber(n%10)...)
		}
		return out
	case n < 1000:
		out := append(spokenNumber(n/100), "hundred")
		if n%100 > 0 {
			out = append(out, spokenNumber(n%100)...)
		}
		return out
	case n < 1000000:
		out := append(spokenNumber(n/1000), "thousand")
		if n%1000 > 0 {
			out = append(out, spokenNumber(n%1000)...)
		}
		return out
	}
	return spokenDigits(strconv.Itoa(n))
}

func ordinal(s string) (int, bool) {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if head, ok := strings.CutSuffix(s, suffix); ok {
			n, err := strconv.Atoi(head)
			return n, err == nil && n > 0 && n < 100
		}
	}
	return 0, false
}

func spokenOrdinal(n int) []string {
	const small = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
	const tens = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
	switch {
	case n < 20:
		return []string{strings.Fields(small)[n]}
	case n%10 == 0:
		return []string{strings.Fields(tens)[n/10-2]}
	}
	return append(spokenNumber(n-n%10), spokenOrdinal(n%10)...)
}
