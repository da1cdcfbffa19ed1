package client

import "encoding/json"

// Call is one conversation with what its review found out. Times are
// milliseconds since 1970, nil when they have not come. In a list Transcript,
// Scores, Metrics, Attempts and Engines are left out.
type Call struct {
	ID                string  `json:"id"`
	Origin            string  `json:"origin"`
	VoiceExperimentID *string `json:"voice_experiment_id"`
	DatasetItemID     *string `json:"dataset_item_id"`
	Repetition        int     `json:"repetition"`
	AgentID           *string `json:"agent_id"`
	// Line is the way the call travels: "sip", "room" or "loop". RoomName is nil on the telephone.
	Line          string  `json:"line"`
	RoomName      *string `json:"room_name"`
	Status        string  `json:"status"`
	ScoringStatus string  `json:"scoring_status"`
	// Verdict is "passed", "failed", "void" or "not_evaluated", nil until the call is scored.
	Verdict       *string   `json:"verdict"`
	VerdictReason string    `json:"verdict_reason"`
	EndReason     EndReason `json:"end_reason"`
	// CallerSentiment is "negative", "neutral" or "positive", nil until the call is scored,
	// and where nobody could tell.
	CallerSentiment *string `json:"caller_sentiment"`
	CallerUpset     bool    `json:"caller_upset"`
	// TurnLatencyMS is the median of the measured turn latencies, nil when there is none.
	TurnLatencyMS *int64         `json:"turn_latency_ms"`
	FromNumber    *string        `json:"from_number"`
	ToNumber      *string        `json:"to_number"`
	CreatedAt     int64          `json:"created_at"`
	StartedAt     *int64         `json:"started_at"`
	AnsweredAt    *int64         `json:"answered_at"`
	EndedAt       *int64         `json:"ended_at"`
	DurationMS    *int64         `json:"duration_ms"`
	RecordingURL  *string        `json:"recording_url"`
	ExternalID    *string        `json:"external_id"`
	Metadata      map[string]any `json:"metadata"`

	Transcript Transcript        `json:"transcript"`
	Scores     []Score           `json:"scores"`
	Metrics    map[string]Metric `json:"metrics"`
	// NotEvaluated says why, for each metric that was not evaluated.
	NotEvaluated  map[string]string `json:"metrics_not_evaluated"`
	Attempts      []Attempt         `json:"attempts"`
	Engines       map[string]string `json:"engines"`
	SelfTestGrade bool              `json:"self_test_grade"`
	// Feeling is nil until the call is scored, and where nobody could tell.
	Feeling *Feeling `json:"feeling"`
	// Notes say what the review had to do without.
	Notes []string `json:"notes"`

	// Turns, Timeline, Speech, Audio, Keeps and Reported come with a single call alone.
	// Audio is nil when nothing was recorded, Reported when no record of the call was
	// submitted; Keeps is "everything", "no_people" or "basics".
	Turns    []Turn      `json:"turns"`
	Timeline []Happening `json:"timeline"`
	Speech   Speech      `json:"speech"`
	Audio    *Audio      `json:"audio"`
	Keeps    string      `json:"keeps"`
	Reported *Reported   `json:"reported"`
}

// Speech is when each side made sound, as measured on the recording: beginning and end
// of each stretch in turn, in milliseconds since the answer.
type Speech struct {
	Caller   []int64 `json:"caller"`
	Agent    []int64 `json:"agent"`
	LengthMS int64   `json:"length_ms"`
}

// Audio is what is known of a recording. Mixed says that both sides share one sound;
// Roles how it was found out which channel is whose ("told", "transcript", "greeting" or
// "assumed", nil for recordings of Ringtrue's own), and Sure how sure that is (0 to 1).
type Audio struct {
	Rate       int     `json:"rate"`
	DurationMS int64   `json:"duration_ms"`
	Bytes      int64   `json:"bytes"`
	Mixed      bool    `json:"mixed"`
	Roles      *string `json:"roles"`
	Sure       float64 `json:"sure"`
}

// EndReason says how a call ended and whose doing it was; all nil while it goes on.
type EndReason struct {
	Code   *string `json:"code"`
	Blame  *string `json:"blame"`
	Detail *string `json:"detail"`
}

