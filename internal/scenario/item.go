// Package scenario is what a test is made of: agents, datasets, items with
// their persona, script and expectations, and prompts. It parses and
// validates, and names every problem of a file at once; it does no I/O.
//
// Below it lie the tier-0 packages. Package caller plays an Item's Input,
// package score checks a call against its Output, package catalog keeps them.
package scenario

import "time"

// Item is one scenario: one call per run and repetition.
type Item struct {
	// ID is ours ("di_…"); Key is the client's own name for the item, unique in its dataset.
	ID       string         `json:"id,omitempty"`
	Key      string         `json:"key,omitempty"`
	Input    Input          `json:"input"`
	Output   Output         `json:"output"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Input is what the simulated caller is and does.
type Input struct {
	// Goal is what the caller wants, in plain language. With no Script a
	// language model plays it; with a Script it only explains.
	Goal    string  `json:"goal,omitempty"`
	Persona Persona `json:"persona,omitzero"`
	// Facts are what the caller knows; script lines may quote them as {name}.
	Facts map[string]string `json:"facts,omitempty"`
	// Script is played step by step.
	Script []Step `json:"script,omitempty"`
	// Language is a BCP 47 tag, "en-US" when empty.
	Language string `json:"language,omitempty"`
	Limits   Limits `json:"limits,omitzero"`
}

// Persona is who calls and how they sound. Zero values mean the default.
type Persona struct {
	Name string `json:"name,omitempty"`
	// Voice is a voice of the speech engine ("slt", "rms", "awb", "kal16", "alloy", …).
	Voice string `json:"voice,omitempty"`
	// Pitch and Pace are factors: 1 is the voice's own; 0.5 to 2.
	Pitch float64 `json:"pitch,omitempty"`
	Pace  float64 `json:"pace,omitempty"`
	// PatienceMS is how much silence of the agent ends its turn for this caller, in ms (default 700).
	PatienceMS int `json:"patience_ms,omitempty"`
	// Accent is a language variety of the speech engine ("en-gb", "en-scotland").
	Accent string `json:"accent,omitempty"`
}

// Limits bound the call from the caller's side. Zero values mean the default.
type Limits struct {
	// MaxDurationMS ends the call as "max_duration" (default 300000).
	MaxDurationMS int `json:"max_duration_ms,omitempty"`
	// MaxSilenceMS is how long the caller bears silence of the agent when it is
	// the agent's turn (default 10000); then it asks once whether anybody is
	// there, and after the same time again gives up: "silence".
	MaxSilenceMS int `json:"max_silence_ms,omitempty"`
	// MaxTurns ends a goal-driven call after so many caller turns (default 30).
	MaxTurns int `json:"max_turns,omitempty"`
}

// Step is one thing the caller does; exactly one field is set.
type Step struct {
	// Say speaks a line at once and goes on when it has been said.
	Say string `json:"say,omitempty"`
	// WaitForAgent waits until the agent has spoken since the caller last did
	// and has then been silent for the persona's patience.
	WaitForAgent *WaitForAgent `json:"wait_for_agent,omitempty"`
	// WaitForWords waits for an agent turn that holds one of the words.
	WaitForWords *WaitForWords `json:"wait_for_words,omitempty"`
	// Press presses telephone keys, for example "1#".
	Press string `json:"press,omitempty"`
	// StaySilentMS says nothing for so many ms, whatever the agent does.
	StaySilentMS int `json:"stay_silent_ms,omitempty"`
	// Interrupt speaks over the agent, AfterMS after the agent's next (or present) speech began.
	Interrupt *Interject `json:"interrupt,omitempty"`
	// Backchannel is a short "mm-hm" over the agent that asks for no answer.
	Backchannel *Interject `json:"backchannel,omitempty"`
	// RepeatIfMisunderstood waits for the agent's turn and says the last line again when it shows it did not understand.
	RepeatIfMisunderstood *Repeat `json:"repeat_if_misunderstood,omitempty"`
	// Branch goes on by what the agent said in its last turn.
	Branch *Branch `json:"branch,omitempty"`
	// HangUp ends the call.
	HangUp bool `json:"hang_up,omitempty"`
}

// WaitForAgent is the step of that name. TimeoutMS 0 means Limits.MaxSilenceMS.
type WaitForAgent struct {
	TimeoutMS int `json:"timeout_ms,omitempty"`
}

// WaitForWords is the step of that name. When TimeoutMS (default 20000) has
// passed without the words the caller notes it and follows Otherwise.
type WaitForWords struct {
	Any       []string `json:"any"`
	TimeoutMS int      `json:"timeout_ms,omitempty"`
	// Otherwise is played when the words never came; empty means: say goodbye and hang up.
	Otherwise []Step `json:"otherwise,omitempty"`
}

// Interject is a line spoken while the agent speaks.
type Interject struct {
	AfterMS int    `json:"after_ms"`
	Say     string `json:"say"`
}

// Repeat is the step repeat_if_misunderstood.
type Repeat struct {
	// Words show that the agent did not understand; empty means the usual ones ("sorry", "repeat", …).
	Words []string `json:"words,omitempty"`
	// Times bounds the repetitions (default 2).
	Times int `json:"times,omitempty"`
}

// Branch is the step of that name.
type Branch struct {
	Cases []Case `json:"cases"`
	// Otherwise is played when no case fits.
	Otherwise []Step `json:"otherwise,omitempty"`
}

// Case is one way a Branch can go.
type Case struct {
	Any  []string `json:"any"`
	Then []Step   `json:"then"`
}

// Output is what is expected of the agent. Empty parts are not checked.
type Output struct {
	// Say are phrases the agent must say, in any turn; DoNotSay must not occur.
	Say      []string `json:"say,omitempty"`
	DoNotSay []string `json:"do_not_say,omitempty"`
	// FactsStated are values the agent must state, by a name that explains them;
	// numbers, amounts, times and dates match however they are spoken.
	FactsStated map[string]string `json:"facts_stated,omitempty"`
	ToolCalls   []ToolExpectation `json:"tool_calls,omitempty"`
	Outcome     Outcome           `json:"outcome,omitzero"`
	Timing      Timing            `json:"timing,omitzero"`
	// Rubric are assertions in plain language for a language-model judge.
	Rubric []string `json:"rubric,omitempty"`
}

// ToolExpectation is a function the agent must, or must not, have called.
type ToolExpectation struct {
	Name string `json:"name"`
	// Arguments must all be there with these values; further ones are allowed.
	Arguments map[string]any `json:"arguments,omitempty"`
	// Never turns it round: no such call may have been made.
	Never bool `json:"never,omitempty"`
}

// Outcome is how the call should have ended.
type Outcome struct {
	// EndReasons are the codes that are right; empty means any.
	EndReasons []string `json:"end_reasons,omitempty"`
	// ScriptDone demands that the caller came to the end of its script.
	ScriptDone bool `json:"script_done,omitempty"`
}

// Timing are bounds in ms; 0 means none.
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

// Dataset is a versioned list of items. Every change of its items makes a new version.
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
	// SourceID is the agent's id in the client's own system or platform, unique in the workspace when given.
	SourceID  string       `json:"source_id,omitempty"`
	Defaults  TestDefaults `json:"defaults"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
}

// TestDefaults are what a run uses when the request does not say.
type TestDefaults struct {
	// ToNumber is dialled when a run names none (`ringtrue run`; the run operation always names one).
	ToNumber string `json:"to_number,omitempty"`
	Trunk    string `json:"trunk,omitempty"`
	// CallerPrompt and Scorers name prompts and scorers as "slug", "slug@label" or "slug@3".
	CallerPrompt string   `json:"caller_prompt,omitempty"`
	Scorers      []string `json:"scorers,omitempty"`
	// Repetitions of every item (default 1).
	Repetitions int `json:"repetitions,omitempty"`
	// ConcurrentCalls and CallsPerSecond bound calls to this agent; 0 means the trunk's limits alone.
	ConcurrentCalls int     `json:"concurrent_calls,omitempty"`
	CallsPerSecond  float64 `json:"calls_per_second,omitempty"`
	RingTimeoutMS   int     `json:"ring_timeout_ms,omitempty"`
	// PassThreshold is the pass rate (0 to 1) the experiment must reach (default 1);
	// MinEvaluated the number of calls that must have been evaluated (default 1).
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
