// Package call is the waist of the project: one Call type for simulated and
// production calls, with its attempts, turns, tool calls, timeline and scores.
//
// It imports the standard library alone. Lines (line/sip, line/room, line/loop) and the
// caller write Events and Attempts, package review fills in what was heard,
// measured and judged, package store keeps it all and package api shows it.
// The JSON form of these types is how they are stored, not the wire form.
package call

import "time"

// Origin says where a call came from.
type Origin string

// The origins of a call.
const (
	Simulated  Origin = "simulated"
	Production Origin = "production"
)

// Status is how far a call has come.
type Status string

// The states of a call. Queued, Dialing and InProgress lead to Ended (it was
// answered), Failed (it never was) or Canceled.
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

// ScoringStatus is how far the review of a call has come.
type ScoringStatus string

// The states of a call's review.
const (
	ScoringPending ScoringStatus = "PENDING"
	ScoringNow     ScoringStatus = "SCORING"
	Scored         ScoringStatus = "SCORED"
	ScoringFailed  ScoringStatus = "SCORING_FAILED"
	ScoringSkipped ScoringStatus = "SKIPPED"
)

// Over reports whether the review has come to an end.
func (s ScoringStatus) Over() bool {
	return s == Scored || s == ScoringFailed || s == ScoringSkipped
}

// Verdict is the outcome of a score, a call or an experiment. The zero value
// means that it is still open.
type Verdict string

// The verdicts. Void means that our own side spoilt the call, so that it is
// evidence of nothing.
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
	// Position orders the calls of an experiment as its dataset orders the items.
	Position int `json:"position"`
	// Repetition counts from 1.
	Repetition int `json:"repetition,omitempty"`
	// Seed makes everything drawn by chance in this call repeatable.
	Seed    uint64 `json:"seed,omitempty"`
	AgentID string `json:"agent_id,omitempty"`
	// Line is the way the call travels: "sip", "room" or "loop".
	Line  string `json:"line,omitempty"`
	Trunk string `json:"trunk,omitempty"`
	// Room is the name of the room in which the agent is met, "" on the telephone.
	Room string `json:"room,omitempty"`

	Status        Status        `json:"status"`
	ScoringStatus ScoringStatus `json:"scoring_status"`
	Verdict       Verdict       `json:"verdict,omitempty"`
	// VerdictReason says why, in one sentence.
	VerdictReason string    `json:"verdict_reason,omitempty"`
	EndReason     EndReason `json:"end_reason"`

	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	// StartedAt is when the first signal went out; zero before.
	StartedAt  time.Time `json:"started_at"`
	AnsweredAt time.Time `json:"answered_at"`
	EndedAt    time.Time `json:"ended_at"`

	// Attempts are in order; the last one counts.
	Attempts []Attempt `json:"attempts,omitempty"`
	// Recording is nil when nothing was recorded.
	Recording *Recording `json:"recording,omitempty"`
	// ExternalID is the id the client's platform gave a production call.
	ExternalID string `json:"external_id,omitempty"`
	// AgentRef is what a production call's records say of its agent: an agent with
	// this source id is its agent. AgentInferred says that nobody named the agent
	// and that the reference is the platform's own id of it.
	AgentRef      string `json:"agent_ref,omitempty"`
	AgentInferred bool   `json:"agent_inferred,omitempty"`
	// Keep says how much of the call may be kept.
	Keep Keep `json:"keep,omitempty"`
	// Metadata is what the client sent with the call; its numbers are json.Number.
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Begun is when the call took place: when it started, or was created when it never started.
func (c *Call) Begun() time.Time {
	if c.StartedAt.IsZero() {
		return c.CreatedAt
	}
	return c.StartedAt
}

// Duration is the answered time of the call, 0 when it never was answered.
func (c *Call) Duration() time.Duration {
	if c.AnsweredAt.IsZero() || c.EndedAt.IsZero() {
		return 0
	}
	return c.EndedAt.Sub(c.AnsweredAt)
}

// pastAfter is how long after its end a production call that arrives is history: platforms
// send what they have to say within minutes.
const pastAfter = time.Hour

// IsPast tells that the call had been over for long when it came, as those of an import are.
func (c *Call) IsPast() bool {
	return c.Origin == Production && c.CreatedAt.Sub(c.EndedAt) > pastAfter
}

