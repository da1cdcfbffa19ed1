package practice

import (
	"slices"
	"strings"
	"time"
)

// intent is what a caller wants to do.
type intent int

const (
	wantsNothing intent = iota
	wantsBooking
	wantsMove
	wantsCancel
	wantsPrice
	wantsHours
	wantsPerson
)

// noDay and noTime stand for "not said".
const (
	noDay  time.Weekday = -1
	noTime int          = -1
)

// meaning is the content of a turn of the caller, as far as it matters to the desk.
type meaning struct {
	intent    intent
	service   string
	day       time.Weekday
	clock     int // minutes since midnight
	name      string
	reference string
	yes, no   bool
	leaving   bool
	again     bool
	thanks    bool // and nothing else
}

// empty reports whether nothing was understood.
func (m meaning) empty() bool {
	return m == meaning{day: noDay, clock: noTime}
}

// understand analyses the words of a turn.
func understand(text string) meaning {
	words := strings.Fields(strings.ToLower(text))
	joined := " " + strings.Join(words, " ") + " "
	has := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(joined, " "+p+" ") })
	}
	m := meaning{day: noDay, clock: noTime}
	for _, s := range services() {
		if has(s.said) {
			m.service = s.name
		}
	}
	for _, d := range days() {
		if has(strings.ToLower(d.String())) {
			m.day = d
		}
	}
	m.reference, words = takeReference(words)
	m.clock = clockIn(words)
	m.name = nameIn(words)
	m.intent = intentIn(has)
	m.no = has("no", "that is wrong", "that is not right", "not that one")
	m.yes = !m.no && has("yes", "that is right", "that is correct", "that works", "sure", "okay", "correct", "sounds good", "go ahead", "that is fine")
	m.leaving = has("goodbye", "bye", "that is all", "that will be all", "nothing else")
	m.again = has("could you repeat that", "say that again")
	m.thanks = m.empty() && has("thank you")
	return m
}

func intentIn(has func(...string) bool) intent {
	switch {
	case has("cancel"):
		return wantsCancel
	case has("move", "change", "reschedule"):
		return wantsMove
	case has("how much", "price", "cost"):
		return wantsPrice
	case has("opening hours", "your hours", "are you open", "do you open", "do you close"):
		return wantsHours
	case has("speak", "talk", "transfer me", "put me through"):
		return wantsPerson
	case has("book", "make a", "make an", "make the", "schedule"):
		return wantsBooking
	}
	return wantsNothing
}

// takeReference finds three consecutive digits and returns them and the remaining words.
func takeReference(words []string) (string, []string) {
	for i := 0; i+3 <= len(words); i++ {
		var code strings.Builder
		for _, w := range words[i : i+3] {
			if d := slices.Index(digitWords(), w); d >= 0 {
				code.WriteString(string(rune('0' + d)))
			}
		}
		if len(code.String()) == 3 {
			return code.String(), append(slices.Clone(words[:i]), words[i+3:]...)
		}
	}
	return "", words
}

// clockIn finds a time of day within opening hours; one to four are in the afternoon.
func clockIn(words []string) int {
	hours := []int{9, 10, 11, 12, 13, 14, 15, 16}
	found := noTime
	for i, w := range words {
		k := slices.Index(hourWords(), w)
		if k < 0 {
			continue
		}
		found = hours[k] * 60
		if i+1 < len(words) && words[i+1] == "thirty" {
			found += 30
		}
	}
	return found
}

func nameIn(words []string) string {
	for i := 0; i+1 < len(words); i++ {
		if slices.Contains(firstNames(), words[i]) && slices.Contains(lastNames(), words[i+1]) {
			return capital(words[i]) + " " + capital(words[i+1])
		}
	}
	return ""
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
