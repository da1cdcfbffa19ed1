package call

import "time"

// Kind names something that happens in a call.
type Kind string

// The kinds of timeline events. Those of the line come first, then those of
// the caller, then what our own side got wrong.
const (
	KindRinging       Kind = "ringing"
	KindEarlyMedia    Kind = "early_media"
	KindAnswered      Kind = "answered"
	KindFirstPacket   Kind = "first_packet"
	KindReinvited     Kind = "reinvited"
	KindHeld          Kind = "held"
	KindResumed       Kind = "resumed"
	KindSourceChanged Kind = "media_source_changed"
	KindMediaGap      Kind = "media_gap"
	KindDigitReceived Kind = "digit_received"
	KindDigitSent     Kind = "digit_sent"
	KindHangUp        Kind = "hang_up"

	// What happens in a room: the agent left and came back, switched its microphone
	// off and on, sent a message (Data: topic, bytes, text) or its own transcription
	// (Text; Data: of, final); our own connection was lost for a while; what came
	// could not be decoded (Data: packets).
	KindAgentLeft     Kind = "agent_left"
	KindAgentRejoined Kind = "agent_rejoined"
	// KindUnreachable and KindReachable: nothing at all comes from the agent any more, not even
	// signs of life, although it is still in the room; and it comes again. Ten seconds late, as the media server says it.
	KindUnreachable  Kind = "agent_unreachable"
	KindReachable    Kind = "agent_reachable"
	KindMuted        Kind = "agent_muted"
	KindUnmuted      Kind = "agent_unmuted"
	KindMessage      Kind = "message_received"
	KindTranscript   Kind = "transcript_received"
	KindReconnecting Kind = "line_reconnecting"
	KindReconnected  Kind = "line_reconnected"
	KindUndecodable  Kind = "media_undecodable"

	// KindSaid is speech of the caller: At and End are its first and last audible sample as sent.
	KindSaid Kind = "said"
	// KindCut says that a line of the caller's was broken off by its own mind; At is where.
	KindCut Kind = "cut"
	// KindAgentStarted and KindAgentEnded are what the live voice activity made of
	// the agent. They explain what the caller did; no figure is taken from them.
	KindAgentStarted Kind = "agent_started"
	KindAgentEnded   Kind = "agent_ended"
	KindWords        Kind = "words" // Text is what the caller's ears understood
	KindStep         Kind = "step"  // Data: index, step
	KindWordsMissed  Kind = "words_missed"
	KindRepeated     Kind = "repeated"
	KindBranched     Kind = "branched"
	KindPrompted     Kind = "prompted" // the caller asked whether anybody is there
	KindGaveUp       Kind = "gave_up"
	KindGoalReached  Kind = "goal_reached"
	KindScriptDone   Kind = "script_done"

	// KindLate: a result of our own came after it was due (Data: what, late_ms).
	KindLate Kind = "late"
	// KindOurFault: something of our own failed (Data: what, error); the call is void.
	KindOurFault Kind = "our_fault"
)

// Room is how many of so many events there may be already for one of the kind still to be taken down. What a far end
// can do as often as it likes leaves a tenth to what has to be known of the call all the same: that our side spoilt it, above all.
func (k Kind) Room(all int) int {
	switch k {
	case KindDigitReceived, KindMessage, KindMuted, KindUnmuted, KindMediaGap, KindSourceChanged, KindReinvited, KindHeld, KindResumed:
		return all - all/10
	default:
		return all
	}
}

// Event is one happening on the timeline of an attempt.
type Event struct {
	// At is the media time since the answer; what happened before the answer is negative or zero.
	At   time.Duration `json:"at"`
	End  time.Duration `json:"end,omitempty"`
	Kind Kind          `json:"kind"`
	// Text is what was said or understood. It is a person's words: never log it.
	Text   string         `json:"text,omitempty"`
	Manner Manner         `json:"manner,omitempty"`
	Data   map[string]any `json:"data,omitempty"`
}
