// Package platforma reads the webhooks of platform A: call_ended, which has everything
// but the analysis, call_analyzed, which has that too, and bare call objects. Clients
// pass payloads on unchanged, so only one that is not a finished call is refused. Its
// parent calllog passes it the payload; its siblings are custom and platformb. It does no
// I/O.
package platforma

import (
	"maps"
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
	send      = "send call_ended and call_analyzed"
)

// Reader returns the reader of platform A's payloads.
func Reader() calllog.Reader { return read }

func read(p lenient.Object) calllog.Record {
	p, keep := p.Unwrapped()
	if name, _ := enveloped(p); !p.Has("call_id") && !p.Inside(name).Has("call_id") && p.NamesAny("call_id") {
		p = p.InSnakeCase()
	}
	c, whole, ok := find(p)
	if !ok {
		return calllog.Record{}
	}
	r := calllog.Record{
		From: c.Phone("from_number", maxNumber), To: c.Phone("to_number", maxNumber),
		Keep: keep, Whole: whole,
		Reported: call.Reported{
			Provider: calllog.PlatformA, ExternalID: c.ID("call_id"),
			PlatformAgentID: c.Word("agent_id", maxName), AgentName: c.Word("agent_name", maxName), AgentVersion: c.Word("agent_version", maxName),
			CallerChannel: -1,
		},
	}
	c.Done("opt_out_sensitive_data_storage", "data_storage_setting")
	var talk calllog.Conversation
	var words calllog.Words
	readWay(c, &r, &words)
	readTranscript(c, &talk, &r, &words)
	readTimes(p, c, &r)
	readAnalysis(c, &r, &words)
	if !c.Inside("call_analysis").Empty() || !c.Inside("scrubbed_call_analysis").Empty() {
		r.Judged = sentAt(p)
	}
	readFigures(c, &r, &words)
	readRecording(c, &r)
	readEnd(c, &talk, &r)
	words.Keep("custom_sip_headers", c.Raw("custom_sip_headers"))
	r.TestCall = calllog.TestCallIn(c.Inside("custom_sip_headers"), c.Inside("metadata"), c.Inside("scrubbed_metadata"), variables(c, &words))
	for _, name := range []string{"metadata", "scrubbed_metadata"} {
		fields := c.Fields(name)
		if len(r.Metadata) == 0 {
			r.Metadata = fields
		}
		if fields == nil { // none, or too large to be metadata
			words.Keep(name, c.Raw(name))
		}
	}
	words.KeepRest(c, "")
	if name, ok := enveloped(p); ok {
		p.Done(name, "event", "event_type", "event_name", "type")
		words.KeepRest(p, "webhook.")
	}
	r.Words = words.All()
	return r
}

// find finds the call in the payload; whole says whether the platform has reported all of
// it. A payload that is not a finished call is noted.
func find(p lenient.Object) (c lenient.Object, whole, ok bool) {
	told := eventIn(p)
	event := eventOf(told)
	name, wrapped := enveloped(p)
	if c = p.Inside(name); c.Empty() {
		c = p // a bare call, or none at all
	}
	switch event {
	case "call_ended", "call_analyzed":
		switch {
		case event != told && !mayBeOver(p, c): // the event was respelt, so other signs are checked too
			return c, false, false
		case !c.Has("call_id") && !wrapped:
			p.Note("call", "is required: the object of the call that "+event+" tells of")
			return c, false, false
		}
		return c, event == "call_analyzed", true
	case "":
		whole, ok = over(p, c)
		return c, whole, ok
	}
	p.Note("event", "event "+lenient.Shown(event)+" is not a finished call; "+send)
	return c, false, false
}

// eventIn returns the event that a webhook names.
func eventIn(p lenient.Object) string {
	for _, name := range []string{"event", "event_type", "event_name"} {
		if event := p.Word(name, maxName); event != "" {
			return event
		}
	}
	switch event := p.Word("type", maxName); eventOf(event) {
	case "call_ended", "call_analyzed": // other senders use this field for other things
		return event
	}
	return ""
}

// eventOf returns the platform's own name of an event. Forwarders and rewriters of
// webhooks spell the two that matter in their own way: call.ended, callEnded, "Call
// Completed", phone-call-finished.
func eventOf(event string) string {
	name := strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-:/ ", r) {
			return -1
		}
		return r
	}, event))
	for _, kind := range []string{"phone", "voice", "web"} {
		name = strings.TrimPrefix(name, kind)
	}
	switch name {
	case "callended", "callend", "endcall", "endofcall", "callcompleted", "callcomplete", "callfinished", "postcall", "callhungup", "callhangup", "calldisconnected":
		return "call_ended"
	case "callanalyzed", "callanalysed", "callanalysis":
		return "call_analyzed"
	}
	return event
}

