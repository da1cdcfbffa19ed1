package call

// Blame says whose doing the end of a call was.
type Blame string

// Everyone who can be to blame.
const (
	BlameNobody    Blame = "nobody"
	BlameCaller    Blame = "caller"
	BlameAgent     Blame = "agent"
	BlameLine      Blame = "line"
	BlamePlatform  Blame = "platform"
	BlameRingtrue  Blame = "ringtrue"
	BlameUndecided Blame = "unknown"
)

// EndCode names a way a call can end.
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

// EndReason says how a call ended and whose doing it was.
type EndReason struct {
	Code  EndCode `json:"code,omitempty"`
	Blame Blame   `json:"blame,omitempty"`
	// Detail is the line's or the platform's own word ("486 Busy Here"), never a caller's.
	Detail string `json:"detail,omitempty"`
}

// EndOf returns the reason of the given code with the blame that usually goes
// with it. Detail is kept as it came.
func EndOf(code EndCode, detail string) EndReason {
	return EndReason{Code: code, Blame: usualBlame(code), Detail: detail}
}

// Blaming returns the same reason with another blame, for the codes whose
// blame depends on who was due to speak or whether the goal was reached.
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
