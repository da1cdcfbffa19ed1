package platformb

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// readEnd reads how the call ended and keeps the platform's word as the detail.
func (b *body) readEnd(talk *calllog.Conversation, r *calllog.Record) {
	word := b.word("endedReason")
	r.End = settle(call.EndOf(codeOf(word), word), talk, r)
	r.NeverAnswered = r.End.Code == call.EndVoicemail || talk.Turns() == 0 && neverReached(r.End)
}

// neverReached reports whether a call with this end and without speech was never answered.
func neverReached(end call.EndReason) bool {
	word := spelled(end.Detail)
	if strings.HasPrefix(word, "call.ringing.") || strings.HasPrefix(word, "call.start.") {
		return true
	}
	switch end.Code { //nolint:exhaustive // the others come after an answer
	case call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndUnreachable, call.EndAgentNeverCame:
		return true
	case call.EndConfiguration:
		return !strings.HasPrefix(word, "call.in-progress.")
	case call.EndProviderError, call.EndPlatformError:
		return strings.Contains(word, "never-connected") || strings.Contains(word, "outbound-sip-") || strings.Contains(word, "-not-available")
	default:
		return strings.HasPrefix(word, "scheduled-")
	}
}

// settle decides who is to blame where that depends on the conversation.
func settle(end call.EndReason, talk *calllog.Conversation, r *calllog.Record) call.EndReason {
	reached, word := r.Successful != nil && *r.Successful, spelled(end.Detail)
	switch {
	case end.Code == call.EndMaxDuration || end.Code == call.EndSilence:
		return end.Blaming(talk.Due())
	case end.Code == call.EndCallerHungUp && reached:
		return call.EndOf(call.EndCompleted, end.Detail)
	case end.Code == call.EndAgentHungUp && (reached || strings.HasPrefix(word, "manually-")):
		return end.Blaming(call.BlameNobody)
	case calllog.Unreached(end.Code): // all its words for these are about the customer
		return end.Blaming(call.BlameCaller)
	}
	return end
}

// kind describes the reasons of one code: they begin with under, and begin with, contain or end
// with one of the words, or contain all of within.
type kind struct {
	code                        call.EndCode
	under                       string
	begins, holds, ends, within []string
	// fault also accepts reasons whose first word is somebody's fault, as in older reasons.
	fault bool
}

func (k *kind) fits(reason string) bool {
	if !strings.HasPrefix(reason, k.under) {
		return false
	}
	with := func(has func(string, string) bool) func(string) bool {
		return func(word string) bool { return has(reason, word) }
	}
	all := len(k.within) > 0
	for _, word := range k.within {
		all = all && strings.Contains(reason, word)
	}
	return all || k.fault && faulty(reason) || slices.ContainsFunc(k.begins, with(strings.HasPrefix)) ||
		slices.ContainsFunc(k.holds, with(strings.Contains)) || slices.ContainsFunc(k.ends, with(strings.HasSuffix))
}

// faulty reports whether the first word of a reason is somebody's fault, such as
// "providerfault".
func faulty(reason string) bool {
	whose, _, _ := strings.Cut(reason, "-")
	return strings.HasSuffix(whose, "fault") && whose != "default"
}

// kinds returns the kinds, of which the first that fits counts. There are hundreds of reasons
// and new ones keep coming, so they are recognised by their parts.
func kinds() []kind {
	return []kind{
		{code: call.EndConfiguration, begins: []string{"call-start-error-"}, holds: []string{"error-configfault-"}},
		{code: call.EndConfiguration, under: "call.start.", holds: []string{"error-"}},
		{code: call.EndAgentError, within: []string{"error", "transfer"}},
		{code: call.EndCallerHungUp, holds: []string{"customer-ended-call", "caller-hungup"}},
		// The assistant had the call, and the number it was forwarded to did not take it.
		{code: call.EndAgentError, under: "call.forwarding.", holds: []string{"busy", "answer", "reject", "declin", "fail", "unavailable", "unreachable", "timed-out", "timeout"}},
		{code: call.EndBusy, begins: []string{"customer-busy"}, holds: []string{"outbound-sip-486-", "outbound-sip-600-"}},
		// These reasons name the trunk, but the far end's answer is no fault of it.
		{code: call.EndNoAnswer, holds: []string{"outbound-sip-408-", "outbound-sip-480-", "outbound-sip-487-"}},
		{code: call.EndDeclined, holds: []string{"outbound-sip-603-", "outbound-sip-607-", "outbound-sip-608-"}},
		{code: call.EndUnreachable, holds: []string{"outbound-sip-404-", "outbound-sip-410-", "outbound-sip-484-", "outbound-sip-604-", "unallocated-number"}},
		{code: call.EndTransferred, holds: []string{"forward", "transfer"}},
		{code: call.EndConfiguration, begins: []string{"assistant-not-", "assistant-request-"}},
		{code: call.EndProviderError, begins: []string{"pipeline-", "providerfault-"}, holds: []string{"error-providerfault", "error-pipeline"}},
		{code: call.EndPlatformError, within: []string{"error-", "fault-"}, fault: true},
		{code: call.EndUnreachable, holds: []string{"failed-to-connect", "never-connected", "misdialed", "no-call-received"}},
		{code: call.EndMediaLost, holds: []string{"did-not-receive-customer-audio", "closed-websocket"}},
		{code: call.EndNoAnswer, holds: []string{"did-not-answer", "no-answer"}},
		{code: call.EndDeclined, holds: []string{"permission", "rejected", "declined"}},
		{code: call.EndVoicemail, holds: []string{"voicemail"}},
		{code: call.EndSilence, holds: []string{"silence-time"}},
		{code: call.EndMaxDuration, holds: []string{"max-duration"}},
		{code: call.EndAgentNeverCame, holds: []string{"join-timed-out"}},
		{code: call.EndAgentHungUp, begins: []string{"assistant-ended-call", "assistant-said-", "manually-cancel"}, holds: []string{"hook-executed"}},
		{code: call.EndCompleted, ends: []string{"completed-call", "-completed"}},
		{code: call.EndMediaLost, ends: []string{"-disconnected"}},
		{code: call.EndPlatformError, holds: []string{"error", "shutdown", "no-server-available", "license-check-failed"}},
	}
}

// spelled restores the platform's spelling of a reason: its own pages and forwarders write
// "Customer Ended Call" and customer_ended_call.
func spelled(reason string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' {
			return '-'
		}
		return r
	}, strings.ToLower(reason))
}

// codeOf maps a reason to our code, EndUnknown if no kind fits.
func codeOf(reason string) call.EndCode {
	reason = spelled(reason)
	// A fault before the call is blamed on the party it names, like one during the call.
	if why, early := strings.CutPrefix(reason, "call.start.error-"); early && faulty(why) && !strings.HasPrefix(why, "configfault-") {
		reason = why
	}
	for _, k := range kinds() {
		if k.fits(reason) {
			return k.code
		}
	}
	return call.EndUnknown
}
