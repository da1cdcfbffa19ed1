package api

// CallSummary is a call without what its review found out.
type CallSummary struct {
	ID                string         `json:"id" doc:"Id of the call"`
	Origin            string         `json:"origin" enum:"simulated,production" doc:"simulated: a test call made by this service; production: a call that was submitted as a call log"`
	VoiceExperimentID *string        `json:"voice_experiment_id" doc:"The Voice Experiment that made the call; null for a production call"`
	DatasetItemID     *string        `json:"dataset_item_id" doc:"The dataset item that was played; null for a production call"`
	Repetition        int            `json:"repetition" doc:"Which repetition of the item this is, counted from 1; 0 for a production call"`
	AgentID           *string        `json:"agent_id" doc:"The agent of the call; null when it is linked to none"`
	Line              string         `json:"line" enum:"sip,room,loop," doc:"How the call travels: sip, room or loop (both sides in memory); empty for a production call"`
	RoomName          *string        `json:"room_name" doc:"The room in which the agent is met; null for all other calls"`
	Status            string         `json:"status" enum:"QUEUED,DIALING,IN_PROGRESS,ENDED,FAILED,CANCELED" doc:"QUEUED, DIALING and IN_PROGRESS come before the end; ENDED: the call was answered and is over; FAILED: it was never answered; CANCELED: it was called off"`
	ScoringStatus     string         `json:"scoring_status" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED" doc:"PENDING: waits for its review; SCORING: is being reviewed; SCORED: reviewed; SCORING_FAILED: the review failed; SKIPPED: not reviewed, because the call was canceled"`
	Verdict           *string        `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"passed, failed (a required scorer failed), void (this service spoilt the call, so that it proves nothing about the agent) or not_evaluated (nothing could be checked); null until the call is scored"`
	VerdictReason     string         `json:"verdict_reason" doc:"Why the verdict is what it is, in a sentence; empty while there is none"`
	EndReason         EndReason      `json:"end_reason" doc:"How the call ended and who caused it"`
	CallerSentiment   *string        `json:"caller_sentiment" enum:"negative,neutral,positive" doc:"How the caller felt on the whole; null until the call is scored, and when it could not be told"`
	CallerUpset       bool           `json:"caller_upset" doc:"Whether the caller was upset; false also when caller_sentiment is null and nothing is known"`
	TurnLatencyMS     *int64         `json:"turn_latency_ms" doc:"Median time from the end of the caller's turn to the start of the agent's, in milliseconds; null when it was not measured"`
	FromNumber        *string        `json:"from_number" doc:"Number that the call came from; null when there is none"`
	ToNumber          *string        `json:"to_number" doc:"Number that was called; null when there is none"`
	CreatedAt         int64          `json:"created_at" doc:"When the call was created here, milliseconds since 1970, as all times of the call are"`
	StartedAt         *int64         `json:"started_at" doc:"When the call began: for a test call when dialling began, for a production call as its platform reports; null before that, and when it is not known"`
	AnsweredAt        *int64         `json:"answered_at" doc:"When the call was answered; null when it was not, or not yet"`
	EndedAt           *int64         `json:"ended_at" doc:"When the call ended; null while it is not over"`
	DurationMS        *int64         `json:"duration_ms" doc:"Milliseconds from the answer to the end; null when the call was never answered or is not over"`
	RecordingURL      *string        `json:"recording_url" doc:"Address of the recording at this service, for the same API key: caller left, agent right; null when there is no recording"`
	ExternalID        *string        `json:"external_id" doc:"Id of the call on the client's platform; null when there is none"`
	Metadata          map[string]any `json:"metadata" doc:"Metadata of the call; of a production call what the client sent with its call log"`
}

// Call is a call with what its review found out.
type Call struct {
	CallSummary
	Transcript Transcript     `json:"transcript" doc:"What was said: role user is the caller, assistant the agent. Until the call is scored it is what the platform reports, and empty without that"`
	Scores     []Score        `json:"scores" doc:"One for each scorer that looked at the call; empty until the call is scored"`
	Metrics    map[string]any `json:"metrics" doc:"Figures by name: a number, an object for a metric of many values (n, mean, p50, p90, p95, p99, min, max, values), or null when it was not evaluated"`
	// NotEvaluated says why, for each metric that is null.
	NotEvaluated  map[string]string `json:"metrics_not_evaluated" doc:"The reason for each metric that is null, by name"`
	Attempts      []CallAttempt     `json:"attempts" doc:"The tries at placing the call, in order; the last one counts"`
	Engines       map[string]string `json:"engines" doc:"What the transcript rests on, by role: stt is the speech recogniser or the platform's own transcript; a production call can also have channels and turns"`
	SelfTestGrade bool              `json:"self_test_grade" doc:"true: the speech recogniser that heard this call is good enough for synthetic voices only"`
	Feeling       *Feeling          `json:"feeling" doc:"How the caller felt; null until the call is scored, and when it could not be told"`
	Notes         []string          `json:"notes" doc:"What the review had to do without, in sentences"`
}

