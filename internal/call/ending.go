package call

// Blame says who caused a call to end.
type Blame string

// The parties that can be to blame.
const (
	BlameNobody    Blame = "nobody"
	BlameCaller    Blame = "caller"
	BlameAgent     Blame = "agent"
	BlameLine      Blame = "line"
	BlamePlatform  Blame = "platform"
	BlameRingtrue  Blame = "ringtrue"
	BlameUndecided Blame = "unknown"
)

// EndCode is a way in which a call can end.
type EndCode string

// The ways a call can end.
const (
	EndCompleted      EndCode = "completed"
	EndTransferred    EndCode = "transferred"
	EndCallerHungUp   EndCode = "caller_hung_up"
	EndAgentHungUp    EndCode = "agent_hung_up"
	EndMaxDuration    EndCode = "max_duration"
	EndSilence        EndCode = "silence"
	EndBusy           EndCode = "busy"
	EndNoAnswer       EndCode = "no_answer"
	EndDeclined       EndCode = "declined"
	EndVoicemail      EndCode = "voicemail"
	EndAgentNeverCame EndCode = "agent_never_joined"
	EndUnreachable    EndCode = "unreachable"
	EndMediaLost      EndCode = "media_lost"
	EndCodecMismatch  EndCode = "codec_mismatch"
	EndAgentError     EndCode = "agent_error"
	EndConfiguration  EndCode = "configuration"
	EndProviderError  EndCode = "provider_error"
	EndPlatformError  EndCode = "platform_error"
	EndInterrupted    EndCode = "interrupted"
	EndRingtrueError  EndCode = "ringtrue_error"
	EndUnknown        EndCode = "unknown"
)

// EndCodes returns all ways in which a call can end.
func EndCodes() []string {
	var out []string
	for _, c := range []EndCode{
		EndCompleted, EndTransferred, EndCallerHungUp, EndAgentHungUp, EndMaxDuration, EndSilence, EndBusy, EndNoAnswer,
		EndDeclined, EndVoicemail, EndAgentNeverCame, EndUnreachable, EndMediaLost, EndCodecMismatch, EndAgentError,
		EndConfiguration, EndProviderError, EndPlatformError, EndInterrupted, EndRingtrueError, EndUnknown,
	} {
		out = append(out, string(c))
	}
	return out
}

// EndReason says how a call ended and who caused it.
type EndReason struct {
	Code  EndCode `json:"code,omitempty"`
	Blame Blame   `json:"blame,omitempty"`
	// Detail is the line's or the platform's own wording ("486 Busy Here"), never what a caller said.
	Detail string `json:"detail,omitempty"`
}

// EndOf returns the reason with the given code and the blame that usually goes with it.
func EndOf(code EndCode, detail string) EndReason {
	return EndReason{Code: code, Blame: usualBlame(code), Detail: detail}
}

// Blaming returns a copy of r with another blame, for codes whose blame depends on who was due
// to speak or on whether the goal was reached.
func (r EndReason) Blaming(b Blame) EndReason {
	r.Blame = b
	return r
}

func usualBlame(code EndCode) Blame {
	switch code {
	case EndCompleted, EndTransferred:
		return BlameNobody
	case EndCallerHungUp:
		return BlameCaller
	case EndAgentHungUp, EndMaxDuration, EndSilence, EndBusy, EndNoAnswer, EndDeclined,
		EndVoicemail, EndAgentNeverCame, EndAgentError, EndConfiguration:
		return BlameAgent
	case EndUnreachable, EndMediaLost, EndCodecMismatch:
		return BlameLine
	case EndProviderError, EndPlatformError:
		return BlamePlatform
	case EndInterrupted, EndRingtrueError:
		return BlameRingtrue
	case EndUnknown:
		return BlameUndecided
	}
	return BlameUndecided
}
