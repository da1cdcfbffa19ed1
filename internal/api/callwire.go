package api

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
)

// CallSummary is a call without what its review found out.
type CallSummary struct {
	ID                string         `json:"id"`
	Origin            string         `json:"origin" enum:"simulated,production"`
	VoiceExperimentID *string        `json:"voice_experiment_id" doc:"null for a production call"`
	DatasetItemID     *string        `json:"dataset_item_id" doc:"The item that was played; null for a production call"`
	Repetition        int            `json:"repetition" doc:"Counts from 1; 0 for a production call"`
	AgentID           *string        `json:"agent_id"`
	Status            string         `json:"status" enum:"QUEUED,DIALING,IN_PROGRESS,ENDED,FAILED,CANCELED" doc:"ENDED when it was answered and is over, FAILED when it never was answered"`
	ScoringStatus     string         `json:"scoring_status" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED"`
	Verdict           *string        `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"null until the call is scored"`
	VerdictReason     string         `json:"verdict_reason" doc:"Why the verdict is what it is, in a sentence"`
	EndReason         EndReason      `json:"end_reason"`
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
	Transcript Transcript     `json:"transcript" doc:"What was heard: user is the caller, assistant the agent; empty until the call is scored"`
	Scores     []Score        `json:"scores"`
	Metrics    map[string]any `json:"metrics" doc:"By name: a number, an object for a metric of many values (n, mean, p50, p90, p95, p99, min, max, values), or null when it was not evaluated"`
	// NotEvaluated says why, for each metric that is null.
	NotEvaluated  map[string]string `json:"metrics_not_evaluated" doc:"Why, for each metric that is null"`
	Attempts      []CallAttempt     `json:"attempts" doc:"In order; the last one counts"`
	Engines       map[string]string `json:"engines" doc:"What listened, by role"`
	SelfTestGrade bool              `json:"self_test_grade" doc:"true when the recogniser is fit for synthetic voices only"`
}