// CallDetail is a call with its turns and the timeline of its last attempt.
type CallDetail struct {
	Call
	Turns    []CallTurn  `json:"turns" doc:"Who spoke when; evidence points at these by their index"`
	Timeline []CallEvent `json:"timeline" doc:"Everything that happened in the last attempt, in order of time"`
	Speech   Speech      `json:"speech" doc:"When each side made sound, as measured on the recording; empty when no recording has a channel for each side"`
	Audio    *CallAudio  `json:"audio" doc:"Facts about the recording; null when there is none"`
	Keeps    string      `json:"keeps" enum:"everything,no_people,basics" doc:"How much of the call may be stored, as its platform was told. everything; no_people: no numbers, recording, summary or metadata, and what was said only if the platform has scrubbed it; basics: ids, times, end reason, latency and cost alone"`
	Reported *Reported   `json:"reported" doc:"What the client's platform says of the call; null when no record of it was submitted"`
}

// Speech is the stretches of sound of both sides, beginning and end in turn, in ms since the answer.
type Speech struct {
	Caller []int64 `json:"caller" doc:"Start and end of each stretch of the caller's sound in turn, in milliseconds since the answer: [start, end, start, end, …]"`
	Agent  []int64 `json:"agent" doc:"The same for the agent"`
	// LengthMS is how much media there was.
	LengthMS int64 `json:"length_ms" doc:"Length of the sound that was looked at, in milliseconds; 0 when it is not known"`
}

// CallAudio is what is known of a recording.
type CallAudio struct {
	Rate       int     `json:"rate" doc:"Samples per second"`
	DurationMS int64   `json:"duration_ms" doc:"Length in milliseconds"`
	Bytes      int64   `json:"bytes" doc:"Size of the file in bytes"`
	Mixed      bool    `json:"mixed" doc:"true: both sides were recorded as one sound, which stands in both channels"`
	Roles      *string `json:"roles" enum:"told,transcript,greeting,assumed" doc:"How it was found out which channel is whose. told: the platform says so; transcript: the channels fit the turns of the transcript; greeting: by who speaks first; assumed: nothing tells, caller left. null for the service's own recordings and for mixed ones"`
	Sure       float64 `json:"sure" doc:"How certain the assignment in roles is, 0 to 1"`
}

// EndReason says how a call ended and whose doing it was; all null while it goes on.
type EndReason struct {
	Code   *string `json:"code" enum:"completed,transferred,caller_hung_up,agent_hung_up,max_duration,silence,busy,no_answer,declined,voicemail,agent_never_joined,unreachable,media_lost,codec_mismatch,agent_error,configuration,provider_error,platform_error,interrupted,ringtrue_error,unknown" doc:"How the call ended; null while the call goes on" example:"completed"`
	Blame  *string `json:"blame" enum:"nobody,caller,agent,line,platform,ringtrue,unknown" doc:"Who caused the end: nobody, caller, agent, line (the network), platform (that the agent runs on), ringtrue (this service) or unknown; null while the call goes on"`
	Detail *string `json:"detail" doc:"What the line or the platform said in its own words, such as 486 Busy Here; null when it said nothing"`
}

// Transcript is a conversation in the chat-completion message format.
type Transcript struct {
	Kind     string              `json:"kind" enum:"chat_completion" doc:"The form of the messages: that of chat completions"`
	Messages []TranscriptMessage `json:"messages" doc:"The messages in order of time; tool calls without a time stand at the end"`
}

// TranscriptMessage is one message, with the ms since the answer at which it began.
type TranscriptMessage struct {
	Role       string               `json:"role" enum:"user,assistant,tool" doc:"user is the caller, assistant the agent, tool the answer of a function"`
	Start      *int64               `json:"start,omitempty" doc:"When it began, milliseconds since the call was answered; left out when it is not known"`
	Content    string               `json:"content" doc:"What was said, or what the function answered; empty for a message that only calls functions"`
	ToolCalls  []TranscriptToolCall `json:"tool_calls,omitempty" doc:"Functions that the agent called; only in messages of the role assistant"`
	ToolCallID string               `json:"tool_call_id,omitempty" doc:"Id of the tool call that this answers; only in messages of the role tool"`
}

// TranscriptToolCall is one function that the agent called.
type TranscriptToolCall struct {
	ID       string             `json:"id" doc:"Id of the tool call, unique in the transcript"`
	Type     string             `json:"type" enum:"function"`
	Function TranscriptFunction `json:"function" doc:"What was called"`
}

// TranscriptFunction names the function and carries its arguments as JSON text.
type TranscriptFunction struct {
	Name      string `json:"name" doc:"Name of the function"`
	Arguments string `json:"arguments" doc:"Arguments of the call, a JSON object as text"`
}

// Score is one scorer's verdict on a call.
type Score struct {
	ScorerID string     `json:"scorer_id" doc:"Id of the version of the scorer; the name of the check when it comes from the dataset item"`
	Name     string     `json:"name" doc:"Name of the scorer"`
	Version  int        `json:"version" doc:"Version of the scorer"`
	Verdict  string     `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"void: the call is no evidence; not_evaluated: something is missing that the scorer needs, as reason says"`
	Required bool       `json:"required" doc:"true: the score decides the call's verdict; false: it only informs"`
	Value    *float64   `json:"value" doc:"The figure behind the verdict; null when there is none"`
	Unit     *string    `json:"unit" doc:"Unit of value; null when it has none"`
	Reason   string     `json:"reason" doc:"Why the verdict is what it is, in a sentence"`
	Evidence []Evidence `json:"evidence" doc:"Places in the call that show why"`
}

