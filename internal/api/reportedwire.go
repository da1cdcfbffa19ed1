package api

import (
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Reported is what the client's platform says of a call, in one vocabulary.
type Reported struct {
	Provider          string                     `json:"provider" enum:"custom,platform_a,platform_b" doc:"Who wrote the record"`
	PlatformAgentID   *string                    `json:"platform_agent_id" doc:"The platform's own id of the agent; null, like all below, when it is not reported"`
	AgentName         *string                    `json:"agent_name" doc:"Name of the agent on the platform"`
	AgentVersion      *string                    `json:"agent_version" doc:"Version of the agent on the platform"`
	Model             *string                    `json:"model" doc:"The language model that was running"`
	Prompt            *string                    `json:"prompt" doc:"Names the prompt that was running, by version or digest"`
	Medium            *string                    `json:"medium" enum:"phone,web" doc:"How the call travelled"`
	Direction         *string                    `json:"direction" enum:"inbound,outbound" doc:"inbound: the caller called; outbound: the agent called"`
	HasTranscript     bool                       `json:"has_transcript" doc:"true: the platform tells what was said, even if that is nothing"`
	Timed             bool                       `json:"timed" doc:"true: every turn of its transcript has a time"`
	Stages            []ReportedStage            `json:"stages" doc:"The parts of the platform's flow, in the order they were entered; empty when none are reported"`
	ToolCalls         []ReportedToolCall         `json:"tool_calls" doc:"Functions that the agent called; empty when none are reported"`
	Latency           map[string]ReportedLatency `json:"latency" doc:"Latencies that the platform measured, by component: e2e (end to end), asr, llm, tts, …"`
	CallerInterrupted *int                       `json:"caller_interrupted" doc:"How often the caller was interrupted, as the platform counts"`
	AgentInterrupted  *int                       `json:"agent_interrupted" doc:"How often the agent was interrupted, as the platform counts"`
	Sentiment         *string                    `json:"sentiment" enum:"negative,neutral,positive" doc:"How the caller felt, as the platform says"`
	Successful        *bool                      `json:"successful" doc:"Whether the call reached its goal, as the platform says"`
	Voicemail         *bool                      `json:"voicemail" doc:"Whether a voicemail answered, as the platform says"`
	Summary           *string                    `json:"summary" doc:"The platform's own summary"`
	Outcome           *string                    `json:"outcome" doc:"Outcome of the call in the client's own words"`
	CostUSD           *float64                   `json:"cost_usd" doc:"What the call cost in US dollars, as the platform says"`
	Words             map[string]any             `json:"words" doc:"What else the platform says, under its own names"`
}

// ReportedStage is a part of the conversation in the platform's flow.
type ReportedStage struct {
	Name string `json:"name" doc:"Name of the stage"`
	AtMS *int64 `json:"at_ms" doc:"When it was entered, milliseconds since the start of the call; null when it is not reported"`
	Turn int    `json:"turn" doc:"How many turns had been spoken by then"`
}

// ReportedToolCall is a function that the agent called.
type ReportedToolCall struct {
	ID        string  `json:"id" doc:"Id of the tool call"`
	Name      string  `json:"name" doc:"Name of the function"`
	Arguments string  `json:"arguments" doc:"Arguments of the call, JSON as text"`
	Result    *string `json:"result" doc:"What the function answered; null when it is not reported"`
	Failed    bool    `json:"failed" doc:"true: the platform calls the answer a failure"`
	AtMS      *int64  `json:"at_ms" doc:"When it was called, milliseconds since the start of the call; null when it is not reported"`
}

// ReportedLatency is a platform's own figure of one component, in seconds.
type ReportedLatency struct {
	N    int      `json:"n" doc:"How many times it was measured"`
	Mean *float64 `json:"mean" doc:"Mean in seconds; null, like all below, when it is not reported"`
	P50  *float64 `json:"p50" doc:"Median in seconds"`
	P90  *float64 `json:"p90" doc:"90th percentile in seconds"`
	P95  *float64 `json:"p95" doc:"95th percentile in seconds"`
	P99  *float64 `json:"p99" doc:"99th percentile in seconds"`
	Min  *float64 `json:"min" doc:"Shortest in seconds"`
	Max  *float64 `json:"max" doc:"Longest in seconds"`
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
