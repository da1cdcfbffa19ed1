package lenient

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Number reads a finite number, which may be written as text.
func (o Object) Number(name string) (n float64, ok bool) {
	if n, ok = numberOf(o.values.Get(name)); ok {
		o.read(name)
	}
	return n, ok
}

func numberOf(value any) (float64, bool) {
	var text string
	switch v := value.(type) {
	case *json.Number:
		text = v.String()
	case *string:
		text = strings.TrimSpace(*v)
	default:
		return 0, false
	}
	if n, ok := wholeIn(text); ok {
		return n, true
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

// wholeIn parses a number that consists of digits only, as most do, and is short enough for a
// float64 to hold it exactly.
func wholeIn(text string) (float64, bool) {
	const most = 15
	if text == "" || len(text) > most {
		return 0, false
	}
	var n int64
	for i := range len(text) {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int64(digit)
	}
	return float64(n), true
}

// Phone reads a phone number in one line, as Word does. Spreadsheets and the like take it for
// an amount and write 15550100123.0 or 1.5550100123e10.
func (o Object) Phone(name string, limit int) string {
	word := o.Word(name, limit)
	digits, isAmount := strings.CutSuffix(word, ".0")
	if _, whole := wholeIn(strings.TrimPrefix(digits, "+")); isAmount && whole {
		return digits
	}
	const most = 1e15 // longer than any phone number
	number, ok := strictjson.Number(o.values.Get(name))
	if n, err := number.Float64(); ok && err == nil && n == math.Trunc(n) && n >= 0 && n < most {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return word
}

// Amount reads a number that is not negative, such as a cost.
func (o Object) Amount(name string) (n float64, ok bool) {
	if n, ok = numberOf(o.values.Get(name)); !ok || n < 0 {
		return 0, false
	}
	o.read(name)
	return n, true
}

// Numbers returns the finite numbers in a list, at most limit.
func (o Object) Numbers(name string, limit int) []float64 {
	list, ok := o.values.Get(name).([]any)
	if !ok {
		return nil
	}
	o.read(name)
	var out []float64
	for _, element := range list {
		if n, ok := numberOf(element); ok && len(out) < limit {
			out = append(out, n)
		}
	}
	return out
}

// Count reads a whole number that is not negative.
func (o Object) Count(name string) (n int, ok bool) {
	v, ok := numberOf(o.values.Get(name))
	if !ok || v < 0 || v > 1e9 || v != math.Trunc(v) {
		return 0, false
	}
	o.read(name)
	return int(v), true
}

// Truth reads a boolean, which may be written as text or a number.
func (o Object) Truth(name string) (truth, ok bool) {
	if truth, ok = truthOf(o.values.Get(name)); ok {
		o.read(name)
	}
	return truth, ok
}

func truthOf(value any) (truth, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case *json.Number, *string:
		switch strings.ToLower(Word(v, 8)) {
		case "true", "yes", "1":
			return true, true
		case "false", "no", "0":
			return false, true
		}
	}
	return false, false
}

// Moment reads a time: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since
// 1970, told apart by their size. It is zero unless the time lies between 2000 and 2100.
func (o Object) Moment(name string) time.Time {
	at := momentOf(o.values.Get(name))
	if !at.IsZero() {
		o.read(name)
	}
	return at
}

func momentOf(value any) time.Time {
	if n, ok := numberOf(value); ok {
		const least, last = 946_684_800, 4_102_444_800 // 2000 and 2100 in seconds
		for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
			if n >= least*unit && n <= last*unit {
				return time.UnixMilli(int64(math.Round(n / unit * 1e3))).UTC()
			}
		}
		return time.Time{}
	}
	text, ok := strictjson.Text(value)
	if !ok || len(text) > 128 {
		return time.Time{}
	}
	text = withoutZoneName(text)
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
		"2006-01-02 15:04:05Z07", "2006-01-02 15:04:05 UTC", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "20060102T150405Z0700",
		"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05 Z07:00", "2006-01-02T15:04:05 Z07:00",
		"Mon Jan _2 15:04:05 UTC 2006", "Mon Jan _2 15:04:05 GMT 2006", "Mon, _2 Jan 2006 15:04:05 UTC", "Mon, _2 Jan 2006 15:04:05 GMT", "Mon, _2 Jan 2006 15:04:05 -0700", "Mon Jan _2 2006 15:04:05 GMT-0700"} {
		at, err := time.Parse(form, text)
		if err == nil && at.Year() >= 2000 && at.Year() < 2100 {
			return at.UTC().Truncate(time.Millisecond)
		}
	}
	return time.Time{}
}

// withoutZoneName removes what some languages write after the offset of a time, which says the
// same: "…Z[UTC]", "… GMT+0100 (Central European Standard Time)".
func withoutZoneName(text string) string {
	text = strings.TrimSpace(text)
	for _, brackets := range []string{"[]", "()"} {
		if at := strings.IndexByte(text, brackets[0]); at > 0 && text[len(text)-1] == brackets[1] {
			text = strings.TrimSpace(text[:at])
		}
	}
	if strings.HasSuffix(text, "z") { // ISO 8601 allows a lower-case z
		text = strings.ToUpper(text)
	}
	return text
}

// Span reads a duration given as a number of units; ok is false if there is none, or it is
// longer than a week.
func (o Object) Span(name string, unit time.Duration) (d time.Duration, ok bool) {
	n, ok := numberOf(o.values.Get(name))
	if !ok || n < 0 || n*unit.Seconds() > Longest.Seconds() {
		return 0, false
	}
	o.read(name)
	return time.Duration(n * float64(unit)).Round(time.Millisecond), true
}

// Longest is longer than any call.
const Longest = 7 * 24 * time.Hour
