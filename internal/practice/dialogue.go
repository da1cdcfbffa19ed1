package practice

import (
	"encoding/json"
	"strconv"
	"time"
)

// The fixed phrases of the desk.
const (
	sayGreeting  = "Thank you for calling Maple Clinic. How can I help you?"
	sayNotHeard  = "I am sorry, I did not understand that. Could you say that again, please?"
	sayMenu      = "I am sorry, I did not understand that. To book an appointment, press one. To move one, press two. To cancel one, press three."
	sayService   = "What would you like to come in for?"
	sayDay       = "Which day would you like?"
	sayName      = "May I have your name, please?"
	sayWho       = "May I have your name or your reference number, please?"
	sayNotFound  = "I am sorry, I cannot find your appointment. May I have your reference number, please?"
	sayChange    = "I am sorry. What would you like to change?"
	sayNotDone   = "All right, I will leave it as it is. Is there anything else?"
	sayHours     = "We are open Monday to Friday from nine o'clock to five o'clock. Is there anything else?"
	sayWhich     = "Which service would you like to know the price of?"
	sayAnything  = "How can I help you?"
	sayTransfer  = "One moment, please. I will put you through."
	sayFarewell  = "Thank you for calling. Goodbye."
	sayStill     = "Are you still there?"
	sayElse      = "Is there anything else?"
	sayTalkOver  = "Yes, of course, let me see, I can certainly help you with that, just give me one moment while I look at the diary for you."
	sayYes       = "Yes?"
	sayPromise   = "I promise you a good price."
	sayRamble    = "Before we go on, let me tell you that our clinic is open to everybody, that we have many good doctors, and that all of our visitors are very happy with what we do for them."
	misheardLine = 2 // consecutive misheard turns after which the menu is offered
)

func fixedPhrases() []string {
	return []string{
		sayGreeting, sayNotHeard, sayMenu, sayService, sayDay, sayName, sayWho, sayNotFound, sayChange,
		sayNotDone, sayHours, sayWhich, sayAnything, sayTransfer, sayFarewell, sayStill, sayTalkOver,
	}
}

// reply is the desk's reaction to a turn of the caller.
type reply struct {
	text  string
	tools []tool
	// hangUp ends the call after the text; transferred means that it ends as a transfer.
	hangUp, transferred bool
}

// tool is one function call.
type tool struct {
	name, arguments, result string
}

// dialogue is the desk's side of one conversation, in words. It handles neither audio nor time.
type dialogue struct {
	faults Faults
	diary  *diary

	task      intent
	known     meaning      // what is known about the task so far
	existing  *appointment // the appointment to be moved or cancelled
	confirm   bool         // the desk has asked for confirmation
	offered   bool         // the desk has asked whether there is anything else
	checked   string       // the day whose free times were looked up
	forgotten int
	failures  int
	keys      string // digits of a reference number so far
	last      string
	tools     []tool
}

func newDialogue(f Faults, today time.Time) *dialogue {
	return &dialogue{faults: f, diary: newDiary(today), known: meaning{day: noDay, clock: noTime}, last: sayGreeting}
}

// hear returns the reply to a turn.
func (d *dialogue) hear(text string) reply {
	d.tools, d.keys = nil, ""
	r := d.answer(understand(text))
	r.tools = d.tools
	d.last = r.text
	return r
}

// key returns the reply to a telephone key. While a reference number is being asked for, digits
// are collected; otherwise a key selects from the menu. ok is false if more keys must follow.
func (d *dialogue) key(key byte) (r reply, ok bool) {
	d.tools = nil
	switch {
	case d.wantsReference() && key >= '0' && key <= '9':
		d.keys += string(key)
		if len(d.keys) < 3 {
			return reply{}, false
		}
		r = d.answer(meaning{reference: d.keys, day: noDay, clock: noTime})
		d.keys = ""
	case menuOf(key) != wantsNothing:
		d.failures = 0
		r = d.answer(meaning{intent: menuOf(key), day: noDay, clock: noTime})
	default:
		r = d.misunderstood()
	}
	r.tools = d.tools
	d.last = r.text
	return r, true
}

