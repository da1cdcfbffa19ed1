package platformb

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// readEnd reads how the call ended. The platform's word stays as the detail.
func (b *body) readEnd(talk *calllog.Conversation, r *calllog.Record) {
	word := b.word("endedReason")
	r.End = settle(call.EndOf(codeOf(word), word), talk, r)
	switch silent := talk.Turns() == 0; r.End.Code {
	case call.EndVoicemail:
		r.NeverAnswered = true
	case call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndUnreachable, call.EndConfiguration:
		r.NeverAnswered = silent
	case call.EndProviderError, call.EndPlatformError:
		r.NeverAnswered = silent && (strings.Contains(word, "never-connected") || strings.Contains(word, "outbound-sip-"))
	}
}

// settle says who is to blame where that depends on the conversation.
func settle(end call.EndReason, talk *calllog.Conversation, r *calllog.Record) call.EndReason {
	reached := r.Successful != nil && *r.Successful
	switch {
	case end.Code == call.EndMaxDuration || end.Code == call.EndSilence:
		return end.Blaming(talk.Due())
	case end.Code == call.EndCallerHungUp && reached:
		return call.EndOf(call.EndCompleted, end.Detail)
	case end.Code == call.EndAgentHungUp && (reached || strings.HasPrefix(end.Detail, "manually-")):
		return end.Blaming(call.BlameNobody)
	case strings.HasPrefix(end.Detail, "customer-did-not-give-"):
		return end.Blaming(call.BlameCaller)
	}
	return end
}

// kinds leads words in a reason to ours, the first that fits. The reasons are
// hundreds and new ones come, so they are told by how they are made.
func kinds() []struct {
	fits func(reason string) bool
	code call.EndCode
} {
	begins, holds, ends := strings.HasPrefix, strings.Contains, strings.HasSuffix
	return []struct {
		fits func(reason string) bool
		code call.EndCode
	}{
		{func(r string) bool { return begins(r, "call.start.error-") || begins(r, "call-start-error-") }, call.EndConfiguration},
		{func(r string) bool { return holds(r, "error") && holds(r, "transfer") }, call.EndAgentError},
		{func(r string) bool { return begins(r, "customer-ended-call") }, call.EndCallerHungUp},
		{func(r string) bool { return holds(r, "operator-busy") || r == "customer-busy" }, call.EndBusy},
		{func(r string) bool { return holds(r, "forward") || holds(r, "transfer") }, call.EndTransferred},
		{func(r string) bool { return begins(r, "assistant-not-") || begins(r, "assistant-request-") }, call.EndConfiguration},
		{func(r string) bool { return holds(r, "error-providerfault") }, call.EndProviderError},
		{func(r string) bool { return begins(r, "pipeline-") || holds(r, "error-pipeline") }, call.EndProviderError},
		{func(r string) bool { return holds(r, "error-") && holds(r, "fault-") }, call.EndPlatformError},
		{func(r string) bool {
			return holds(r, "failed-to-connect") || holds(r, "never-connected") || holds(r, "misdialed") || holds(r, "no-call-received")
		}, call.EndUnreachable},
		{func(r string) bool { return holds(r, "did-not-receive-customer-audio") || holds(r, "closed-websocket") }, call.EndMediaLost},
		{func(r string) bool { return holds(r, "did-not-answer") || holds(r, "no-answer") }, call.EndNoAnswer},
		{func(r string) bool { return holds(r, "permission") || holds(r, "rejected") || holds(r, "declined") }, call.EndDeclined},
		{func(r string) bool { return holds(r, "voicemail") }, call.EndVoicemail},
		{func(r string) bool { return holds(r, "silence-time") }, call.EndSilence},
		{func(r string) bool { return holds(r, "max-duration") }, call.EndMaxDuration},
		{func(r string) bool { return holds(r, "join-timed-out") }, call.EndAgentNeverCame},
		{func(r string) bool {
			return begins(r, "assistant-ended-call") || begins(r, "assistant-said-") || holds(r, "hook-executed") || begins(r, "manually-cancel")
		}, call.EndAgentHungUp},
		{func(r string) bool { return ends(r, "completed-call") || ends(r, "-completed") }, call.EndCompleted},
		{func(r string) bool { return ends(r, "-disconnected") }, call.EndMediaLost},
		{func(r string) bool {
			return holds(r, "error") || holds(r, "shutdown") || holds(r, "no-server-available") || holds(r, "license-check-failed")
		}, call.EndPlatformError},
	}
}

// codeOf leads a reason to ours. What is not known is unknown.
func codeOf(reason string) call.EndCode {
	reason = strings.ToLower(reason)
	for _, kind := range kinds() {
		if kind.fits(reason) {
			return kind.code
		}
	}
	return call.EndUnknown
}