// Attempt is one try at placing a call. A process that dies leaves an attempt
// that ended as "interrupted"; the call then gets one more.
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
	// Rate is the sample rate of the line in Hz, Codec its name ("PCMU"); empty when never answered.
	Rate  int    `json:"rate,omitempty"`
	Codec string `json:"codec,omitempty"`
	// LineRef is the line's own name of the call (the SIP Call-ID), for tracing.
	LineRef string    `json:"line_ref,omitempty"`
	Stats   LineStats `json:"stats"`
	// Timeline is everything that happened, ordered by media time.
	Timeline []Event `json:"timeline,omitempty"`
}

// Recording is the two-channel audio of a call: caller left, agent right.
type Recording struct {
	// Key finds the audio in the blob store.
	Key string `json:"key"`
	// Type is its media type, "audio/wav".
	Type string `json:"type"`
	Rate int    `json:"rate"`
	// Samples is the length per channel.
	Samples int64 `json:"samples"`
	Bytes   int64 `json:"bytes"`
	// CallerCoverage and AgentCoverage are the shares (0 to 1) of the recording that each channel fills.
	CallerCoverage float64 `json:"caller_coverage"`
	AgentCoverage  float64 `json:"agent_coverage"`
	// SHA256 is the hex digest of the stored bytes.
	SHA256 string `json:"sha256"`
	// Mixed says that both sides share one sound, which then stands in both channels.
	Mixed bool `json:"mixed,omitempty"`
	// Scrubbed says that a platform has scrubbed it of people.
	Scrubbed bool `json:"scrubbed,omitempty"`
	// Roles says how it was found out which channel of a fetched recording is whose,
	// "" for our own recordings and mixed ones; Sure how sure that is, 0 to 1.
	Roles Roles   `json:"roles,omitempty"`
	Sure  float64 `json:"sure,omitempty"`
}

// Roles is a way to find out who speaks on which channel of a recording.
type Roles string

// The ways, the surest first.
const (
	RolesTold       Roles = "told"       // the platform says so
	RolesTranscript Roles = "transcript" // the channels fit the turns of the transcript
	RolesGreeting   Roles = "greeting"   // who is called speaks first
	RolesAssumed    Roles = "assumed"    // nothing tells: caller left
)

// LineStats is what RTP and RTCP tell about one leg.
type LineStats struct {
	Sent       int64 `json:"sent"`
	Received   int64 `json:"received"`
	Lost       int64 `json:"lost"`
	Late       int64 `json:"late"`
	Duplicate  int64 `json:"duplicate"`
	Misordered int64 `json:"misordered"`
	// Jitter is the interarrival jitter of RFC 3550 at the end of the call, and JitterMax its maximum.
	Jitter    time.Duration `json:"jitter"`
	JitterMax time.Duration `json:"jitter_max"`
	// JitterBuffer is how far behind their arrival frames were heard at the end of
	// the call, Concealed whether lost ones were filled in.
	JitterBuffer time.Duration `json:"jitter_buffer"`
	Concealed    bool          `json:"concealed"`
	// RoundTrip is from RTCP, 0 when the far end sent none.
	RoundTrip  time.Duration `json:"round_trip"`
	LongestGap time.Duration `json:"longest_gap"`
	// Bursts is the number of runs of lost packets; Lost divided by it is their mean length.
	Bursts int64 `json:"bursts"`
	// RemoteLost is what the far end says it lost of ours (RTCP), -1 when it does not say. In a room the media server counts
	// too, and is alone in it when it runs elsewhere.
	RemoteLost int64 `json:"remote_lost"`
	// SendLate counts frames of ours that left more than 5 ms late, SendLateMax is the worst lateness.
	SendLate    int64         `json:"send_late"`
	SendLateMax time.Duration `json:"send_late_max"`
	// SendMissed counts frames of ours with something audible in them that were
	// never sent because we were starved.
	SendMissed int64 `json:"send_missed"`
	// ReceiveDropped counts packets that reached this machine and were thrown away
	// because we did not take them in time.
	ReceiveDropped int64 `json:"receive_dropped,omitempty"`
	// ReceiveLateMax is how late at most we took in what had come, because we were
	// starved; 0 on lines whose packets are stamped as they come.
	ReceiveLateMax time.Duration `json:"receive_late_max,omitempty"`
	// Early is how long the far end was heard at the beginning before we were on the line, and
	// frames of ours were due.
	Early time.Duration `json:"early,omitempty"`
}
