package practice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// appointment is one entry of the diary.
type appointment struct {
	reference, name, service string
	day                      time.Weekday
	clock                    int
}

// diary is the clinic's week. Each call begins with the same one, so that simultaneous calls do
// not affect each other.
type diary struct {
	today  time.Time
	booked []appointment
	next   int
}

// firstReference is the reference number of the first new appointment of a call.
const firstReference = 417

func newDiary(today time.Time) *diary {
	return &diary{today: today, next: firstReference, booked: []appointment{
		{"352", "Maria Garcia", "cleaning", time.Monday, 10 * 60},
		{"268", "Robert Johnson", "check-up", time.Tuesday, 11 * 60},
		{"914", "Susan Taylor", "eye test", time.Wednesday, 14 * 60},
		{"573", "Peter Wilson", "vaccination", time.Thursday, 9*60 + 30},
		{"641", "Laura Davis", "blood test", time.Friday, 15 * 60},
	}}
}

// free reports whether an appointment is possible at a time. The clinic is open from nine to
// five, Monday to Friday.
func (d *diary) free(day time.Weekday, clock int) bool {
	if clock < 9*60 || clock > 16*60+30 {
		return false
	}
	return !slices.ContainsFunc(d.booked, func(a appointment) bool { return a.day == day && a.clock == clock })
}

// offers returns the free times that the desk proposes on a day.
func (d *diary) offers(day time.Weekday) []int {
	var out []int
	for _, clock := range []int{9 * 60, 10*60 + 30, 14 * 60, 15*60 + 30} {
		if d.free(day, clock) && len(out) < 3 {
			out = append(out, clock)
		}
	}
	return out
}

func (d *diary) find(name, reference string) *appointment {
	for i, a := range d.booked {
		if (reference != "" && a.reference == reference) || (reference == "" && name != "" && a.name == name) {
			return &d.booked[i]
		}
	}
	return nil
}

func (d *diary) book(a appointment) appointment {
	a.reference = strconv.Itoa(d.next)
	d.next++
	d.booked = append(d.booked, a)
	return a
}

func (d *diary) cancel(reference string) {
	d.booked = slices.DeleteFunc(d.booked, func(a appointment) bool { return a.reference == reference })
}

// date returns the date of the next such weekday after today, "2026-11-24".
func (d *diary) date(day time.Weekday) string {
	ahead := (int(day) - int(d.today.Weekday()) + 7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return d.today.AddDate(0, 0, ahead).Format(time.DateOnly)
}

// written returns a time of day as functions are given it: "10:30".
func written(clock int) string { return fmt.Sprintf("%02d:%02d", clock/60, clock%60) }

// saidClock returns a time of day as spoken: "ten thirty", "two o'clock".
func saidClock(clock int) string {
	hours := append(hourWords(), "five", "six", "seven") // a misstated time may lie after closing
	hour := hours[max(0, min(clock/60-9, len(hours)-1))]
	if clock%60 == 30 {
		return hour + " thirty"
	}
	return hour + " o'clock"
}

func saidService(name string) string {
	for _, s := range services() {
		if s.name == name {
			return s.said
		}
	}
	return name
}

// anService returns the service with its article: "an eye test".
func anService(name string) string {
	if strings.ContainsAny(name[:1], "aeiou") {
		return "an " + saidService(name)
	}
	return "a " + saidService(name)
}

func priceOf(name string) int {
	for _, s := range services() {
		if s.name == name {
			return s.price
		}
	}
	return 0
}

func saidList(clocks []int) string {
	var said []string
	for _, c := range clocks {
		said = append(said, saidClock(c))
	}
	if len(said) < 2 {
		return strings.Join(said, "")
	}
	return strings.Join(said[:len(said)-1], ", ") + " and " + said[len(said)-1]
}

// saidReference spells a reference digit by digit.
func saidReference(reference string) string {
	var said []string
	for _, r := range reference {
		if r >= '0' && r <= '9' {
			said = append(said, digitWords()[r-'0'])
		}
	}
	return strings.Join(said, " ")
}
