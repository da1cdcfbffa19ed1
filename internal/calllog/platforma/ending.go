package platforma

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// readEnd reads how the call ended and keeps the platform's word as the detail.
func readEnd(c lenient.Object, talk *calllog.Conversation, r *calllog.Record) {
	word, status := c.Word("disconnection_reason", maxName), term(c, "call_status")
	code, answered := codeOf(spelled(word)), true
	switch {
	case word != "":
	case status == "error":
		word, code = status, call.EndPlatformError
	case status == "not_connected":
		word, code, answered = status, call.EndUnreachable, false
	}
	if !reached(spelled(word)) || status == "not_connected" {
		answered = false
	}
	r.NeverAnswered = !answered && len(r.Turns) == 0 || code == call.EndVoicemail
	r.End = settle(call.EndOf(code, word), talk, r)
}

// settle decides who is to blame where that depends on the conversation.
func settle(end call.EndReason, talk *calllog.Conversation, r *calllog.Record) call.EndReason {
	reached, word := isTrue(r.Successful), spelled(end.Detail)
	switch {
	case end.Code == call.EndMaxDuration || end.Code == call.EndSilence:
		return end.Blaming(talk.Due())
	case end.Code == call.EndCallerHungUp && reached:
		return call.EndOf(call.EndCompleted, end.Detail)
	case end.Code == call.EndAgentHungUp && (reached || isTrue(r.Voicemail)): // an agent may hang up on a machine
		return end.Blaming(call.BlameNobody)
	case word == "manual_stopped":
		return end.Blaming(call.BlameNobody)
	case calllog.Unreached(end.Code): // all its words for these are about the user
		return end.Blaming(call.BlameCaller)
	}
	return end
}

func isTrue(told *bool) bool { return told != nil && *told }

// reason is one way a call can end, with the platform's words for it.
type reason struct {
	code  call.EndCode
	words []string
}

// reasons are the platform's words grouped by meaning.
func reasons() []reason {
	return []reason{
		{call.EndCallerHungUp, []string{"user_hangup"}},
		{call.EndAgentHungUp, []string{"agent_hangup", "manual_stopped"}},
		{call.EndTransferred, []string{"call_transfer", "transfer_bridged", "call_take_over"}},
		{call.EndVoicemail, []string{"voicemail_reached", "machine_detected", "ivr_reached"}},
		{call.EndSilence, []string{"inactivity"}},
		{call.EndMaxDuration, []string{"max_duration_reached"}},
		{call.EndConfiguration, []string{
			"concurrency_limit_reached", "no_concurrency_fallback", "no_valid_payment", "telephony_provider_permission_denied",
			"error_inbound_webhook", // the client's own, which is asked what to do with a call that comes in
		}},
		{call.EndBusy, []string{"dial_busy"}},
		{call.EndNoAnswer, []string{"dial_no_answer", "error_user_not_joined", "registered_call_timeout"}},
		{call.EndDeclined, []string{"user_declined", "scam_detected", "marked_as_spam"}},
		{call.EndUnreachable, []string{"dial_failed", "invalid_destination", "telephony_provider_unavailable", "sip_routing_error"}},
		// The language model's websocket is the agent's own code.
		{call.EndAgentError, []string{
			"error_llm_websocket_open", "error_llm_websocket_lost_connection", "error_llm_websocket_runtime", "error_llm_websocket_corrupt_payload",
		}},
		{call.EndProviderError, []string{"error_asr"}},
		{call.EndMediaLost, []string{"error_no_audio_received"}},
	}
}

// codeOf maps the platform's words to our codes. Unknown words become
// EndPlatformError if they say that they are errors, else EndUnknown.
func codeOf(word string) call.EndCode {
	for _, r := range reasons() {
		if slices.Contains(r.words, word) {
			return r.code
		}
	}
	if strings.HasPrefix(word, "error_") {
		return call.EndPlatformError
	}
	return call.EndUnknown
}

// reached reports whether a call with this reason can have got through to a person.
func reached(reason string) bool {
	switch reason {
	case "dial_busy", "dial_failed", "dial_no_answer", "invalid_destination", "user_declined", "marked_as_spam", "scam_detected",
		"telephony_provider_permission_denied", "telephony_provider_unavailable", "sip_routing_error", "concurrency_limit_reached",
		"no_concurrency_fallback", "no_valid_payment", "error_inbound_webhook", "error_user_not_joined", "registered_call_timeout":
		return false
	}
	return true
}
