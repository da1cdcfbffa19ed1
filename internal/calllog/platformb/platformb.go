// Package platformb reads the webhooks of platform B: the end-of-call-report, in its newer form
// with an artifact and in the older one without, and bare call objects. Clients pass payloads
// on unchanged, so only one that is not a finished call is refused. Its parent calllog passes
// it the payload; its siblings are custom and platforma. It does no I/O.
package platformb

import (
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxName   = 256
	maxNumber = 128
	maxProse  = 16 << 10
	report    = "end-of-call-report"
	send      = "send " + report
)

// Reader returns the reader of platform B's payloads.
func Reader() calllog.Reader { return read }

// body holds the parts of a payload. In the older form and in bare calls, which are message and
// call in one, fields stand in other places, so each is looked up in all.
type body struct {
	message, call, artifact lenient.Object
	// outer is what the message was wrapped in; empty if it was not.
	outer lenient.Object
	// places are the three above, the fuller ones first.
	places []lenient.Object
	bare   bool
}

func read(p lenient.Object) calllog.Record {
	p, keep := p.Unwrapped()
	if m, _ := messageIn(p); isRespelt(m) {
		p = p.InCamelCase()
	}
	b, ok := find(p)
	if !ok {
		return calllog.Record{}
	}
	r := calllog.Record{
		Keep:     keep,
		Whole:    true,
		Reported: call.Reported{Provider: calllog.PlatformB, ExternalID: b.id(), CallerChannel: -1},
	}
	var talk calllog.Conversation
	var words calllog.Words
	b.readWho(&r, &words)
	b.readAgent(&r)
	started := b.readTranscript(b.moment("startedAt"), &talk, &r, &words)
	b.readTimes(started, &r)
	b.readAnalysis(&r, &words)
	if b.judges() {
		r.Judged = b.moment("timestamp")
	}
	b.readFigures(&r, &words)
	b.readRecording(&r)
	b.readEnd(&talk, &r)
	b.readRest(&r, &words)
	r.Words = words.All()
	return r
}

// find finds the call in the payload. A payload that is not a finished call is noted.
func find(p lenient.Object) (body, bool) {
	m, outer := messageIn(p)
	kind := m.Word("type", maxName)
	if kind == "" {
		kind = p.Word("type", maxName)
	}
	if isReport(kind) {
		b := parts(m, m.Inside("call"))
		b.outer = outer
		return b, true
	}
	// A bare call has its medium and direction in its type.
	bare := !m.Has("call") && m.Has("id")
	if kind != "" && !bare {
		m.Note("type", "type "+lenient.Shown(kind)+" is not a finished call; "+send)
		return body{}, false
	}
	c := m.Inside("call")
	if bare {
		c = m
	}
	b := parts(m, c)
	b.bare, b.outer = bare, outer
	return b, over(m, c)
}

// messageIn returns the message of a webhook and what it was wrapped in, which is empty for a
// bare message.
func messageIn(p lenient.Object) (m, outer lenient.Object) {
	if inner := p.Inside("message"); !inner.Empty() {
		return inner, p
	}
	return p, lenient.Of(nil)
}

// isRespelt reports whether a message has its id, or the reason of its end, under another
// spelling than the platform's. Webhooks of platform A are spelt that way too and are excluded.
func isRespelt(m lenient.Object) bool {
	c := m.Inside("call")
	other := func(names ...string) bool {
		has := func(name string) bool { return m.Has(name) || c.Has(name) }
		return !slices.ContainsFunc(names, has) && m.NamesAny(names[0])
	}
	return !m.Has("event") && (other("callId", "id") || other("endedReason", "endedAt", "startedAt"))
}

// isReport reports whether a type is the report's, in any spelling: endOfCallReport,
// END_OF_CALL_REPORT, end-of-call report.
func isReport(kind string) bool { return inOne(kind) == "endofcallreport" }

// inOne returns a word in lower case without separators.
func inOne(word string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-:/ ", r) {
			return -1
		}
		return r
	}, word))
}

