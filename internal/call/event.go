package call

import (
	"fmt"
	"time"
)

// Kind is a kind of timeline event.
type Kind string

// The kinds of timeline events: first those of the line, then those of the caller, then faults
// of Ringtrue's own.
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

	// Events in a room: the agent left or came back, muted or unmuted its microphone, sent a
	// message (Data: topic, bytes, text) or its own transcription (Text; Data: of, final); our
	// own connection was lost for a while; received audio could not be decoded (Data: packets).
	KindAgentLeft     Kind = "agent_left"
	KindAgentRejoined Kind = "agent_rejoined"
	// KindUnreachable means that nothing arrives from the agent any more, not even keepalives, although it is still in
	// the room; KindReachable means that it is back. The media server reports either about ten seconds late.
	KindUnreachable  Kind = "agent_unreachable"
	KindReachable    Kind = "agent_reachable"
	KindMuted        Kind = "agent_muted"
	KindUnmuted      Kind = "agent_unmuted"
	KindMessage      Kind = "message_received"
	KindTranscript   Kind = "transcript_received"
	KindReconnecting Kind = "line_reconnecting"
	KindReconnected  Kind = "line_reconnected"
	KindUndecodable  Kind = "media_undecodable"

	// KindSaid is speech of the caller. At and End are its first and last audible sample as sent.
	KindSaid Kind = "said"
	// KindCut means that the caller's own mind cut off one of the caller's lines, at At.
	KindCut Kind = "cut"
	// KindAgentStarted and KindAgentEnded come from live voice activity detection on the
	// agent's audio. They explain what the caller did; no metric is computed from them.
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

	// KindLate means that a result of our own came after it was due (Data: what, late_ms).
	KindLate Kind = "late"
	// KindOurFault means that something of our own failed (Data: what, error). It makes the call void.
	KindOurFault Kind = "our_fault"
)

// Room returns how many events a timeline that may hold all of them can already hold and still accept one of kind k. Kinds that
// the far end can cause as often as it likes leave a tenth of the timeline to the others, above all to KindOurFault, without which
// a spoilt call would not be void.
func (k Kind) Room(all int) int {
	switch k {
	case KindDigitReceived, KindMessage, KindMuted, KindUnmuted, KindMediaGap, KindSourceChanged, KindReinvited, KindHeld, KindResumed:
		return all - all/10
	default:
		return all
	}
}

// Event is one entry in the timeline of an attempt.
type Event struct {
	// At is the media time since the answer; events before the answer have negative or zero times.
	At   time.Duration `json:"at"`
	End  time.Duration `json:"end,omitempty"`
	Kind Kind          `json:"kind"`
	// Text is what was said or understood. It holds a person's words: never log it.
	Text   string         `json:"text,omitempty"`
	Manner Manner         `json:"manner,omitempty"`
	Data   map[string]any `json:"data,omitempty"`
}

// Clock formats a time in a call for people: "0:12.4".
func Clock(d time.Duration) string {
	d = d.Round(100 * time.Millisecond)
	return fmt.Sprintf("%d:%04.1f", int(d.Minutes()), (d % time.Minute).Seconds())
}
