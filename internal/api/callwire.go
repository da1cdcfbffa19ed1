package api

// CallSummary is a call without what its review found out.
type CallSummary struct {
	ID                string         `json:"id"`
	Origin            string         `json:"origin" enum:"simulated,production"`
	VoiceExperimentID *string        `json:"voice_experiment_id" doc:"null for a production call"`
	DatasetItemID     *string        `json:"dataset_item_id" doc:"The item that was played; null for a production call"`
	Repetition        int            `json:"repetition" doc:"Counts from 1; 0 for a production call"`
	AgentID           *string        `json:"agent_id"`
	Line              string         `json:"line" doc:"The way the call travels: sip, room or loop; empty for a production call"`
	RoomName          *string        `json:"room_name" doc:"The room in which the agent is met; null on the telephone"`
	Status            string         `json:"status" enum:"QUEUED,DIALING,IN_PROGRESS,ENDED,FAILED,CANCELED" doc:"ENDED when it was answered and is over, FAILED when it never was answered"`
	ScoringStatus     string         `json:"scoring_status" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED"`
	Verdict           *string        `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"null until the call is scored"`
	VerdictReason     string         `json:"verdict_reason" doc:"Why the verdict is what it is, in a sentence"`
	EndReason         EndReason      `json:"end_reason"`
	CallerSentiment   *string        `json:"caller_sentiment" enum:"negative,neutral,positive" doc:"How the caller felt, on the whole; null until the call is scored, and where nobody could tell"`
	CallerUpset       bool           `json:"caller_upset" doc:"False also where nothing is known of the caller, whose caller_sentiment is null then"`
	TurnLatencyMS     *int64         `json:"turn_latency_ms" doc:"Median of the measured turn latencies; null when there is none"`
	FromNumber        *string        `json:"from_number"`
	ToNumber          *string        `json:"to_number"`
	CreatedAt         *int64         `json:"created_at" doc:"Milliseconds since 1970, as all times"`
	StartedAt         *int64         `json:"started_at" doc:"When the first signal went out"`
	AnsweredAt        *int64         `json:"answered_at"`
	EndedAt           *int64         `json:"ended_at"`
	DurationMS        *int64         `json:"duration_ms" doc:"Answered time; null when the call was never answered or is not over"`
	RecordingURL      *string        `json:"recording_url" doc:"Operation of this interface that gives the audio, for the same key: caller left, agent right; null when nothing was recorded"`
	ExternalID        *string        `json:"external_id" doc:"Id that the client's platform gave a production call"`
	Metadata          map[string]any `json:"metadata"`
}

// Call is a call with what its review found out.
type Call struct {
	CallSummary
	Transcript Transcript     `json:"transcript" doc:"What was heard: user is the caller, assistant the agent; until the call is scored what its platform says, empty where that says nothing"`
	Scores     []Score        `json:"scores"`
	Metrics    map[string]any `json:"metrics" doc:"By name: a number, an object for a metric of many values (n, mean, p50, p90, p95, p99, min, max, values), or null when it was not evaluated"`
	// NotEvaluated says why, for each metric that is null.
	NotEvaluated  map[string]string `json:"metrics_not_evaluated" doc:"Why, for each metric that is null"`
	Attempts      []CallAttempt     `json:"attempts" doc:"In order; the last one counts"`
	Engines       map[string]string `json:"engines" doc:"What listened, by role"`
	SelfTestGrade bool              `json:"self_test_grade" doc:"true when the recogniser is fit for synthetic voices only"`
	Feeling       *Feeling          `json:"feeling" doc:"How the caller felt; null until the call is scored, and where nobody could tell"`
	Notes         []string          `json:"notes" doc:"What the review had to do without, in sentences"`
}

// CallDetail is a call with its turns and the timeline of its last attempt.
type CallDetail struct {
	Call
	Turns    []CallTurn  `json:"turns" doc:"Who spoke when; evidence points at these by index"`
	Timeline []CallEvent `json:"timeline" doc:"Everything that happened, by media time"`
	Speech   Speech      `json:"speech" doc:"When each side made sound, as measured on the recording; empty without one that has a channel for each side"`
	Audio    *CallAudio  `json:"audio" doc:"What is known of the recording; null when nothing was recorded"`
	Keeps    string      `json:"keeps" enum:"everything,no_people,basics" doc:"How much of the call its platform was told may be kept"`
	Reported *Reported   `json:"reported" doc:"What the client's platform says of the call; null when no record of it was submitted"`
}

// Speech is the stretches of sound of both sides, beginning and end in turn, in ms since the answer.
type Speech struct {
	Caller []int64 `json:"caller" doc:"Beginning and end of each stretch in turn, milliseconds since the answer"`
	Agent  []int64 `json:"agent"`
	// LengthMS is how much media there was.
	LengthMS int64 `json:"length_ms" doc:"How much media there was, 0 when that is not known"`
}

// CallAudio is what is known of a recording.
type CallAudio struct {
	Rate       int     `json:"rate" doc:"Samples per second"`
	DurationMS int64   `json:"duration_ms"`
	Bytes      int64   `json:"bytes"`
	Mixed      bool    `json:"mixed" doc:"true when both sides share one sound, which then stands in both channels"`
	Roles      *string `json:"roles" enum:"told,transcript,greeting,assumed" doc:"How it was found out which channel is whose; null for our own recordings and mixed ones"`
	Sure       float64 `json:"sure" doc:"How sure that is, 0 to 1"`
}

