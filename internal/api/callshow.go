package api

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
)

func (s *server) wireSummary(c call.Call) CallSummary {
	out := CallSummary{
		ID: c.ID, Origin: string(c.Origin), VoiceExperimentID: rest.OrNull(c.ExperimentID), DatasetItemID: rest.OrNull(c.ItemID),
		Repetition: c.Repetition, AgentID: rest.OrNull(c.AgentID), Line: c.Line, RoomName: rest.OrNull(c.Room), Status: string(c.Status), ScoringStatus: string(c.ScoringStatus),
		Verdict: rest.OrNull(string(c.Verdict)), VerdictReason: c.VerdictReason, EndReason: wireEnd(c.EndReason),
		FromNumber: rest.OrNull(c.From), ToNumber: rest.OrNull(c.To), CreatedAt: rest.Moment(c.CreatedAt), StartedAt: rest.Millis(c.StartedAt),
		AnsweredAt: rest.Millis(c.AnsweredAt), EndedAt: rest.Millis(c.EndedAt), ExternalID: rest.OrNull(c.ExternalID), Metadata: c.Metadata,
	}
	if out.Metadata == nil {
		out.Metadata = map[string]any{}
	}
	if !c.AnsweredAt.IsZero() && !c.EndedAt.IsZero() {
		d := c.Duration().Milliseconds()
		out.DurationMS = &d
	}
	if c.Recording != nil {
		link := s.PublicURL + rest.BasePath + "/calls/" + url.PathEscape(c.ID) + "/recording"
		out.RecordingURL = &link
	}
	return out
}

