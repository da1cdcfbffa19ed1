package platforma

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// readEnd reads how the call ended. The platform's word stays as the detail.
func readEnd(c calllog.Object, talk *calllog.Conversation, r *calllog.Record) {
	word, status := c.Word("disconnection_reason", maxName), c.Word("call_status", maxName)
	code, answered := codeOf(word), true
	switch {
	case word != "":
	case status == "error":
		word, code = status, call.EndPlatformError
	case status == "not_connected":
		word, code, answered = status, call.EndUnreachable, false
	}
	if !reached(word) || status == "not_connected" {
		answered = false
	}
	r.NeverAnswered = !answered && len(r.Turns) == 0 || code == call.EndVoicemail
	r.End = settle(call.EndOf(code, word), talk, r)
}

// settle says who is to blame where that depends on the conversation.
func settle(end call.EndReason, talk *calllog.Conversation, r *calllog.Record) call.EndReason {
	reached := r.Successful != nil && *r.Successful
	switch {
	case end.Code == call.EndMaxDuration || end.Code == call.EndSilence:
		return end.Blaming(talk.Due())
	case end.Code == call.EndCallerHungUp && reached:
		return call.EndOf(call.EndCompleted, end.Detail)
	case end.Code == call.EndAgentHungUp && reached:
		return end.Blaming(call.BlameNobody)
	case end.Detail == "manual_stopped":
		return end.Blaming(call.BlameNobody)
	case end.Detail == "error_user_not_joined" || end.Detail == "registered_call_timeout":
		return end.Blaming(call.BlameCaller)
	}
	return end
}

// codeOf leads the platform's reasons to ours. What is not known is unknown.
func codeOf(reason string) call.EndCode {
	switch reason {
	case "user_hangup":
		return call.EndCallerHungUp
	case "agent_hangup", "manual_stopped":
		return call.EndAgentHungUp
	case "call_transfer", "transfer_bridged", "call_take_over":
		return call.EndTransferred
	case "voicemail_reached", "ivr_reached":
		return call.EndVoicemail
	case "inactivity":
		return call.EndSilence
	case "max_duration_reached":
		return call.EndMaxDuration
	case "concurrency_limit_reached", "no_concurrency_fallback", "no_valid_payment", "telephony_provider_permission_denied":
		return call.EndConfiguration
	case "dial_busy":
		return call.EndBusy
	case "dial_no_answer", "error_user_not_joined", "registered_call_timeout":
		return call.EndNoAnswer
	case "user_declined", "scam_detected", "marked_as_spam":
		return call.EndDeclined
	case "dial_failed", "invalid_destination", "telephony_provider_unavailable", "sip_routing_error":
		return call.EndUnreachable
	case "error_llm_websocket_open", "error_llm_websocket_lost_connection", "error_llm_websocket_runtime", "error_llm_websocket_corrupt_payload":
		return call.EndAgentError // the language model's websocket is the agent's own code
	case "error_asr":
		return call.EndProviderError
	case "error_no_audio_received":
		return call.EndMediaLost
	}
	if strings.HasPrefix(reason, "error_") {
		return call.EndPlatformError
	}
	return call.EndUnknown
}

// reached is false for the reasons with which a call never gets through to a person.
func reached(reason string) bool {
	switch reason {
	case "dial_busy", "dial_failed", "dial_no_answer", "invalid_destination", "user_declined", "marked_as_spam", "scam_detected",
		"telephony_provider_permission_denied", "telephony_provider_unavailable", "sip_routing_error", "concurrency_limit_reached",
		"no_concurrency_fallback", "no_valid_payment", "error_user_not_joined", "registered_call_timeout":
		return false
	}
	return true
}