// Evidence points at the place in a call that shows why.
type Evidence struct {
	Turn    *int   `json:"turn" doc:"Index of the turn; null when the place is in no turn"`
	StartMS int64  `json:"start_ms" doc:"Start of the place, milliseconds since the answer; -1 when it is not known"`
	EndMS   int64  `json:"end_ms" doc:"End of the place, milliseconds since the answer; -1 when it is not known"`
	Quote   string `json:"quote" doc:"The words at that place, as they were heard"`
}

// CallAttempt is one try at placing a call.
type CallAttempt struct {
	ID         string    `json:"id" doc:"Id of the attempt"`
	Number     int       `json:"number" doc:"Counts from 1"`
	StartedAt  int64     `json:"started_at" doc:"When dialling began, milliseconds since 1970"`
	RingingAt  *int64    `json:"ringing_at" doc:"When it began to ring; null when it did not"`
	AnsweredAt *int64    `json:"answered_at" doc:"When it was answered; null when it was not"`
	EndedAt    *int64    `json:"ended_at" doc:"When it ended; null while it goes on"`
	EndReason  EndReason `json:"end_reason" doc:"How the attempt ended"`
	Codec      *string   `json:"codec" doc:"Codec of the audio, such as PCMU; null when it was never answered"`
	LineRef    *string   `json:"line_ref" doc:"The line's own id of the call, for tracing: the Call-ID of a SIP call; null when there is none"`
	Stats      LineStats `json:"stats" doc:"Statistics of the packets"`
}

// LineStats is what RTP and RTCP tell about our end of the line.
type LineStats struct {
	Sent         int64   `json:"sent" doc:"Packets that this service sent"`
	Received     int64   `json:"received" doc:"Packets that arrived here"`
	Lost         int64   `json:"lost" doc:"Packets from the far end that never arrived"`
	Late         int64   `json:"late" doc:"Packets that arrived too late to be used"`
	Duplicate    int64   `json:"duplicate" doc:"Packets that arrived twice"`
	Misordered   int64   `json:"misordered" doc:"Packets that arrived out of order"`
	JitterMS     float64 `json:"jitter_ms" doc:"Interarrival jitter (RFC 3550) at the end of the call, in milliseconds"`
	JitterMaxMS  float64 `json:"jitter_max_ms" doc:"Highest interarrival jitter, in milliseconds"`
	RoundTripMS  float64 `json:"round_trip_ms" doc:"Round-trip time in milliseconds; 0 when the far end sent no report"`
	LongestGapMS float64 `json:"longest_gap_ms" doc:"Longest time without a packet from the far end, in milliseconds"`
	RemoteLost   int64   `json:"remote_lost" doc:"Packets of this service that did not reach the far end, as far as it reports, and in a room those sent between two connections; -1 when nothing is known"`
	SendLate     int64   `json:"send_late" doc:"Frames of 20 ms that this service sent more than 5 ms late"`
	SendMissed   int64   `json:"send_missed" doc:"Audible frames of 20 ms that this service never sent"`
}

// CallTurn is one party's speech until the other takes over.
type CallTurn struct {
	Index   int     `json:"index" doc:"Counts from 0 over both speakers"`
	Speaker string  `json:"speaker" enum:"caller,agent" doc:"Which side spoke"`
	By      *string `json:"by" doc:"Who spoke on that side when it was not the caller or the agent itself: transfer_target is the person a call was transferred to; else null"`
	StartMS int64   `json:"start_ms" doc:"Start of the turn, milliseconds since the answer; -1 when it is not known"`
	EndMS   int64   `json:"end_ms" doc:"End of the turn, milliseconds since the answer; -1 when it is not known"`
	Text    string  `json:"text" doc:"What was said"`
	Manner  *string `json:"manner" enum:"interrupt,backchannel" doc:"How the simulated caller meant it: interrupt (over the agent) or backchannel (an mm-hm); null for ordinary talk"`
	// Feeling is null in the agent's turns, and in those of the caller that could not be judged.
	Feeling *TurnFeeling `json:"feeling" doc:"How the caller felt in this turn; null in the agent's turns, and when it could not be told"`
}

// CallEvent is one happening.
type CallEvent struct {
	AtMS  int64          `json:"at_ms" doc:"Milliseconds since the answer; zero or negative before it"`
	EndMS *int64         `json:"end_ms" doc:"End of what lasts, milliseconds since the answer; null for a moment"`
	Kind  string         `json:"kind" doc:"What happened, such as ringing, answered, said, agent_started, step, digit_sent or hang_up. Expect kinds that you do not know"`
	Text  *string        `json:"text" doc:"What was said or understood; null when there are no words"`
	Data  map[string]any `json:"data" doc:"Details that depend on kind"`
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
