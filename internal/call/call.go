// Package call defines the Call type, shared by simulated and production calls, with its
// attempts, turns, tool calls, timeline and scores.
//
// It imports the standard library alone. The lines (line/sip, line/room, line/loop) and package
// caller write Events and Attempts, package review adds what was heard, measured and judged,
// package store persists it and package api serves it. The JSON form of these types is the
// storage format, not the wire format.
package call

import "time"

// Origin says where a call came from.
type Origin string

// The origins of a call.
const (
	Simulated  Origin = "simulated"
	Production Origin = "production"
)

// Status is how far a call has got.
type Status string

// The states of a call. Queued, Dialing and InProgress lead to Ended (the call was answered),
// Failed (it never was) or Canceled.
const (
	Queued     Status = "QUEUED"
	Dialing    Status = "DIALING"
	InProgress Status = "IN_PROGRESS"
	Ended      Status = "ENDED"
	Failed     Status = "FAILED"
	Canceled   Status = "CANCELED"
)

// Over reports whether nothing more will happen on the line.
func (s Status) Over() bool { return s == Ended || s == Failed || s == Canceled }

// ScoringStatus is how far the review of a call has got.
type ScoringStatus string

// The states of a call's review.
const (
	ScoringPending ScoringStatus = "PENDING"
	ScoringNow     ScoringStatus = "SCORING"
	Scored         ScoringStatus = "SCORED"
	ScoringFailed  ScoringStatus = "SCORING_FAILED"
	ScoringSkipped ScoringStatus = "SKIPPED"
)

// Over reports whether the review has ended.
func (s ScoringStatus) Over() bool {
	return s == Scored || s == ScoringFailed || s == ScoringSkipped
}

// Verdict is the outcome of a score, a call or an experiment. The zero value means that it is still open.
type Verdict string

// The verdicts. Void means that a fault of Ringtrue's own spoilt the call, which then proves
// nothing about the agent.
const (
	Passed       Verdict = "passed"
	NotPassed    Verdict = "failed"
	Void         Verdict = "void"
	NotEvaluated Verdict = "not_evaluated"
)