// wireCall shows a call; review is nil while there is none.
func (s *server) wireCall(c call.Call, review *call.Review) Call {
	out := Call{
		CallSummary: s.wireSummary(c), Transcript: Transcript{Kind: "chat_completion", Messages: []TranscriptMessage{}},
		Scores: []Score{}, Metrics: map[string]any{}, NotEvaluated: map[string]string{},
		Attempts: make([]CallAttempt, len(c.Attempts)), Engines: map[string]string{}, Notes: []string{},
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
	out.Feeling, out.Notes = wireFeeling(review.Feeling), append(out.Notes, review.Notes...)
	out.glance(glanceAt(review))
	return out
}

// glance fills in what a list shows of a call's review.
func (c *CallSummary) glance(g *archive.Glance) {
	c.CallerSentiment, c.CallerUpset = rest.OrNull(string(g.Sentiment)), g.Upset
	if g.TurnLatency != nil {
		c.TurnLatencyMS = startOf(*g.TurnLatency)
	}
}

func glanceAt(review *call.Review) *archive.Glance {
	var g archive.Glance
	if f := review.Feeling; f != nil {
		g.Upset = f.Upset
		if len(f.Turns) > 0 {
			g.Sentiment = f.Sentiment
		}
	}
	for i := range review.Metrics {
		if m := &review.Metrics[i]; m.Name == "turn_latency" && m.Value != nil && finite(*m.Value) != nil {
			d := time.Duration(math.Round(*m.Value * 1e9)) // 1.001 s are 1001 ms
			g.TurnLatency = &d
		}
	}
	return &g
}

func wireSpeech(h *call.Heard) Speech {
	flat := func(segments []call.Segment) []int64 {
		out := make([]int64, 0, 2*len(segments))
		for _, s := range segments {
			out = append(out, s.Start.Milliseconds(), s.End.Milliseconds())
		}
		return out
	}
	return Speech{Caller: flat(h.Caller), Agent: flat(h.Agent), LengthMS: h.Length.Milliseconds()}
}

func wireAudio(r *call.Recording) *CallAudio {
	if r == nil {
		return nil
	}
	out := &CallAudio{Rate: r.Rate, Bytes: r.Bytes, Mixed: r.Mixed, Roles: rest.OrNull(string(r.Roles)), Sure: r.Sure}
	if r.Rate > 0 {
		out.DurationMS = r.Samples * 1000 / int64(r.Rate)
	}
	return out
}

// keepsOf is how much of the call may be stored, in the terms of the interface.
func keepsOf(c *call.Call) string {
	if c.Keep == call.KeepEverything {
		return "everything"
	}
	return string(c.Keep)
}

func (s *server) wireDetail(f archive.Full) CallDetail {
	out := CallDetail{Call: s.wireCall(f.Call, f.Review), Turns: []CallTurn{}, Timeline: []CallEvent{}, Reported: wireReported(f.Reported)}
	said := saidIn(f)
	out.Transcript.Messages = wireMessages(said)
	out.Speech, out.Audio, out.Keeps = wireSpeech(&said.Heard), wireAudio(f.Call.Recording), keepsOf(&f.Call)
	felt := feltIn(said.Feeling)
	for _, t := range said.Heard.Turns {
		out.Turns = append(out.Turns, CallTurn{
			Index: t.Index, Speaker: string(t.Speaker), By: rest.OrNull(t.By), StartMS: knownMS(t.Start), EndMS: knownMS(t.End),
			Text: t.Text, Manner: rest.OrNull(string(t.Manner)), Feeling: felt[t.Index],
		})
	}
	if f.Last != nil {
		for _, e := range f.Last.Timeline {
			out.Timeline = append(out.Timeline, wireEvent(e))
		}
	}
	return out
}

// knownMS is a place in ms, -1 for one that is not known.
func knownMS(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return d.Milliseconds()
}

func wireEvent(e call.Event) CallEvent {
	out := CallEvent{AtMS: e.At.Milliseconds(), Kind: string(e.Kind), Text: rest.OrNull(e.Text), Data: e.Data}
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
	return EndReason{Code: rest.OrNull(string(r.Code)), Blame: rest.OrNull(string(r.Blame)), Detail: rest.OrNull(r.Detail)}
}

func wireAttempt(a *call.Attempt) CallAttempt {
	st := &a.Stats
	return CallAttempt{
		ID: a.ID, Number: a.Number, StartedAt: rest.Moment(a.StartedAt), RingingAt: rest.Millis(a.RingingAt), AnsweredAt: rest.Millis(a.AnsweredAt),
		EndedAt: rest.Millis(a.EndedAt), EndReason: wireEnd(a.EndReason), Codec: rest.OrNull(a.Codec), LineRef: rest.OrNull(a.LineRef),
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
		Unit: rest.OrNull(s.Unit), Reason: s.Reason, Evidence: make([]Evidence, len(s.Evidence)),
	}
	if s.Value != nil {
		out.Value = finite(*s.Value)
	}
	for i, e := range s.Evidence {
		out.Evidence[i] = Evidence{StartMS: knownMS(e.Start), EndMS: knownMS(e.End), Quote: e.Quote}
		if e.Turn >= 0 {
			out.Evidence[i].Turn = &s.Evidence[i].Turn
		}
	}
	return out
}

// finite is the figure, or null where JSON cannot write it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// wireMetric is the metric as a number or an object, or nil together with the reason.
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

// wireMessages is what was heard, with the tool calls of the agent's own record at their times.
// Tool calls without a time stand at the end.
func wireMessages(r *call.Review) []TranscriptMessage {
	type placed struct {
		at       time.Duration
		messages []TranscriptMessage
	}
	all := make([]placed, 0, len(r.Heard.Turns)+len(r.ToolCalls))
	last := time.Duration(0)
	for _, t := range r.Heard.Turns {
		m := TranscriptMessage{Role: chat.Assistant, Content: t.Text}
		if t.Speaker == call.Caller {
			m.Role = chat.User
		}
		if t.Start >= 0 { // one whose time is not known stays where it is
			m.Start, last = startOf(t.Start), t.Start
		}
		all = append(all, placed{last, []TranscriptMessage{m}})
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
	made := TranscriptMessage{Role: chat.Assistant, ToolCalls: []TranscriptToolCall{{
		ID: tool.ID, Type: "function", Function: TranscriptFunction{Name: tool.Name, Arguments: argumentsOf(tool)},
	}}}
	if tool.At >= 0 {
		made.Start = startOf(tool.At)
	}
	if tool.Result == "" {
		return []TranscriptMessage{made}
	}
	return []TranscriptMessage{made, {Role: chat.ToolRole, Start: made.Start, Content: tool.Result, ToolCallID: tool.ID}}
}

func argumentsOf(tool call.ToolCall) string {
	if len(tool.Arguments) == 0 {
		return "{}"
	}
	return string(tool.Arguments)
}

func startOf(d time.Duration) *int64 {
	v := d.Milliseconds()
	return &v
}
