package client

// Reported is what a client's platform says of a call, in one vocabulary. What
// it does not tell is nil or empty.
type Reported struct {
	// Provider is "custom", "platform_a" or "platform_b".
	Provider        string  `json:"provider"`
	PlatformAgentID *string `json:"platform_agent_id"`
	AgentName       *string `json:"agent_name"`
	AgentVersion    *string `json:"agent_version"`
	Model           *string `json:"model"`
	Prompt          *string `json:"prompt"`
	// Medium is "phone" or "web", Direction "inbound" or "outbound".
	Medium        *string            `json:"medium"`
	Direction     *string            `json:"direction"`
	HasTranscript bool               `json:"has_transcript"`
	Timed         bool               `json:"timed"`
	Stages        []ReportedStage    `json:"stages"`
	ToolCalls     []ReportedToolCall `json:"tool_calls"`
	// Latency is what the platform measured, by component: "e2e", "asr", "llm", "tts", ….
	Latency           map[string]ReportedLatency `json:"latency"`
	CallerInterrupted *int                       `json:"caller_interrupted"`
	AgentInterrupted  *int                       `json:"agent_interrupted"`
	// Sentiment, Successful, Voicemail and Summary are the platform's own opinion.
	Sentiment  *string `json:"sentiment"`
	Successful *bool   `json:"successful"`
	Voicemail  *bool   `json:"voicemail"`
	Summary    *string `json:"summary"`
	// Outcome is how the call came out, in the client's word.
	Outcome *string  `json:"outcome"`
	CostUSD *float64 `json:"cost_usd"`
	// Words are what the platform says beyond this, by its own names.
	Words map[string]any `json:"words"`
}

// ReportedStage is a part of the conversation in the platform's flow.
type ReportedStage struct {
	Name string `json:"name"`
	// AtMS is since the start of the call, Turn how many turns had been spoken by then.
	AtMS *int64 `json:"at_ms"`
	Turn int    `json:"turn"`
}

// ReportedToolCall is a function that the agent called.
type ReportedToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments are JSON as text.
	Arguments string  `json:"arguments"`
	Result    *string `json:"result"`
	Failed    bool    `json:"failed"`
	AtMS      *int64  `json:"at_ms"`
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
