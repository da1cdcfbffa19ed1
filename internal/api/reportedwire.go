package api

import (
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Reported is what the client's platform says of a call, in one vocabulary.
type Reported struct {
	Provider          string                     `json:"provider" enum:"custom,platform_a,platform_b"`
	PlatformAgentID   *string                    `json:"platform_agent_id" doc:"The platform's own id of the agent"`
	AgentName         *string                    `json:"agent_name"`
	AgentVersion      *string                    `json:"agent_version"`
	Model             *string                    `json:"model" doc:"The language model that was running"`
	Prompt            *string                    `json:"prompt" doc:"Names the prompt that was running, by version or digest"`
	Medium            *string                    `json:"medium" enum:"phone,web"`
	Direction         *string                    `json:"direction" enum:"inbound,outbound"`
	HasTranscript     bool                       `json:"has_transcript" doc:"true when the platform tells what was said, be it nothing"`
	Timed             bool                       `json:"timed" doc:"true when every turn has its time"`
	Stages            []ReportedStage            `json:"stages" doc:"The parts of the platform's flow, in the order they were entered"`
	ToolCalls         []ReportedToolCall         `json:"tool_calls"`
	Latency           map[string]ReportedLatency `json:"latency" doc:"What the platform measured, by component: e2e, asr, llm, tts, …"`
	CallerInterrupted *int                       `json:"caller_interrupted" doc:"How often the caller was interrupted, as the platform counts"`
	AgentInterrupted  *int                       `json:"agent_interrupted"`
	Sentiment         *string                    `json:"sentiment" enum:"negative,neutral,positive" doc:"The platform's own opinion, as successful, voicemail and summary are"`
	Successful        *bool                      `json:"successful"`
	Voicemail         *bool                      `json:"voicemail"`
	Summary           *string                    `json:"summary"`
	Outcome           *string                    `json:"outcome" doc:"Outcome of the call, in the client's own word"`
	CostUSD           *float64                   `json:"cost_usd"`
	Words             map[string]any             `json:"words" doc:"What the platform says beyond this, by its own names"`
}

// ReportedStage is a part of the conversation in the platform's flow.
type ReportedStage struct {
	Name string `json:"name"`
	AtMS *int64 `json:"at_ms" doc:"When it was entered, since the start of the call; null when that is not told"`
	Turn int    `json:"turn" doc:"How many turns had been spoken by then"`
}

// ReportedToolCall is a function that the agent called.
type ReportedToolCall struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Arguments string  `json:"arguments" doc:"JSON as text"`
	Result    *string `json:"result" doc:"What the function answered; null when that is not told"`
	Failed    bool    `json:"failed" doc:"true when the platform calls the answer a failure"`
	AtMS      *int64  `json:"at_ms" doc:"Since the start of the call; null when that is not told"`
}

// ReportedLatency is a platform's own figure of one component, in seconds.
type ReportedLatency struct {
	N    int      `json:"n"`
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
	Min  *float64 `json:"min"`
	Max  *float64 `json:"max"`
}

func wireReported(r *call.Reported) *Reported {
	if r == nil {
		return nil
	}
	out := &Reported{
		Provider: r.Provider, PlatformAgentID: rest.OrNull(r.PlatformAgentID), AgentName: rest.OrNull(r.AgentName), AgentVersion: rest.OrNull(r.AgentVersion),
		Model: rest.OrNull(r.Model), Prompt: rest.OrNull(r.Prompt), Medium: rest.OrNull(r.Medium), Direction: rest.OrNull(r.Direction),
		HasTranscript: r.HasTranscript, Timed: r.Timed, Stages: make([]ReportedStage, len(r.Stages)), ToolCalls: make([]ReportedToolCall, len(r.ToolCalls)),
		Latency: make(map[string]ReportedLatency, len(r.Latency)), CallerInterrupted: r.CallerInterrupted, AgentInterrupted: r.AgentInterrupted,
		Sentiment: rest.OrNull(string(r.Sentiment)), Successful: r.Successful, Voicemail: r.Voicemail, Summary: rest.OrNull(r.Summary), Outcome: rest.OrNull(r.Outcome),
		Words: r.Words,
	}
	for i, s := range r.Stages {
		out.Stages[i] = ReportedStage{Name: s.Name, Turn: s.Turn}
		if s.At >= 0 {
			out.Stages[i].AtMS = startOf(s.At)
		}
	}
	for i, t := range r.ToolCalls {
		out.ToolCalls[i] = ReportedToolCall{ID: t.ID, Name: t.Name, Arguments: argumentsOf(t), Result: rest.OrNull(t.Result), Failed: t.Failed}
		if t.At >= 0 {
			out.ToolCalls[i].AtMS = startOf(t.At)
		}
	}
	for name, f := range r.Latency {
		out.Latency[name] = ReportedLatency{N: f.N, Mean: f.Mean, P50: f.P50, P90: f.P90, P95: f.P95, P99: f.P99, Min: f.Min, Max: f.Max}
	}
	if r.Cost != nil {
		usd := float64(*r.Cost) / 1e6
		out.CostUSD = &usd
	}
	if out.Words == nil {
		out.Words = map[string]any{}
	}
	return out
}

// saidIn is what the call's review heard, or, while there is none, what its
// platform says was said: only Heard.Turns, ToolCalls and Feeling are for use.
func saidIn(f archive.Full) *call.Review {
	switch {
	case f.Review != nil && (len(f.Review.Heard.Turns) > 0 || f.Reported == nil || f.Call.Origin != call.Production):
		return f.Review
	case f.Reported == nil || f.Call.Origin != call.Production:
		return &call.Review{}
	}
	return &call.Review{Heard: call.Heard{Turns: f.Reported.Turns}, ToolCalls: f.Reported.ToolCalls}
}