// Score is one scorer's verdict on a call.
type Score struct {
	ScorerID string     `json:"scorer_id"`
	Name     string     `json:"name"`
	Version  int        `json:"version"`
	Verdict  string     `json:"verdict"`
	Required bool       `json:"required"`
	Value    *float64   `json:"value"`
	Unit     *string    `json:"unit"`
	Reason   string     `json:"reason"`
	Evidence []Evidence `json:"evidence"`
}

// Evidence points at the place in a call that shows why a verdict is what it is.
type Evidence struct {
	// Turn is nil when the place is in none.
	Turn    *int   `json:"turn"`
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	Quote   string `json:"quote"`
}

// Metric is a measured figure: a number, or a Spread of many values; both nil
// when it was not evaluated.
type Metric struct {
	Value  *float64
	Spread *Spread
}

// Spread summarises the values of a metric that has many.
type Spread struct {
	N      int       `json:"n"`
	Mean   float64   `json:"mean"`
	P50    float64   `json:"p50"`
	P90    float64   `json:"p90"`
	P95    float64   `json:"p95"`
	P99    float64   `json:"p99"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Values []float64 `json:"values"`
}

// UnmarshalJSON reads a number, an object or null.
func (m *Metric) UnmarshalJSON(data []byte) error {
	*m = Metric{}
	if len(data) > 0 && data[0] == '{' {
		m.Spread = &Spread{}
		return json.Unmarshal(data, m.Spread)
	}
	return json.Unmarshal(data, &m.Value)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (m Metric) MarshalJSON() ([]byte, error) {
	if m.Spread != nil {
		return json.Marshal(m.Spread)
	}
	return json.Marshal(m.Value)
}

// Attempt is one try at placing a call.
type Attempt struct {
	ID         string             `json:"id"`
	Number     int                `json:"number"`
	StartedAt  int64              `json:"started_at"`
	RingingAt  *int64             `json:"ringing_at"`
	AnsweredAt *int64             `json:"answered_at"`
	EndedAt    *int64             `json:"ended_at"`
	EndReason  EndReason          `json:"end_reason"`
	Codec      *string            `json:"codec"`
	LineRef    *string            `json:"line_ref"`
	Stats      map[string]float64 `json:"stats"`
}

// Turn is one party's speech until the other takes over.
type Turn struct {
	Index   int    `json:"index"`
	Speaker string `json:"speaker"`
	// By is "transfer_target" when somebody to whom the call was passed on spoke on that side, nil otherwise.
	By *string `json:"by"`
	// StartMS and EndMS are -1 when they are not known.
	StartMS int64   `json:"start_ms"`
	EndMS   int64   `json:"end_ms"`
	Text    string  `json:"text"`
	Manner  *string `json:"manner"`
	// Feeling is nil in the agent's turns, and in those of the caller that could not be judged.
	Feeling *TurnFeeling `json:"feeling"`
}

// Feeling is how the caller felt during a call. Sentiment and the figures are
// nil when there was too little to tell, and all but Frustration when the
// words could not be read.
type Feeling struct {
	Sentiment   *string           `json:"sentiment"`
	Valence     *float64          `json:"valence"`
	Worst       *float64          `json:"worst"`
	Change      *float64          `json:"change"`
	Frustration *float64          `json:"frustration"`
	Upset       bool              `json:"upset"`
	UpsetTurn   *int              `json:"upset_turn"`
	Reason      string            `json:"reason"`
	Engines     map[string]string `json:"engines"`
	// Judged is what a language model said of the same call, nil when none was asked.
	Judged *Feeling `json:"judged"`
}

// TurnFeeling is how the caller felt in one turn.
type TurnFeeling struct {
	// Valence is nil, like Sentiment, when the words could not be read.
	Valence     *float64           `json:"valence"`
	Sentiment   *string            `json:"sentiment"`
	Arousal     *float64           `json:"arousal"`
	Emotions    map[string]float64 `json:"emotions"`
	Frustration float64            `json:"frustration"`
	Signs       []string           `json:"signs"`
}

// Happening is one entry of a call's timeline, by media time since the answer.
type Happening struct {
	AtMS  int64          `json:"at_ms"`
	EndMS *int64         `json:"end_ms"`
	Kind  string         `json:"kind"`
	Text  *string        `json:"text"`
	Data  map[string]any `json:"data"`
}
