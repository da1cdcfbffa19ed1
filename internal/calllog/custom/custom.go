// Package custom reads the payload of the provider "custom": a call reported by
// a client's own agent, with an optional transcript in the chat-completion
// message format. Its parent calllog passes it the payload and stores the
// result. It does no I/O.
package custom

import (
	"net/url"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// TranscriptKind is the only kind of transcript.
const TranscriptKind = "chat_completion"

const (
	maxName   = 256
	maxNumber = 128
	maxURL    = 4096
	// longest is the length of the longest call accepted.
	longest = 7 * 24 * time.Hour
)

// Reader returns the reader of custom payloads. kinds maps other names of the
// transcript kind to TranscriptKind; it may be nil.
func Reader(kinds map[string]string) calllog.Reader {
	return func(payload lenient.Object) calllog.Record { return read(payload, kinds) }
}

func read(p lenient.Object, kinds map[string]string) calllog.Record {
	r := calllog.Record{
		Whole: true,
		Keep:  lenient.KeepIn(p),
		From:  p.Text("from_number", maxNumber),
		To:    p.Text("to_number", maxNumber),
		Reported: call.Reported{
			Provider:      calllog.Custom,
			ExternalID:    p.Text("call_id", maxName),
			RecordingURL:  p.Text("recording_url", maxURL),
			CallerChannel: -1,
		},
	}
	checkURL(p, r.RecordingURL)
	start, startOK := stamp(p, "start_timestamp")
	end, endOK := stamp(p, "end_timestamp")
	if startOK && endOK && end < start {
		p.Note("end_timestamp", "must not be before start_timestamp")
	}
	if startOK && endOK && end-start > longest.Milliseconds() {
		p.Note("end_timestamp", "must not be more than a week after start_timestamp")
	}
	r.StartedAt, r.EndedAt = time.UnixMilli(start).UTC(), time.UnixMilli(end).UTC()
	r.End = ending(p)
	if p.Has("transcript") {
		if t, ok := p.Object("transcript"); ok {
			r.HasTranscript = true
			length := longest.Milliseconds()
			if startOK && endOK && end >= start {
				length = end - start
			}
			readTranscript(t, kinds, start, length, &r)
		}
	}
	known := []string{"call_id", "recording_url", "from_number", "to_number", "start_timestamp", "end_timestamp", "status", "transcript"}
	p.Respelt(known...)
	var words calllog.Words
	p.Done(known...)
	words.KeepRest(p, "")
	r.Words = words.All()
	return r
}

func checkURL(p lenient.Object, text string) {
	if text == "" {
		return // noted already
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		p.Note("recording_url", "must be an http or https address")
	}
}

const (
	// leastStamp and lastStamp, the years 2000 and 2100, tell milliseconds from
	// other units.
	leastStamp = 946_684_800_000
	lastStamp  = 4_102_444_800_000
)

// stamp reads a time in milliseconds since 1970.
func stamp(p lenient.Object, name string) (int64, bool) {
	n, ok := p.Int(name)
	switch {
	case !ok:
		return 0, false
	case n < leastStamp:
		p.Note(name, "must be milliseconds since 1970; this is before the year 2000 (are these seconds?)")
		return 0, false
	case n > lastStamp:
		p.Note(name, "must be milliseconds since 1970; this is after the year 2100 (are these microseconds?)")
		return 0, false
	}
	return n, true
}

// ending reads the status and keeps the client's word as the detail.
func ending(p lenient.Object) call.EndReason {
	switch status := p.Text("status", maxName); status {
	case "":
		return call.EndReason{}
	case "ended":
		return call.EndOf(call.EndCompleted, status)
	case "error":
		return call.EndOf(call.EndAgentError, status)
	}
	p.Note("status", "must be ended or error")
	return call.EndReason{}
}
