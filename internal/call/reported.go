package call

import (
	"encoding/json"
	"time"
)

// Reported is what the client's platform tells of a call, in one vocabulary.
// Where the platform is silent, fields are zero.
type Reported struct {
	Provider   string `json:"provider"`
	ExternalID string `json:"external_id"`
	// PlatformAgentID is the platform's own id of the agent; AgentName,
	// AgentVersion, Model and Prompt are its words for what was running.
	PlatformAgentID string `json:"platform_agent_id,omitempty"`
	AgentName       string `json:"agent_name,omitempty"`
	AgentVersion    string `json:"agent_version,omitempty"`
	Model           string `json:"model,omitempty"`
	Prompt          string `json:"prompt,omitempty"`
	// Medium is "phone" or "web", Direction "inbound" or "outbound".
	Medium    string `json:"medium,omitempty"`
	Direction string `json:"direction,omitempty"`

	// HasTranscript tells "nothing said" from "not given". Turns carry times since
	// the start of the call; Timed says that they do. Where only a turn's start is
	// known its End equals it; where nothing is known both are negative.
	HasTranscript bool       `json:"has_transcript"`
	Timed         bool       `json:"timed,omitempty"`
	Turns         []Turn     `json:"turns,omitempty"`
	ToolCalls     []ToolCall `json:"tool_calls,omitempty"`
	Stages        []Stage    `json:"stages,omitempty"`

	// Latency is what the platform measured, by component: "e2e", "asr", "llm", "tts", "endpointing", …
	Latency map[string]ReportedLatency `json:"latency,omitempty"`
	// CallerInterrupted and AgentInterrupted count how often each side was
	// interrupted, as the platform counts; nil when it does not.
	CallerInterrupted *int `json:"caller_interrupted,omitempty"`
	AgentInterrupted  *int `json:"agent_interrupted,omitempty"`

	// Sentiment, Successful, Voicemail and Summary are the platform's own opinion.
	Sentiment  Sentiment `json:"sentiment,omitempty"`
	Successful *bool     `json:"successful,omitempty"`
	Voicemail  *bool     `json:"voicemail,omitempty"`
	Summary    string    `json:"summary,omitempty"`
	// Outcome is what the client said later of how the call came out, in its own words.
	Outcome string `json:"outcome,omitempty"`

	// Cost is in millionths of a US dollar, nil when it is not told.
	Cost *int64 `json:"cost,omitempty"`

	// RecordingURL is the best recording there is: Channels is 2 when each side has
	// a channel of its own, 1 when both are mixed, 0 when it is not told.
	// CallerChannel is that of the caller, −1 when it is not told.
	RecordingURL  string `json:"recording_url,omitempty"`
	Channels      int    `json:"channels,omitempty"`
	CallerChannel int    `json:"caller_channel"`
	// OtherRecordings are where the recording is told to be as well, the better one
	// first: they are tried when there is none at RecordingURL.
	OtherRecordings []RecordingLink `json:"other_recordings,omitempty"`
	// ScrubbedRecording says that the platform has scrubbed all of these of people.
	ScrubbedRecording bool `json:"scrubbed_recording,omitempty"`

	// Words keeps what the platform says and this vocabulary has no place for, by its own names.
	Words map[string]any `json:"words,omitempty"`
}

// RecordingLink is a place where a recording is told to be; Channels as in Reported.
type RecordingLink struct {
	URL      string `json:"url"`
	Channels int    `json:"channels,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler. Records that were kept long ago hold the address alone.
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
	// At is when it was entered, since the start of the call; negative when it is not told.
	At time.Duration `json:"at"`
	// Turn is the number of turns that had been spoken by then.
	Turn int `json:"turn"`
}

// ReportedLatency is a platform's own figure of one component, in seconds.
type ReportedLatency struct {
	N int `json:"n"`
	// Mean is there where the platform gives it or gives every value.
	Mean *float64 `json:"mean,omitempty"`
	P50  *float64 `json:"p50,omitempty"`
	P90  *float64 `json:"p90,omitempty"`
	P95  *float64 `json:"p95,omitempty"`
	P99  *float64 `json:"p99,omitempty"`
	Min  *float64 `json:"min,omitempty"`
	Max  *float64 `json:"max,omitempty"`
	// Values are there where the platform gives every one.
	Values []float64 `json:"values,omitempty"`
}
