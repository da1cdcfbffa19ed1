// Package scenario defines what tests are made of: agents, prompts and datasets, whose items
// hold a persona, a script and expectations. It parses and validates them, reporting every
// problem of a file at once. It does no I/O.
//
// It imports only tier-0 packages. Package caller plays an Item's Input, package score checks a
// call against its Output, package catalog stores them.
package scenario

import "time"

// Item is one scenario: one call per experiment and repetition.
type Item struct {
	// ID is assigned by Ringtrue ("di_…"); Key is the client's own name for the item, unique in
	// its dataset.
	ID       string         `json:"id,omitempty"`
	Key      string         `json:"key,omitempty"`
	Input    Input          `json:"input"`
	Output   Output         `json:"output"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Input describes the simulated caller and what it does.
type Input struct {
	// Goal is what the caller wants, in plain language. Without a Script, a language model
	// pursues it; with a Script it is only an explanation.
	Goal    string  `json:"goal,omitempty"`
	Persona Persona `json:"persona,omitzero"`
	// Facts are what the caller knows. Script lines may insert them as {name}.
	Facts map[string]string `json:"facts,omitempty"`
	// Script is played step by step.
	Script []Step `json:"script,omitempty"`
	// Language is a BCP 47 tag; "" means "en-US".
	Language string `json:"language,omitempty"`
	Limits   Limits `json:"limits,omitzero"`
}

// Persona describes who calls and how they sound. Zero values mean the default.
type Persona struct {
	Name string `json:"name,omitempty"`
	// Voice is a voice of the speech engine ("slt", "rms", "awb", "kal16", "alloy", …).
	Voice string `json:"voice,omitempty"`
	// Pitch and Pace are factors from 0.5 to 2 relative to the voice's own.
	Pitch float64 `json:"pitch,omitempty"`
	Pace  float64 `json:"pace,omitempty"`
	// PatienceMS is after how long a silence of the agent this caller considers its turn over, in ms
	// (default 700).
	PatienceMS int `json:"patience_ms,omitempty"`
	// Accent is a language variety of the speech engine ("en-gb", "en-scotland").
	Accent string `json:"accent,omitempty"`
}

// Limits bound the call from the caller's side. Zero values mean the default.
type Limits struct {
	// MaxDurationMS ends the call as "max_duration" (default 300000).
	MaxDurationMS int `json:"max_duration_ms,omitempty"`
	// MaxSilenceMS is how long the caller tolerates silence of the agent when it is the agent's
	// turn (default 10000). Then it asks once whether anybody is there, and after the same time
	// again it gives up: "silence".
	MaxSilenceMS int `json:"max_silence_ms,omitempty"`
	// MaxTurns ends a goal-driven call after this many caller turns (default 30).
	MaxTurns int `json:"max_turns,omitempty"`
}

// Step is one thing the caller does; exactly one field is set.
type Step struct {
	// Say speaks a line at once and continues when it has been spoken.
	Say string `json:"say,omitempty"`
	// WaitForAgent waits until the agent has spoken since the caller last did
	// and has then been silent for the persona's patience.
	WaitForAgent *WaitForAgent `json:"wait_for_agent,omitempty"`
	// WaitForWords waits for an agent turn that contains one of the phrases.
	WaitForWords *WaitForWords `json:"wait_for_words,omitempty"`
	// Press presses telephone keys, for example "1#".
	Press string `json:"press,omitempty"`
	// StaySilentMS says nothing for this many ms, whatever the agent does.
	StaySilentMS int `json:"stay_silent_ms,omitempty"`
	// Interrupt speaks over the agent, AfterMS after the agent's next (or current) speech began.
	Interrupt *Interject `json:"interrupt,omitempty"`
	// Backchannel says a short "mm-hm" over the agent that expects no answer.
	Backchannel *Interject `json:"backchannel,omitempty"`
	// RepeatIfMisunderstood waits for the agent's turn and repeats the last line if the agent did not understand it.
	RepeatIfMisunderstood *Repeat `json:"repeat_if_misunderstood,omitempty"`
	// Branch continues depending on what the agent said in its last turn.
	Branch *Branch `json:"branch,omitempty"`
	// HangUp ends the call.
	HangUp bool `json:"hang_up,omitempty"`
}

// WaitForAgent is the step wait_for_agent. TimeoutMS 0 means Limits.MaxSilenceMS.
type WaitForAgent struct {
	TimeoutMS int `json:"timeout_ms,omitempty"`
}

// WaitForWords is the step wait_for_words. If TimeoutMS (default 20000) passes without the
// words, the caller records that and plays Otherwise.
type WaitForWords struct {
	Any       []string `json:"any"`
	TimeoutMS int      `json:"timeout_ms,omitempty"`
	// Otherwise is played if the words never came; if empty, the caller says goodbye and hangs up.
	Otherwise []Step `json:"otherwise,omitempty"`
}

// Interject is a line spoken while the agent speaks.
type Interject struct {
	AfterMS int    `json:"after_ms"`
	Say     string `json:"say"`
}

// Repeat is the step repeat_if_misunderstood.
type Repeat struct {
	// Words are phrases that show that the agent did not understand; empty means the usual ones
	// ("sorry", "repeat", …).
	Words []string `json:"words,omitempty"`
	// Times bounds the number of repetitions (default 2).
	Times int `json:"times,omitempty"`
}

// Branch is the step branch.
type Branch struct {
	Cases []Case `json:"cases"`
	// Otherwise is played if no case matches.
	Otherwise []Step `json:"otherwise,omitempty"`
}

// Case is one case of a Branch.
type Case struct {
	Any  []string `json:"any"`
	Then []Step   `json:"then"`
}

// Output is what is expected of the agent. Empty parts are not checked.
type Output struct {
	// Say are phrases the agent must say, in any turn; DoNotSay are phrases it must not say.
	Say      []string `json:"say,omitempty"`
	DoNotSay []string `json:"do_not_say,omitempty"`
	// FactsStated are values the agent must state, by an explanatory name. Numbers, amounts,
	// times and dates match however they are spoken.
	FactsStated map[string]string `json:"facts_stated,omitempty"`
	ToolCalls   []ToolExpectation `json:"tool_calls,omitempty"`
	Outcome     Outcome           `json:"outcome,omitzero"`
	Timing      Timing            `json:"timing,omitzero"`
	// Rubric holds assertions in plain language for a language-model judge.
	Rubric []string `json:"rubric,omitempty"`
}

// ToolExpectation is a function call that the agent must, or must not, make.
type ToolExpectation struct {
	Name string `json:"name"`
	// Arguments must all be present with these values; others are allowed.
	Arguments map[string]any `json:"arguments,omitempty"`
	// Never inverts the expectation: no such call may have been made.
	Never bool `json:"never,omitempty"`
}

// Outcome is how the call should have ended.
type Outcome struct {
	// EndReasons are the acceptable end codes; empty means any.
	EndReasons []string `json:"end_reasons,omitempty"`
	// ScriptDone requires that the caller completed its script.
	ScriptDone bool `json:"script_done,omitempty"`
}

// Timing holds bounds in ms; 0 means no bound.
type Timing struct {
	TimeToFirstWordMS int `json:"time_to_first_word_ms,omitempty"`
	TurnLatencyP50MS  int `json:"turn_latency_p50_ms,omitempty"`
	TurnLatencyP95MS  int `json:"turn_latency_p95_ms,omitempty"`
	TurnLatencyMaxMS  int `json:"turn_latency_max_ms,omitempty"`
	LongestDeadAirMS  int `json:"longest_dead_air_ms,omitempty"`
	OverlapMS         int `json:"overlap_ms,omitempty"`
	YieldTimeMS       int `json:"yield_time_ms,omitempty"`
	DurationMinMS     int `json:"duration_min_ms,omitempty"`
	DurationMaxMS     int `json:"duration_max_ms,omitempty"`
}

// Dataset is a versioned list of items. Every change of its items creates a new version.
type Dataset struct {
	ID          string    `json:"id"`
	WorkspaceID string    `json:"workspace_id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Version     int       `json:"version"`
	Items       int       `json:"items"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// Agent is a voice agent under test or in production.
type Agent struct {
	ID          string `json:"id"`
	WorkspaceID string `json:"workspace_id"`
	Name        string `json:"name"`
	// SourceID is the agent's id in the client's own system or platform, unique in the workspace if set.
	SourceID  string       `json:"source_id,omitempty"`
	Defaults  TestDefaults `json:"defaults"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
}

