package call

import (
	"encoding/json"
	"time"
)

// Reported is what the client's platform reports about a call, in one vocabulary for all
// platforms. Fields that the platform does not report are zero.
type Reported struct {
	Provider   string `json:"provider"`
	ExternalID string `json:"external_id"`
	// PlatformAgentID is the platform's own id of the agent. AgentName, AgentVersion, Model and
	// Prompt are its description of what was running.
	PlatformAgentID string `json:"platform_agent_id,omitempty"`
	AgentName       string `json:"agent_name,omitempty"`
	AgentVersion    string `json:"agent_version,omitempty"`
	Model           string `json:"model,omitempty"`
	Prompt          string `json:"prompt,omitempty"`
	// Medium is "phone" or "web", Direction "inbound" or "outbound".
	Medium    string `json:"medium,omitempty"`
	Direction string `json:"direction,omitempty"`

	// HasTranscript distinguishes a transcript with nothing said from no transcript. If Timed
	// is true, Turns carry times since the start of the call. A turn of which only the start is
	// known has an equal End; if neither is known, both are negative.
	HasTranscript bool       `json:"has_transcript"`
	Timed         bool       `json:"timed,omitempty"`
	Turns         []Turn     `json:"turns,omitempty"`
	ToolCalls     []ToolCall `json:"tool_calls,omitempty"`
	Stages        []Stage    `json:"stages,omitempty"`

	// Latency is what the platform measured, by component: "e2e", "asr", "llm", "tts", "endpointing", …
	Latency map[string]ReportedLatency `json:"latency,omitempty"`
	// CallerInterrupted and AgentInterrupted count how often each side was interrupted,
	// according to the platform; nil if it does not count.
	CallerInterrupted *int `json:"caller_interrupted,omitempty"`
	AgentInterrupted  *int `json:"agent_interrupted,omitempty"`

	// Sentiment, Successful, Voicemail and Summary are the platform's own opinion.
	Sentiment  Sentiment `json:"sentiment,omitempty"`
	Successful *bool     `json:"successful,omitempty"`
	Voicemail  *bool     `json:"voicemail,omitempty"`
	Summary    string    `json:"summary,omitempty"`
	// Outcome is the client's own later statement of how the call turned out, verbatim.
	Outcome string `json:"outcome,omitempty"`

	// Cost is in millionths of a US dollar, nil if unknown.
	Cost *int64 `json:"cost,omitempty"`

	// RecordingURL is the best available recording. Channels is 2 if each side has a channel of its
	// own, 1 if both are mixed, 0 if unknown. CallerChannel is the caller's channel, −1 if unknown.
	RecordingURL  string `json:"recording_url,omitempty"`
	Channels      int    `json:"channels,omitempty"`
	CallerChannel int    `json:"caller_channel"`
	// OtherRecordings are alternative locations of the recording, better ones first. They are
	// tried if RecordingURL has none.
	OtherRecordings []RecordingLink `json:"other_recordings,omitempty"`
	// ScrubbedRecording is true when the platform has removed personal data from all of these recordings.
	ScrubbedRecording bool `json:"scrubbed_recording,omitempty"`

	// Words holds platform fields that have no counterpart in this vocabulary, under their original names.
	Words map[string]any `json:"words,omitempty"`
}

// RecordingLink is a possible location of a recording. Channels is as in Reported.
type RecordingLink struct {
	URL      string `json:"url"`
	Channels int    `json:"channels,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler. It also accepts a plain string holding the URL, the
// form of older stored records.
func (l *RecordingLink) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &l.URL); err == nil {
		return nil
	}
	type plain RecordingLink
	return json.Unmarshal(text, (*plain)(l))
}

// Stage is a part of the conversation in the platform's flow.
type Stage struct {
	Name string `json:"name"`
	// At is when the stage was entered, since the start of the call; negative if unknown.
	At time.Duration `json:"at"`
	// Turn is the number of turns spoken before the stage was entered.
	Turn int `json:"turn"`
}

// ReportedLatency is a platform's own measurement of one component, in seconds.
type ReportedLatency struct {
	N int `json:"n"`
	// Mean is set if the platform reports it or reports every value.
	Mean *float64 `json:"mean,omitempty"`
	P50  *float64 `json:"p50,omitempty"`
	P90  *float64 `json:"p90,omitempty"`
	P95  *float64 `json:"p95,omitempty"`
	P99  *float64 `json:"p99,omitempty"`
	Min  *float64 `json:"min,omitempty"`
	Max  *float64 `json:"max,omitempty"`
	// Values is set if the platform reports every value.
	Values []float64 `json:"values,omitempty"`
}
