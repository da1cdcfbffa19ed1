package practice

import (
	"strings"
	"time"
)

// work continues booking, moving or cancelling after a turn of the caller.
func (d *dialogue) work(m meaning) reply {
	if d.confirm {
		if r, settled := d.confirmed(m); settled {
			return r
		}
	} else if m.leaving {
		return reply{text: sayFarewell, hangUp: true}
	}
	learned := d.learn(m)
	if !learned && m.intent == wantsNothing && !m.yes {
		return d.misunderstood()
	}
	d.failures = 0
	if d.task == wantsBooking {
		return d.booking()
	}
	return d.changing()
}

// learn stores what the turn says about the task.
func (d *dialogue) learn(m meaning) bool {
	before := d.known
	d.known.service = orElse(m.service, d.known.service)
	d.identify(m)
	if m.day != noDay {
		d.known.day = m.day
		if m.clock == noTime && d.known.clock != noTime && !d.diary.free(m.day, d.known.clock) {
			d.known.clock = noTime
		}
	}
	if m.clock != noTime {
		d.known.clock = m.clock
	}
	heard := m.service != "" || m.day != noDay || m.clock != noTime || m.name != "" || m.reference != ""
	if d.known.day != noDay && d.forgotten < d.faults.ForgetDate {
		d.forgotten++
		d.known.day = noDay
	}
	return heard || d.known != before
}

// identify stores by what an appointment is known. Whoever corrects the name or the reference number of the one
// to be moved or cancelled means another one.
func (d *dialogue) identify(m meaning) {
	switch {
	case d.task == wantsBooking:
		d.known.name = orElse(m.name, d.known.name)
	case m.name != "" || m.reference != "":
		d.known.name, d.known.reference, d.existing = m.name, m.reference, nil
	}
}

func orElse(said, before string) string {
	if said == "" {
		return before
	}
	return said
}

// booking asks for the next missing detail.
func (d *dialogue) booking() reply {
	k := &d.known
	switch {
	case k.service == "":
		return reply{text: sayService}
	case k.day == noDay:
		return reply{text: sayDay}
	case k.clock == noTime:
		return d.times("")
	case !d.isFree(k.day, k.clock):
		return d.otherTimes()
	case k.name == "":
		return reply{text: sayName}
	}
	d.confirm = true
	return reply{text: "That is " + anService(k.service) + " on " + k.day.String() + " at " + saidClock(k.clock) +
		" for " + k.name + ". Is that right?"}
}

// times looks up the free times of the day and proposes them.
func (d *dialogue) times(before string) reply {
	day := d.known.day
	d.lookUp(day)
	return reply{text: before + "On " + day.String() + " we have " + saidList(d.diary.offers(day)) + ". What time would you like?"}
}

// otherTimes says that the requested time is taken, discards it and proposes the free ones.
func (d *dialogue) otherTimes() reply {
	k := &d.known
	taken := saidClock(k.clock)
	k.clock = noTime
	return d.times("I am sorry, " + taken + " on " + k.day.String() + " is not free. ")
}

func (d *dialogue) isFree(day time.Weekday, clock int) bool {
	d.lookUp(day)
	return d.diary.free(day, clock)
}

// lookUp calls check_availability, once for each day that the caller names.
func (d *dialogue) lookUp(day time.Weekday) {
	if d.checked == day.String() {
		return
	}
	d.checked = day.String()
	free := make([]string, 0, 3)
	for _, c := range d.diary.offers(day) {
		free = append(free, written(c))
	}
	d.call("check_availability", map[string]any{"day": day.String(), "date": d.diary.date(day)}, strings.Join(free, ", "))
}

// changing asks for what is missing to move or cancel an appointment.
func (d *dialogue) changing() reply {
	k := &d.known
	if d.existing == nil {
		if k.name == "" && k.reference == "" {
			return reply{text: sayWho}
		}
		d.existing = d.diary.find(k.name, k.reference)
		if d.existing == nil {
			k.name, k.reference = "", ""
			return reply{text: sayNotFound}
		}
	}
	a := d.existing
	was := "your " + saidService(a.service) + " on " + a.day.String() + " at " + saidClock(a.clock)
	switch {
	case d.task == wantsCancel:
		d.confirm = true
		return reply{text: "Shall I cancel " + was + "?"}
	case k.day == noDay:
		return reply{text: sayDay}
	case k.clock == noTime:
		return d.times("")
	case !d.isFree(k.day, k.clock):
		return d.otherTimes()
	}
	d.confirm = true
	return reply{text: "Shall I move " + was + " to " + k.day.String() + " at " + saidClock(k.clock) + "?"}
}

// confirmed handles the answer to "is that right?". settled is false if the caller gave other
// details instead, which then have to be confirmed.
func (d *dialogue) confirmed(m meaning) (r reply, settled bool) {
	d.confirm = false
	corrects := m.service != "" || m.day != noDay || m.clock != noTime || m.name != "" || m.reference != ""
	switch {
	case corrects && !m.yes:
		return reply{}, false
	case m.yes:
		d.failures = 0
		return d.carryOut(), true
	case m.no && d.task == wantsCancel:
		d.done()
		return d.offer(sayNotDone), true
	case m.no:
		return reply{text: sayChange}, true
	}
	d.confirm = true
	return d.misunderstood(), true
}

// carryOut does what the caller agreed to.
func (d *dialogue) carryOut() reply {
	k, task := d.known, d.task
	at := written(min(k.clock+60*d.faults.WrongArgument, 23*60))
	confirmed := saidClock(k.clock + 60*d.faults.Misstate)
	var text string
	switch task {
	case wantsBooking:
		a := d.diary.book(appointment{name: k.name, service: k.service, day: k.day, clock: k.clock})
		d.call("book_appointment", map[string]any{
			"service": k.service, "day": k.day.String(), "date": d.diary.date(k.day), "time": at, "name": k.name,
		}, "reference "+a.reference)
		text = "Your " + saidService(k.service) + " is booked for " + k.day.String() + " at " + confirmed +
			". Your reference number is " + saidReference(a.reference) + "."
	case wantsMove:
		a := d.existing
		a.day, a.clock = k.day, k.clock
		d.call("move_appointment", map[string]any{
			"reference": a.reference, "day": k.day.String(), "date": d.diary.date(k.day), "time": at,
		}, "moved")
		text = "Your " + saidService(a.service) + " is moved to " + k.day.String() + " at " + confirmed + "."
	default:
		text = d.carryOutCancel()
	}
	d.done()
	return d.offer(text + " " + sayElse)
}

func (d *dialogue) carryOutCancel() string {
	a := *d.existing
	d.diary.cancel(a.reference)
	at := written(min(a.clock+60*d.faults.WrongArgument, 23*60))
	d.call("cancel_appointment", map[string]any{
		"reference": a.reference, "day": a.day.String(), "time": at, "name": a.name,
	}, "cancelled")
	return "Your " + saidService(a.service) + " on " + a.day.String() + " is cancelled."
}