// CallDetail is a call with its turns and the timeline of its last attempt.
type CallDetail struct {
	Call
	Turns    []CallTurn  `json:"turns" doc:"Who spoke when; evidence points at these by index"`
	Timeline []CallEvent `json:"timeline" doc:"Everything that happened, by media time"`
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
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
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
	StartMS int64   `json:"start_ms"`
	EndMS   int64   `json:"end_ms"`
	Text    string  `json:"text"`
	Manner  *string `json:"manner" enum:"interrupt,backchannel" doc:"How the caller's speech was meant; null for plain talk"`
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

func (s *server) wireSummary(c call.Call) CallSummary {
	out := CallSummary{
		ID: c.ID, Origin: string(c.Origin), VoiceExperimentID: orNull(c.ExperimentID), DatasetItemID: orNull(c.ItemID),
		Repetition: c.Repetition, AgentID: orNull(c.AgentID), Status: string(c.Status), ScoringStatus: string(c.ScoringStatus),
		Verdict: orNull(string(c.Verdict)), VerdictReason: c.VerdictReason, EndReason: wireEnd(c.EndReason),
		FromNumber: orNull(c.From), ToNumber: orNull(c.To), CreatedAt: ms(c.CreatedAt), StartedAt: ms(c.StartedAt),
		AnsweredAt: ms(c.AnsweredAt), EndedAt: ms(c.EndedAt), ExternalID: orNull(c.ExternalID), Metadata: c.Metadata,
	}
	if out.Metadata == nil {
		out.Metadata = map[string]any{}
	}
	if !c.AnsweredAt.IsZero() && !c.EndedAt.IsZero() {
		d := c.Duration().Milliseconds()
		out.DurationMS = &d
	}
	if c.Recording != nil {
		link := s.PublicURL + BasePath + "/calls/" + url.PathEscape(c.ID) + "/recording"
		out.RecordingURL = &link
	}
	return out
}

// wireCall shows a call; review is nil while there is none.
func (s *server) wireCall(c call.Call, review *call.Review) Call {
	out := Call{
		CallSummary: s.wireSummary(c), Transcript: Transcript{Kind: "chat_completion", Messages: []TranscriptMessage{}},
		Scores: []Score{}, Metrics: map[string]any{}, NotEvaluated: map[string]string{},
		Attempts: make([]CallAttempt, len(c.Attempts)), Engines: map[string]string{},
	}
	for i := range c.Attempts {
		out.Attempts[i] = wireAttempt(&c.Attempts[i])
	}
	if review == nil {
		return out
	}
	out.Transcript.Messages = wireMessages(review)
	for i := range review.Scores {
		out.Scores = append(out.Scores, wireScore(&review.Scores[i]))
	}
	for i := range review.Metrics {
		m := &review.Metrics[i]
		value, reason := wireMetric(m)
		out.Metrics[m.Name] = value
		if value == nil {
			out.NotEvaluated[m.Name] = reason
		}
	}
	if review.Heard.Engines != nil {
		out.Engines = review.Heard.Engines
	}
	out.SelfTestGrade = review.Heard.SelfTestGrade
	return out
}

func (s *server) wireDetail(f archive.Full) CallDetail {
	out := CallDetail{Call: s.wireCall(f.Call, f.Review), Turns: []CallTurn{}, Timeline: []CallEvent{}}
	if f.Review != nil {
		for _, t := range f.Review.Heard.Turns {
			out.Turns = append(out.Turns, CallTurn{
				Index: t.Index, Speaker: string(t.Speaker), StartMS: t.Start.Milliseconds(), EndMS: t.End.Milliseconds(),
				Text: t.Text, Manner: orNull(string(t.Manner)),
			})
		}
	}
	if f.Last != nil {
		for _, e := range f.Last.Timeline {
			out.Timeline = append(out.Timeline, wireEvent(e))
		}
	}
	return out
}

func wireEvent(e call.Event) CallEvent {
	out := CallEvent{AtMS: e.At.Milliseconds(), Kind: string(e.Kind), Text: orNull(e.Text), Data: e.Data}
	if e.End != 0 {
		end := e.End.Milliseconds()
		out.EndMS = &end
	}
	if out.Data == nil {
		out.Data = map[string]any{}
	}
	return out
}

func wireEnd(r call.EndReason) EndReason {
	return EndReason{Code: orNull(string(r.Code)), Blame: orNull(string(r.Blame)), Detail: orNull(r.Detail)}
}

func wireAttempt(a *call.Attempt) CallAttempt {
	st := &a.Stats
	return CallAttempt{
		ID: a.ID, Number: a.Number, StartedAt: ms(a.StartedAt), RingingAt: ms(a.RingingAt), AnsweredAt: ms(a.AnsweredAt),
		EndedAt: ms(a.EndedAt), EndReason: wireEnd(a.EndReason), Codec: orNull(a.Codec), LineRef: orNull(a.LineRef),
		Stats: LineStats{
			Sent: st.Sent, Received: st.Received, Lost: st.Lost, Late: st.Late, Duplicate: st.Duplicate, Misordered: st.Misordered,
			JitterMS: millis(st.Jitter), JitterMaxMS: millis(st.JitterMax), RoundTripMS: millis(st.RoundTrip),
			LongestGapMS: millis(st.LongestGap), RemoteLost: st.RemoteLost, SendLate: st.SendLate, SendMissed: st.SendMissed,
		},
	}
}

// millis is a duration in ms to the hundredth.
func millis(d time.Duration) float64 { return math.Round(d.Seconds()*1e5) / 100 }

func wireScore(s *call.Score) Score {
	out := Score{
		ScorerID: s.ScorerID, Name: s.Name, Version: s.Version, Verdict: string(s.Verdict), Required: s.Required,
		Unit: orNull(s.Unit), Reason: s.Reason, Evidence: make([]Evidence, len(s.Evidence)),
	}
	if s.Value != nil {
		out.Value = finite(*s.Value)
	}
	for i, e := range s.Evidence {
		out.Evidence[i] = Evidence{StartMS: e.Start.Milliseconds(), EndMS: e.End.Milliseconds(), Quote: e.Quote}
		if e.Turn >= 0 {
			out.Evidence[i].Turn = &s.Evidence[i].Turn
		}
	}
	return out
}

// finite is the figure, or null for what JSON cannot write.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// wireMetric is the metric as a number or an object, or nil with the reason.
func wireMetric(m *call.Metric) (value any, reason string) {
	switch {
	case m.Value == nil && (m.Spread == nil || m.Spread.N == 0 || m.Reason != ""):
		return nil, m.Reason
	case m.Spread != nil:
		return wireSpread(m.Spread), ""
	}
	if v := finite(*m.Value); v != nil {
		return *v, ""
	}
	return nil, "the figure is not a number"
}

func wireSpread(s *call.Spread) SpreadMetric {
	out := SpreadMetric{
		N: s.N, Mean: finite(s.Mean), P50: finite(s.P50), P90: finite(s.P90), P95: finite(s.P95), P99: finite(s.P99),
		Min: finite(s.Min), Max: finite(s.Max), Values: make([]float64, 0, len(s.Values)),
	}
	for _, v := range s.Values {
		if finite(v) != nil {
			out.Values = append(out.Values, v)
		}
	}
	return out
}

// wireMessages is what was heard, with the tool calls that the agent's own
// record tells of at their time; those without one stand at the end.
func wireMessages(r *call.Review) []TranscriptMessage {
	type placed struct {
		at       time.Duration
		messages []TranscriptMessage
	}
	all := make([]placed, 0, len(r.Heard.Turns)+len(r.ToolCalls))
	for _, t := range r.Heard.Turns {
		role := chat.Assistant
		if t.Speaker == call.Caller {
			role = chat.User
		}
		all = append(all, placed{t.Start, []TranscriptMessage{{Role: role, Start: startOf(t.Start), Content: t.Text}}})
	}
	for _, tool := range r.ToolCalls {
		at := tool.At
		if at < 0 {
			at = math.MaxInt64
		}
		all = append(all, placed{at, toolMessages(tool)})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]TranscriptMessage, 0, len(all))
	for _, p := range all {
		out = append(out, p.messages...)
	}
	return out
}

func toolMessages(tool call.ToolCall) []TranscriptMessage {
	arguments := string(tool.Arguments)
	if arguments == "" {
		arguments = "{}"
	}
	made := TranscriptMessage{Role: chat.Assistant, ToolCalls: []TranscriptToolCall{{
		ID: tool.ID, Type: "function", Function: TranscriptFunction{Name: tool.Name, Arguments: arguments},
	}}}
	if tool.At >= 0 {
		made.Start = startOf(tool.At)
	}
	if tool.Result == "" {
		return []TranscriptMessage{made}
	}
	return []TranscriptMessage{made, {Role: chat.ToolRole, Start: made.Start, Content: tool.Result, ToolCallID: tool.ID}}
}

func startOf(d time.Duration) *int64 {
	v := d.Milliseconds()
	return &v
}