// enveloped returns the field in which a webhook holds its call: older webhooks called it
// data.
func enveloped(p lenient.Object) (name string, ok bool) {
	if !p.Has("call") && !p.Inside("data").Empty() && eventIn(p) != "" {
		return "data", true
	}
	return "call", p.Has("call")
}

// term reads one of the platform's terms and restores its spelling, which forwarders may
// have changed to "User Hangup" or USER_HANGUP.
func term(c lenient.Object, name string) string { return spelled(c.Word(name, maxName)) }

func spelled(word string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(word))
}

// mayBeOver reports whether nothing says that the call is not over, and notes what does.
func mayBeOver(p, c lenient.Object) bool {
	if p.Has("call") && (p.Has("args") || p.Has("name") || p.Has("interaction_type")) {
		p.Note("call", "a function's webhook is not a finished call; "+send)
		return false
	}
	if status := term(c, "call_status"); status == "registered" || status == "ongoing" {
		c.Note("call_status", "a call that is "+status+" is not a finished call; "+send)
		return false
	}
	return true
}

// over reports whether a call without an event is over.
func over(p, c lenient.Object) (whole, ok bool) {
	if !mayBeOver(p, c) {
		return false, false
	}
	switch term(c, "call_status") {
	case "ended", "error", "not_connected":
	default:
		if p.Has("message") && !c.Has("call_id") {
			p.Note("message", "is how platform B describes a call; set provider to match")
			return false, false
		}
		if !c.Has("end_timestamp") && !c.Has("disconnection_reason") && !c.Has("duration_ms") && !c.Has("call_analysis") {
			c.Note("call_status", "must be ended, error or not_connected where neither an event nor an end says that the call is over; "+send)
			return false, false
		}
	}
	return !c.Inside("call_analysis").Empty(), true
}

// readWay reads the medium and direction of the call.
func readWay(c lenient.Object, r *calllog.Record, words *calllog.Words) {
	switch term(c, "call_type") {
	case "phone_call":
		r.Medium = "phone"
	case "web_call":
		r.Medium = "web"
	default:
		words.Keep("call_type", c.Raw("call_type"))
	}
	switch d := term(c, "direction"); d {
	case "inbound", "outbound":
		r.Direction = d
	default:
		words.Keep("direction", c.Raw("direction"))
	}
}

// readTimes reads when the call took place. Missing times follow from its length and its
// transcript.
func readTimes(p, c lenient.Object, r *calllog.Record) {
	start, end := c.Moment("start_timestamp"), c.Moment("end_timestamp")
	length, told := c.Span("duration_ms", time.Millisecond)
	if !told {
		length, told = c.Span("duration_seconds", time.Second)
	}
	if !told {
		if length, told = c.Inside("call_cost").Span("total_duration_seconds", time.Second); !told {
			length = calllog.Length(&r.Reported)
		}
	}
	r.StartedAt, r.EndedAt = calllog.Times(start, end, length)
	// Since every webhook of a call has its own time, it only counts as the end of the call if
	// the length is known.
	if sent := sentAt(p); r.StartedAt.IsZero() && !sent.IsZero() {
		if r.StartedAt, r.Guessed = sent.Add(-length), true; length > 0 {
			r.EndedAt = sent
		}
	}
	if r.StartedAt.IsZero() || r.Guessed {
		r.Length = length
	}
}

// sentAt returns when the webhook was sent, zero if it does not say.
func sentAt(p lenient.Object) time.Time {
	sent, other := p.Moment("event_timestamp"), p.Moment("timestamp")
	if sent.IsZero() {
		return other
	}
	return sent
}

// variables returns all dynamic variables of the call, whatever fields the platform puts
// them in, and keeps each field under its name.
func variables(c lenient.Object, words *calllog.Words) lenient.Object {
	all := map[string]any{}
	for _, name := range c.Names() {
		if !isVariables(name) {
			continue
		}
		values := c.Fields(name)
		maps.Copy(all, values)
		if len(values) > 0 {
			words.Keep(name, values)
		}
	}
	return lenient.Of(all)
}
