package phrase

import (
	"fmt"
	"strconv"
	"strings"
)

// clockWords normalises the words around times: "a m" and "in the morning" become am, "half past
// ten" 10 30, "ten o'clock" 10, noon 12 pm.
func clockWords(in []Token) []Token { return rewritten(in, clockPhrase) }

// clock returns the numbers by which a time is spoken: 10:30 is ten thirty, 10:05 ten oh five,
// 10:00 ten, 14:30 two thirty pm, 00:30 twelve thirty am.
func clock(hour int, minutes, half string) []Token {
	var out []Token
	switch {
	case half != "":
		half = half[:1] + "m"
	case hour == 0 || hour == 24:
		hour, half = 12, "am"
	case hour > 12 && hour < 24:
		hour, half = hour-12, "pm"
	}
	out = append(out, number(strconv.Itoa(hour)))
	switch {
	case minutes == "00":
		out[0].Hour = true
	case minutes[0] == '0':
		out = append(out, number("0"), number(minutes[1:]))
	default:
		out = append(out, number(minutes))
	}
	for i := range out {
		out[i].Time = true
	}
	if half != "" {
		out = append(out, Token{Kind: Half, Text: half})
	}
	return out
}

// clockPhrase reads words about a time at the head of in. It marks the number before "o'clock" as
// an hour.
func clockPhrase(in, before []Token) (made []Token, used int) {
	if made, used = pointedTime(in, before); used > 0 {
		return made, used
	}
	if made, used = partOfHour(in, before); used > 0 {
		return made, used
	}
	if made, used = misheardTime(in, before); used > 0 {
		return made, used
	}
	if len(before) == 0 || before[len(before)-1].Kind != Number {
		return nil, 0
	}
	last := &before[len(before)-1]
	switch {
	case isWord(in[0], "oclock"):
		last.Hour = true
		return []Token{}, 1
	case begins(in, "o clock"):
		last.Hour = true
		return []Token{}, 2
	}
	return halfOfDay(in)
}

// partOfHour reads times that are spoken in words of their own, such as noon and "half past ten".
func partOfHour(in, before []Token) (made []Token, used int) {
	if hour, half, ok := hourAt(in, 0); ok && half != "" {
		made = []Token{number(strconv.Itoa(hour)), {Kind: Half, Text: half}}
		if len(before) > 0 && before[len(before)-1].Kind == Number && before[len(before)-1].Text == "12" {
			made = made[1:] // "twelve noon"
		}
		return made, 1
	}
	return minutesOfHour(in, before)
}

// minutesOfHour reads minutes past or to an hour.
func minutesOfHour(in, before []Token) (made []Token, used int) {
	minutes, used := minutesAt(in)
	if used == 0 || used+1 >= len(in) {
		return nil, 0
	}
	hour, half, ok := hourAt(in, used+1)
	if !ok {
		return nil, 0
	}
	switch to := in[used]; {
	case isWord(to, "past"), isWord(to, "after") && minutes%5 == 0:
	case leadsToNext(to) && minutesTo(in, before, minutes):
		minutes, hour, half = 60-minutes, (hour+10)%12+1, halfBefore(hour, half)
	default:
		return nil, 0
	}
	return clock(hour, fmt.Sprintf("%02d", minutes), half), used + 2
}

// minutesAt reads the minutes before "past" or "to", and returns how many tokens they take.
func minutesAt(in []Token) (minutes, used int) {
	switch {
	case isWord(in[0], "half"):
		return 30, 1
	case isWord(in[0], "quarter"):
		return 15, 1
	case !numberAt(in, 0, 59):
		return 0, 0
	case len(in) > 1 && (isWord(in[1], "minutes") || isWord(in[1], "minute")):
		return atoi(in[0].Text), 2
	}
	return atoi(in[0].Text), 1
}