// EndReason says how a call ended and whose doing it was; all null while it goes on.
type EndReason struct {
	Code   *string `json:"code" example:"completed"`
	Blame  *string `json:"blame" enum:"nobody,caller,agent,line,platform,ringtrue,unknown"`
	Detail *string `json:"detail" doc:"The line's or the platform's own word"`
}

// Transcript is a conversation in the chat-completion message format.
type Transcript struct {
	Kind     string              `json:"kind" enum:"chat_completion"`
	Messages []TranscriptMessage `json:"messages"`
}

// TranscriptMessage is one message, with the ms since the answer at which it began.
type TranscriptMessage struct {
	Role       string               `json:"role" enum:"user,assistant,tool"`
	Start      *int64               `json:"start,omitempty" doc:"Milliseconds since the call was answered"`
	Content    string               `json:"content"`
	ToolCalls  []TranscriptToolCall `json:"tool_calls,omitempty"`
	ToolCallID string               `json:"tool_call_id,omitempty"`
}

// TranscriptToolCall is one function that the agent called.
type TranscriptToolCall struct {
	ID       string             `json:"id"`
	Type     string             `json:"type" enum:"function"`
	Function TranscriptFunction `json:"function"`
}

// TranscriptFunction names the function and carries its arguments as JSON text.
type TranscriptFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Score is one scorer's verdict on a call.
type Score struct {
	ScorerID string     `json:"scorer_id"`
	Name     string     `json:"name"`
	Version  int        `json:"version"`
	Verdict  string     `json:"verdict" enum:"passed,failed,void,not_evaluated"`
	Required bool       `json:"required" doc:"Required scores decide the call's verdict, the others inform"`
	Value    *float64   `json:"value" doc:"The figure behind the verdict, null when there is none"`
	Unit     *string    `json:"unit"`
	Reason   string     `json:"reason"`
	Evidence []Evidence `json:"evidence"`
}

// Evidence points at the place in a call that shows why.
type Evidence struct {
	Turn    *int   `json:"turn" doc:"Index of the turn, null when the place is in none"`
	StartMS int64  `json:"start_ms" doc:"-1 when it is not known"`
	EndMS   int64  `json:"end_ms" doc:"-1 when it is not known"`
	Quote   string `json:"quote" doc:"The words at that place, as heard"`
}

// CallAttempt is one try at placing a call.
type CallAttempt struct {
	ID         string    `json:"id"`
	Number     int       `json:"number"`
	StartedAt  *int64    `json:"started_at"`
	RingingAt  *int64    `json:"ringing_at"`
	AnsweredAt *int64    `json:"answered_at"`
	EndedAt    *int64    `json:"ended_at"`
	EndReason  EndReason `json:"end_reason"`
	Codec      *string   `json:"codec"`
	LineRef    *string   `json:"line_ref" doc:"The line's own name of the call, for tracing (the SIP Call-ID)"`
	Stats      LineStats `json:"stats"`
}

// LineStats is what RTP and RTCP tell about our end of the line.
type LineStats struct {
	Sent         int64   `json:"sent" doc:"Packets, as all counts here"`
	Received     int64   `json:"received"`
	Lost         int64   `json:"lost"`
	Late         int64   `json:"late"`
	Duplicate    int64   `json:"duplicate"`
	Misordered   int64   `json:"misordered"`
	JitterMS     float64 `json:"jitter_ms" doc:"RFC 3550, at the end of the call"`
	JitterMaxMS  float64 `json:"jitter_max_ms"`
	RoundTripMS  float64 `json:"round_trip_ms" doc:"0 when the far end sent no report"`
	LongestGapMS float64 `json:"longest_gap_ms"`
	RemoteLost   int64   `json:"remote_lost" doc:"What the far end says it lost of ours, -1 when it does not say"`
	SendLate     int64   `json:"send_late" doc:"Frames of ours that left more than 5 ms late"`
	SendMissed   int64   `json:"send_missed" doc:"Frames of ours that were never sent"`
}

// CallTurn is one party's speech until the other takes over.
type CallTurn struct {
	Index   int     `json:"index"`
	Speaker string  `json:"speaker" enum:"caller,agent"`
	By      *string `json:"by" doc:"Who spoke on that side when it was neither the caller nor the agent itself: transfer_target; null otherwise"`
	StartMS int64   `json:"start_ms" doc:"-1 when it is not known"`
	EndMS   int64   `json:"end_ms" doc:"-1 when it is not known"`
	Text    string  `json:"text"`
	Manner  *string `json:"manner" enum:"interrupt,backchannel" doc:"How the caller's speech was meant; null for plain talk"`
	// Feeling is null in the agent's turns, and in those of the caller that could not be judged.
	Feeling *TurnFeeling `json:"feeling" doc:"How the caller felt in this turn; null where that was not judged"`
}

// CallEvent is one happening.
type CallEvent struct {
	AtMS  int64          `json:"at_ms" doc:"Since the answer; negative or zero before it"`
	EndMS *int64         `json:"end_ms"`
	Kind  string         `json:"kind"`
	Text  *string        `json:"text" doc:"What was said or understood"`
	Data  map[string]any `json:"data"`
}

// SpreadMetric summarises the values of a metric that has many, in its unit.
type SpreadMetric struct {
	N      int       `json:"n"`
	Mean   *float64  `json:"mean"`
	P50    *float64  `json:"p50"`
	P90    *float64  `json:"p90"`
	P95    *float64  `json:"p95"`
	P99    *float64  `json:"p99"`
	Min    *float64  `json:"min"`
	Max    *float64  `json:"max"`
	Values []float64 `json:"values"`
}