// over reports whether a call without a report is over.
func over(m, c lenient.Object) bool {
	if m.Has("toolCalls") || m.Has("toolCallList") || m.Has("functionCall") {
		m.Note("call", "a function's webhook is not a finished call; "+send)
		return false
	}
	if m.Has("endedReason") || m.Has("endedAt") {
		return true
	}
	switch status := c.Word("status", maxName); {
	case status == "ended", status == "" && (c.Has("endedReason") || c.Has("endedAt")):
		return true
	case m.Has("event") && c.Has("call_id"):
		m.Note("call", "is how platform A describes a call; set provider to match")
	case status != "":
		c.Note("status", "a call that is "+lenient.Shown(status)+" is not a finished call; "+send)
	default:
		m.Note("type", "must be "+report+" where neither a reason nor an end says that the call is over")
	}
	return false
}

func parts(m, c lenient.Object) body {
	b := body{message: m, call: c, artifact: m.Inside("artifact")}
	if inner := c.Inside("artifact"); b.artifact.Empty() {
		b.artifact = inner
	}
	b.places = []lenient.Object{b.artifact, m, c}
	return b
}

// id returns the platform's id of the call. A payload without one is refused.
func (b *body) id() string {
	for _, o := range []lenient.Object{b.message, b.call} {
		if !b.call.Has("id") && o.Has("callId") {
			return o.ID("callId")
		}
	}
	return b.call.ID("id")
}

// inside returns the first object of that name that is not empty.
func (b *body) inside(name string) lenient.Object {
	out := lenient.Of(nil)
	for _, o := range b.places {
		if inner := o.Inside(name); out.Empty() {
			out = inner
		}
	}
	return out
}

func (b *body) word(name string) string {
	return firstOf(b, func(o lenient.Object) string { return o.Word(name, maxName) })
}

func (b *body) address(name string) string {
	return firstOf(b, func(o lenient.Object) string { return o.Address(name) })
}

func (b *body) moment(name string) time.Time {
	return firstOf(b, func(o lenient.Object) time.Time { return o.Moment(name) })
}

// firstOf returns the first value found in any place. It asks all of them, so that repeated
// values are marked as read.
func firstOf[T comparable](b *body, ask func(lenient.Object) T) (out T) {
	var nothing T
	for _, o := range b.places {
		if told := ask(o); out == nothing {
			out = told
		}
	}
	return out
}

// readWho reads the numbers, medium and direction of the call.
func (b *body) readWho(r *calllog.Record, words *calllog.Words) {
	switch inOne(b.call.Word("type", maxName)) {
	case "inboundphonecall":
		r.Medium, r.Direction = "phone", "inbound"
	case "outboundphonecall":
		r.Medium, r.Direction = "phone", "outbound"
	case "webcall":
		r.Medium = "web"
	default:
		words.Keep("call.type", b.call.Raw("type"))
	}
	customer, own := b.number("customer"), b.number("phoneNumber")
	r.From, r.To = customer, own
	if r.Direction == "outbound" {
		r.From, r.To = own, customer
	}
}

// number reads the number in an object, or a number in its place. One place may only name the
// person or the line, and another one have the number.
func (b *body) number(name string) string {
	for _, key := range []string{"number", "twilioPhoneNumber", "sipUri"} {
		number := firstOf(b, func(o lenient.Object) string { return o.Inside(name).Phone(key, maxNumber) })
		if number != "" {
			return number
		}
	}
	return firstOf(b, func(o lenient.Object) string { return o.Phone(name, maxNumber) })
}

// readTimes reads when the call took place. Missing times follow from its length, its
// transcript, and when it was created or reported.
func (b *body) readTimes(started time.Time, r *calllog.Record) {
	ended, length, told := b.moment("endedAt"), time.Duration(0), false
	for _, f := range []struct {
		name string
		unit time.Duration
	}{{"durationMs", time.Millisecond}, {"durationSeconds", time.Second}, {"durationMinutes", time.Minute}, {"duration", time.Second}} {
		for _, o := range b.places {
			if d, ok := o.Span(f.name, f.unit); ok && !told {
				length, told = d, true
			}
		}
	}
	if !told {
		length = calllog.Length(&r.Reported)
	}
	if r.StartedAt, r.EndedAt = calllog.Times(started, ended, length); !r.StartedAt.IsZero() {
		return
	}
	r.Length = length
	r.StartedAt, r.EndedAt = calllog.Times(b.moment("createdAt"), time.Time{}, length)
	if r.StartedAt.IsZero() {
		r.StartedAt, r.EndedAt = calllog.Times(time.Time{}, b.moment("timestamp"), length)
	}
	r.Guessed = !r.StartedAt.IsZero()
}