// leadsToNext reports whether a word can link minutes to the hour they lead to.
func leadsToNext(t Token) bool {
	return isWord(t, "to") || isWord(t, "till") || isWord(t, "before") || isWord(t, "of")
}

// minutesTo tells minutes before an hour from a span of hours: "open ten to five" may begin at ten,
// but "at ten to five", "twenty to five" and "ten minutes to five" are 4 50 and 4 40.
func minutesTo(in, before []Token, minutes int) bool {
	if isWord(in[0], "quarter") {
		return true
	}
	if isWord(in[1], "before") || isWord(in[1], "of") || in[1].Dash {
		return false
	}
	if minutes > 29 || len(before) > 0 && isWord(before[len(before)-1], "from") {
		return false
	}
	return minutes > 12 || in[1].Kind == Word && strings.HasPrefix(in[1].Text, "minute") ||
		minutes%5 == 0 && len(before) > 0 && isWord(before[len(before)-1], "at")
}

// hourAt reads an hour from 1 to 12, with its half of the day if that is part of the word.
func hourAt(in []Token, i int) (hour int, half string, ok bool) {
	switch {
	case i >= len(in):
		return 0, "", false
	case isWord(in[i], "noon"), isWord(in[i], "midday"):
		return 12, "pm", true
	case isWord(in[i], "midnight"):
		return 12, "am", true
	case numberAt(in, i, 12):
		return atoi(in[i].Text), "", true
	}
	return 0, "", false
}

// halfBefore returns the half of the day of the hour before this one: "ten to noon" is in the
// morning.
func halfBefore(hour int, half string) string {
	switch {
	case hour == 12 && half == "pm":
		return "am"
	case hour == 12 && half == "am":
		return "pm"
	}
	return half
}

// misheardTime finds places where "to" and "for" can only be hours.
func misheardTime(in, before []Token) (made []Token, used int) {
	switch {
	case len(in) < 2:
		return nil, 0
	case isWord(in[1], "oclock"):
		return misheardHour(in[0])
	case len(before) > 0 && isWord(before[len(before)-1], "at") && numberAt(in, 1, 59) && len(in[1].Text) == 2:
		return misheardHour(in[0])
	}
	return nil, 0
}

// misheardHour reads an hour that recognisers write as another word: "at to fifteen" is at 2 15,
// "for o'clock" is 4.
func misheardHour(t Token) (made []Token, used int) {
	switch {
	case isWord(t, "to") || isWord(t, "too"):
		return []Token{number("2")}, 1
	case isWord(t, "for"):
		return []Token{number("4")}, 1
	}
	return nil, 0
}

// pointedTime reads a time written with a point, "9.30 am" or "at 9.30", which only its neighbours
// tell from a decimal number.
func pointedTime(in, before []Token) (made []Token, used int) {
	hour, minutes, ok := strings.Cut(in[0].Text, ".")
	if !ok || in[0].Kind != Number || len(hour) > 2 || len(minutes) != 2 {
		return nil, 0
	}
	half, used := halfOfDay(in[1:])
	if used > 0 {
		return clock(atoi(hour), minutes, half[0].Text), used + 1
	}
	if len(before) == 0 || !atAnHour(before[len(before)-1]) || atoi(hour) > 23 || minutes[0] > '5' || len(in) > 1 && !Light(in[1].Text) {
		return nil, 0
	}
	return clock(atoi(hour), minutes, ""), 1
}

// halfOfDay reads the half of the day after a time.
func halfOfDay(in []Token) (made []Token, used int) {
	for _, h := range []struct{ words, half string }{
		{"am", "am"}, {"pm", "pm"}, {"a m", "am"}, {"p m", "pm"},
		{"in the morning", "am"}, {"in the afternoon", "pm"}, {"in the evening", "pm"}, {"at night", "pm"},
	} {
		if begins(in, h.words) {
			return []Token{{Kind: Half, Text: h.half}}, len(strings.Fields(h.words))
		}
	}
	return nil, 0
}