// TestDefaults are used for what a run request leaves out.
type TestDefaults struct {
	// ToNumber is dialled if a run names no number (`ringtrue run`; the run operation always names one).
	ToNumber string `json:"to_number,omitempty"`
	Trunk    string `json:"trunk,omitempty"`
	// CallerPrompt and Scorers refer to prompts and scorers as "slug", "slug@label" or "slug@3".
	CallerPrompt string   `json:"caller_prompt,omitempty"`
	Scorers      []string `json:"scorers,omitempty"`
	// Repetitions is how often every item is called (default 1).
	Repetitions int `json:"repetitions,omitempty"`
	// ConcurrentCalls and CallsPerSecond limit the calls to this agent; 0 means that only the trunk's
	// limits apply.
	ConcurrentCalls int     `json:"concurrent_calls,omitempty"`
	CallsPerSecond  float64 `json:"calls_per_second,omitempty"`
	RingTimeoutMS   int     `json:"ring_timeout_ms,omitempty"`
	// PassThreshold is the pass rate (0 to 1) that the experiment must reach (default 1).
	// MinEvaluated is the number of calls that must have been evaluated (default 1).
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	MinEvaluated  int     `json:"min_evaluated,omitempty"`
}

// Prompt is one version of a text: the caller's persona or a judge's instruction.
type Prompt struct {
	ID          string    `json:"id"`
	WorkspaceID string    `json:"workspace_id"`
	Slug        string    `json:"slug"`
	Version     int       `json:"version"`
	Text        string    `json:"text"`
	Labels      []string  `json:"labels,omitempty"`
	CreatedAt   time.Time `json:"created_at"`
}