// wantsReference reports whether keys are a reference number. After the menu, they select from it.
func (d *dialogue) wantsReference() bool {
	return (d.task == wantsMove || d.task == wantsCancel) && d.existing == nil && d.last != sayMenu
}

func menuOf(key byte) intent {
	switch key {
	case '1':
		return wantsBooking
	case '2':
		return wantsMove
	case '3':
		return wantsCancel
	case '4':
		return wantsHours
	case '5':
		return wantsPrice
	case '0':
		return wantsPerson
	}
	return wantsNothing
}

func (d *dialogue) answer(m meaning) reply {
	switch {
	case m.again:
		return reply{text: d.last}
	case d.saysGoodbye(m):
		return reply{text: sayFarewell, hangUp: true}
	}
	if m.intent != wantsNothing {
		d.begin(m.intent)
	}
	switch d.task {
	case wantsPrice:
		return d.price(m)
	case wantsHours:
		d.done()
		d.call("get_opening_hours", map[string]any{}, "Monday to Friday 09:00 to 17:00")
		return d.offer(sayHours)
	case wantsPerson:
		return d.transfer()
	case wantsBooking, wantsMove, wantsCancel:
		return d.work(m)
	case wantsNothing:
	}
	return d.outsideTask(m)
}

// transfer transfers the caller.
func (d *dialogue) transfer() reply {
	d.call("transfer_call", map[string]any{"to": "front desk"}, "transferred")
	return reply{text: sayTransfer, hangUp: true, transferred: true}
}

// passOn is a transfer in place of the pending reply.
func (d *dialogue) passOn() reply {
	d.tools = nil
	r := d.transfer()
	r.tools, d.last = d.tools, r.text
	return r
}

// saysGoodbye reports whether the caller wants nothing more: a goodbye, unless combined with a
// yes to what is being arranged, or a no to "anything else?".
func (d *dialogue) saysGoodbye(m meaning) bool {
	if m.intent != wantsNothing {
		return false
	}
	return m.leaving && (!d.inTask() || !m.yes) || d.offered && (m.no || m.thanks)
}

// outsideTask returns the reply while nothing is being arranged.
func (d *dialogue) outsideTask(m meaning) reply {
	switch {
	case m.service != "" || m.day != noDay || m.clock != noTime:
		d.begin(wantsBooking)
		return d.work(m)
	case m.yes && d.offered:
		d.offered = false
		return reply{text: sayAnything}
	}
	return d.misunderstood()
}

func (d *dialogue) inTask() bool { return d.task != wantsNothing }

func (d *dialogue) begin(want intent) {
	if d.task == want {
		return
	}
	d.done()
	d.task, d.offered = want, false
}

// done resets the current task.
func (d *dialogue) done() {
	d.task, d.existing, d.confirm, d.checked = wantsNothing, nil, false, ""
	d.known = meaning{day: noDay, clock: noTime, name: d.known.name}
}

func (d *dialogue) offer(text string) reply {
	d.offered, d.failures = true, 0
	return reply{text: text}
}

func (d *dialogue) misunderstood() reply {
	d.failures++
	if d.failures >= misheardLine {
		return reply{text: sayMenu}
	}
	return reply{text: sayNotHeard}
}

// call records a function call, unless the desk is to skip those that have an effect.
func (d *dialogue) call(name string, arguments map[string]any, result string) {
	if d.faults.SkipTool && name != "check_availability" {
		return
	}
	// Marshalling strings and numbers cannot fail.
	text, _ := json.Marshal(arguments)
	d.tools = append(d.tools, tool{name: name, arguments: string(text), result: result})
}

func (d *dialogue) price(m meaning) reply {
	if m.service == "" {
		return reply{text: sayWhich}
	}
	d.done()
	price := priceOf(m.service)
	d.call("get_price", map[string]any{"service": m.service}, strconv.Itoa(price)+" dollars")
	return d.offer(capital(anService(m.service)) + " costs " + strconv.Itoa(price+d.faults.WrongPrice) + " dollars. " + sayElse)
}