// Call is one conversation between a caller and an agent.
type Call struct {
	ID           string `json:"id"`
	WorkspaceID  string `json:"workspace_id"`
	Origin       Origin `json:"origin"`
	ExperimentID string `json:"experiment_id,omitempty"`
	ItemID       string `json:"item_id,omitempty"`
	// Position is the place of the call in its experiment, where all items come in the order of
	// their dataset, and then again for each further repetition. The calls are listed in this order.
	Position int `json:"position"`
	// Repetition counts from 1.
	Repetition int `json:"repetition,omitempty"`
	// Seed seeds every random choice made in this call.
	Seed    uint64 `json:"seed,omitempty"`
	AgentID string `json:"agent_id,omitempty"`
	// Line is the kind of line: "sip", "room" or "loop".
	Line  string `json:"line,omitempty"`
	Trunk string `json:"trunk,omitempty"`
	// Room is the name of the room in which the caller meets the agent, "" on the telephone.
	Room string `json:"room,omitempty"`

	Status        Status        `json:"status"`
	ScoringStatus ScoringStatus `json:"scoring_status"`
	Verdict       Verdict       `json:"verdict,omitempty"`
	// VerdictReason explains the verdict in one sentence.
	VerdictReason string    `json:"verdict_reason,omitempty"`
	EndReason     EndReason `json:"end_reason"`

	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	// StartedAt is when the first signal was sent, zero before.
	StartedAt  time.Time `json:"started_at"`
	AnsweredAt time.Time `json:"answered_at"`
	EndedAt    time.Time `json:"ended_at"`

	// Attempts are in order; the last one is the one that counts.
	Attempts []Attempt `json:"attempts,omitempty"`
	// Recording is nil when nothing was recorded.
	Recording *Recording `json:"recording,omitempty"`
	// ExternalID is the id that the client's platform gave to a production call.
	ExternalID string `json:"external_id,omitempty"`
	// AgentRef is the agent named by the records of a production call; it matches the agent's source id.
	// AgentInferred is true when no record names the agent and AgentRef is the platform's own agent id.
	AgentRef      string `json:"agent_ref,omitempty"`
	AgentInferred bool   `json:"agent_inferred,omitempty"`
	// Keep limits how much of the call may be kept.
	Keep Keep `json:"keep,omitempty"`
	// Metadata is what the client sent with the call. Its numbers are of type json.Number.
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Begun returns when the call took place: StartedAt, or CreatedAt if the call never started.
func (c *Call) Begun() time.Time {
	if c.StartedAt.IsZero() {
		return c.CreatedAt
	}
	return c.StartedAt
}

// Duration returns the time from answer to end, 0 for a call that was not answered or has not ended.
func (c *Call) Duration() time.Duration {
	if c.AnsweredAt.IsZero() || c.EndedAt.IsZero() {
		return 0
	}
	return c.EndedAt.Sub(c.AnsweredAt)
}

// pastAfter is how long after its end a production call must arrive to count as past. Platforms
// send everything about a call within minutes.
const pastAfter = time.Hour

// IsPast reports whether the call arrived more than an hour after it had ended, as imported calls do.
func (c *Call) IsPast() bool {
	return c.Origin == Production && c.CreatedAt.Sub(c.EndedAt) > pastAfter
}

// Attempt is one try at placing a call. If the process dies during an attempt, that attempt
// ends as "interrupted" and the call gets one more.
type Attempt struct {
	ID     string `json:"id"`
	CallID string `json:"call_id"`
	// Number counts from 1.
	Number     int       `json:"number"`
	Process    string    `json:"process,omitempty"`
	StartedAt  time.Time `json:"started_at"`
	RingingAt  time.Time `json:"ringing_at"`
	AnsweredAt time.Time `json:"answered_at"`
	EndedAt    time.Time `json:"ended_at"`
	EndReason  EndReason `json:"end_reason"`
	// Rate is the sample rate of the line in Hz, Codec the name of its codec ("PCMU"). Both are zero
	// if the call was never answered.
	Rate  int    `json:"rate,omitempty"`
	Codec string `json:"codec,omitempty"`
	// LineRef is the line's own identifier of the call (the SIP Call-ID), for tracing.
	LineRef string    `json:"line_ref,omitempty"`
	Stats   LineStats `json:"stats"`
	// Timeline is everything that happened, ordered by media time.
	Timeline []Event `json:"timeline,omitempty"`
}

// Recording is the two-channel audio of a call: caller left, agent right.
type Recording struct {
	// Key is the key of the audio in the blob store.
	Key string `json:"key"`
	// Type is the media type, "audio/wav".
	Type string `json:"type"`
	Rate int    `json:"rate"`
	// Samples is the number of samples per channel.
	Samples int64 `json:"samples"`
	Bytes   int64 `json:"bytes"`
	// CallerCoverage and AgentCoverage are the shares (0 to 1) of the recording covered by each channel.
	CallerCoverage float64 `json:"caller_coverage"`
	AgentCoverage  float64 `json:"agent_coverage"`
	// SHA256 is the hex digest of the stored bytes.
	SHA256 string `json:"sha256"`
	// Mixed is true when both sides were recorded into one signal, which is then stored in both channels.
	Mixed bool `json:"mixed,omitempty"`
	// Scrubbed is true when the platform has removed personal data from the recording.
	Scrubbed bool `json:"scrubbed,omitempty"`
	// Roles is how the channels of a fetched recording were assigned to caller and agent, ""
	// for our own and for mixed recordings. Sure is the confidence of that assignment, 0 to 1.
	Roles Roles   `json:"roles,omitempty"`
	Sure  float64 `json:"sure,omitempty"`
}

// Roles is a way of finding out who speaks on which channel of a recording.
type Roles string

// The ways, most reliable first.
const (
	RolesTold       Roles = "told"       // the platform says so
	RolesTranscript Roles = "transcript" // the channels fit the turns of the transcript
	RolesGreeting   Roles = "greeting"   // the party that is called speaks first
	RolesAssumed    Roles = "assumed"    // no indication: caller left
)

// LineStats are the statistics of one leg, from RTP and RTCP.
type LineStats struct {
	Sent       int64 `json:"sent"`
	Received   int64 `json:"received"`
	Lost       int64 `json:"lost"`
	Late       int64 `json:"late"`
	Duplicate  int64 `json:"duplicate"`
	Misordered int64 `json:"misordered"`
	// Jitter is the interarrival jitter (RFC 3550) at the end of the call, JitterMax its maximum.
	Jitter    time.Duration `json:"jitter"`
	JitterMax time.Duration `json:"jitter_max"`
	// JitterBuffer is the delay between arrival and playout at the end of the call. Concealed
	// reports whether lost frames were filled in.
	JitterBuffer time.Duration `json:"jitter_buffer"`
	Concealed    bool          `json:"concealed"`
	// RoundTrip is measured from RTCP, 0 if the far end sent none.
	RoundTrip  time.Duration `json:"round_trip"`
	LongestGap time.Duration `json:"longest_gap"`
	// Bursts is the number of runs of consecutive lost packets; Lost/Bursts is their mean length.
	Bursts int64 `json:"bursts"`
	// RemoteLost is the number of our packets that the far end reports as lost (RTCP), -1 if it does not report. In a room
	// the count includes losses reported by the media server, and an external media server is the only source. It also
	// includes what was sent there while our connection was made anew.
	RemoteLost int64 `json:"remote_lost"`
	// SendLate counts our frames that were sent more than 5 ms late, SendLateMax is the largest delay.
	SendLate    int64         `json:"send_late"`
	SendLateMax time.Duration `json:"send_late_max"`
	// SendMissed counts our audible frames that were never sent because this process was
	// starved of CPU time.
	SendMissed int64 `json:"send_missed"`
	// ReceiveDropped counts packets that reached this machine and were discarded because they
	// were not read in time.
	ReceiveDropped int64 `json:"receive_dropped,omitempty"`
	// ReceiveLateMax is the longest time that a packet waited to be read because this process
	// was starved of CPU time; 0 on lines where packets are timestamped on arrival.
	ReceiveLateMax time.Duration `json:"receive_late_max,omitempty"`
	// Early is how long the far end was heard, at the start of the call, before it could hear us.
	Early time.Duration `json:"early,omitempty"`
}
