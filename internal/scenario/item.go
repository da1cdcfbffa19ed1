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
	ID       string         `json:"id,omitempty" doc:"Id of the item, given by the service; leave it out of new items"`
	Key      string         `json:"key,omitempty" doc:"Your own name for the item, unique in its dataset"`
	Input    Input          `json:"input" doc:"The caller's side: who calls, and what they say and want"`
	Output   Output         `json:"output" doc:"What is expected of the agent; what is left out is not checked"`
	Metadata map[string]any `json:"metadata,omitempty" doc:"Anything of yours. Write whole numbers from 2^53 on as text"`
}

// Input describes the simulated caller and what it does.
type Input struct {
	// Goal is what the caller wants, in plain language. Without a Script, a language model
	// pursues it; with a Script it is only an explanation.
	Goal    string  `json:"goal,omitempty" doc:"What the caller wants, in plain language. Without a script a language model plays it; an item needs a script or a goal"`
	Persona Persona `json:"persona,omitzero" doc:"Who calls"`
	// Facts are what the caller knows. Script lines may insert them as {name}.
	Facts map[string]string `json:"facts,omitempty" doc:"What the caller knows, by name. Lines of the script quote a fact as {name}"`
	// Script is played step by step.
	Script []Step `json:"script,omitempty" doc:"What the caller does, step by step"`
	// Language is a BCP 47 tag; "" means "en-US".
	Language string `json:"language,omitempty" doc:"Language tag for the voice and for speech recognition, such as en-GB; en-US when not given"`
	Limits   Limits `json:"limits,omitzero" doc:"When the caller ends the call"`
}

// Persona describes who calls and how they sound. Zero values mean the default.
type Persona struct {
	Name string `json:"name,omitempty" doc:"The caller's name. Lines of the script quote it as {persona.name}"`
	// Voice is a voice of the speech engine ("slt", "rms", "awb", "kal16", "alloy", …).
	Voice string `json:"voice,omitempty" doc:"A voice of the speech engine; the engine's own choice when not given"`
	// Pitch and Pace are factors from 0.5 to 2 relative to the voice's own.
	Pitch float64 `json:"pitch,omitempty" doc:"Pitch of the voice as a factor, 0.5 to 2; 1 when not given"`
	Pace  float64 `json:"pace,omitempty" doc:"Speed of the voice as a factor, 0.5 to 2; 2 is twice as fast, 1 when not given"`
	// PatienceMS is after how long a silence of the agent this caller considers its turn over, in ms
	// (default 700).
	PatienceMS int `json:"patience_ms,omitempty" doc:"After how much silence the caller takes the agent's turn to be over, in milliseconds, 100 to 10000; 700 when not given"`
	// Accent is a language variety of the speech engine ("en-gb", "en-scotland").
	Accent string `json:"accent,omitempty" doc:"A language variety of the speech engine, such as en-scotland"`
}

// Limits bound the call from the caller's side. Zero values mean the default.
type Limits struct {
	// MaxDurationMS ends the call as "max_duration" (default 300000).
	MaxDurationMS int `json:"max_duration_ms,omitempty" doc:"Longest duration of the call in milliseconds, 1000 to 3600000; 300000 when not given. The call then ends as max_duration"`
	// MaxSilenceMS is how long the caller tolerates silence of the agent when it is the agent's
	// turn (default 10000). Then it asks once whether anybody is there, and after the same time
	// again it gives up: "silence".
	MaxSilenceMS int `json:"max_silence_ms,omitempty" doc:"How long the caller accepts silence while waiting for the agent, in milliseconds, 500 to 600000; 10000 when not given. The caller then asks once whether anybody is there, and after the same time again ends the call as silence"`
	// MaxTurns ends a goal-driven call after this many caller turns (default 30).
	MaxTurns int `json:"max_turns,omitempty" doc:"How many turns the caller takes before it says goodbye, 1 to 500; 30 when not given. Only without a script"`
}

// Step is one thing the caller does; exactly one field is set.
type Step struct {
	// Say speaks a line at once and continues when it has been spoken.
	Say string `json:"say,omitempty" doc:"Speak this line at once, even over the agent"`
	// WaitForAgent waits until the agent has spoken since the caller last did
	// and has then been silent for the persona's patience.
	WaitForAgent *WaitForAgent `json:"wait_for_agent,omitempty" doc:"Wait until the agent has spoken since the caller's last line and has then been silent for patience_ms"`
	// WaitForWords waits for an agent turn that contains one of the phrases.
	WaitForWords *WaitForWords `json:"wait_for_words,omitempty" doc:"Wait for a turn of the agent that contains one of the words"`
	// Press presses telephone keys, for example "1#".
	Press string `json:"press,omitempty" doc:"Press these telephone keys: 0 to 9, *, # and A to D"`
	// StaySilentMS says nothing for this many ms, whatever the agent does.
	StaySilentMS int `json:"stay_silent_ms,omitempty" doc:"Say nothing for so many milliseconds, whatever the agent does"`
	// Interrupt speaks over the agent, AfterMS after the agent's next (or current) speech began.
	Interrupt *Interject `json:"interrupt,omitempty" doc:"Speak over the agent"`
	// Backchannel says a short "mm-hm" over the agent that expects no answer.
	Backchannel *Interject `json:"backchannel,omitempty" doc:"Say an mm-hm over the agent that expects no answer"`
	// RepeatIfMisunderstood waits for the agent's turn and repeats the last line if the agent did not understand it.
	RepeatIfMisunderstood *Repeat `json:"repeat_if_misunderstood,omitempty" doc:"Wait for the agent's turn, and repeat the caller's last line when the agent shows that it did not understand"`
	// Branch continues depending on what the agent said in its last turn.
	Branch *Branch `json:"branch,omitempty" doc:"Choose the next steps by what the agent said in its last turn"`
	// HangUp ends the call.
	HangUp bool `json:"hang_up,omitempty" doc:"true: end the call. No step can follow"`
}

// WaitForAgent is the step wait_for_agent. TimeoutMS 0 means Limits.MaxSilenceMS.
type WaitForAgent struct {
	TimeoutMS int `json:"timeout_ms,omitempty" doc:"How much silence is accepted here, in milliseconds, instead of limits.max_silence_ms"`
}

// WaitForWords is the step wait_for_words. If TimeoutMS (default 20000) passes without the
// words, the caller records that and plays Otherwise.
type WaitForWords struct {
	Any       []string `json:"any" doc:"Words or phrases, one of which must occur; they match as whole words, case and punctuation do not matter"`
	TimeoutMS int      `json:"timeout_ms,omitempty" doc:"How long to wait for them, in milliseconds; 20000 when not given"`
	// Otherwise is played if the words never came; if empty, the caller says goodbye and hangs up.
	Otherwise []Step `json:"otherwise,omitempty" doc:"Steps to take when none of them came; without it the caller says goodbye and hangs up"`
}

// Interject is a line spoken while the agent speaks.
type Interject struct {
	AfterMS int    `json:"after_ms" doc:"How long after the agent's next (or current) speech began, in milliseconds"`
	Say     string `json:"say" doc:"What to say"`
}

// Repeat is the step repeat_if_misunderstood.
type Repeat struct {
	// Words are phrases that show that the agent did not understand; empty means the usual ones
	// ("sorry", "repeat", …).
	Words []string `json:"words,omitempty" doc:"What the agent says when it has not understood; a built-in list when not given"`
	// Times bounds the number of repetitions (default 2).
	Times int `json:"times,omitempty" doc:"How often to repeat the line at most; 2 when not given"`
}

// Branch is the step branch.
type Branch struct {
	Cases []Case `json:"cases" doc:"Looked at in order; the first that matches is played"`
	// Otherwise is played if no case matches.
	Otherwise []Step `json:"otherwise,omitempty" doc:"Steps to take when no case matches; without it the script goes on"`
}

// Case is one case of a Branch.
type Case struct {
	Any  []string `json:"any" doc:"Words or phrases, one of which the agent's last turn must contain"`
	Then []Step   `json:"then,omitempty" doc:"Steps to take in this case; without any the script goes on"`
}

// Output is what is expected of the agent. Empty parts are not checked.
type Output struct {
	// Say are phrases the agent must say, in any turn; DoNotSay are phrases it must not say.
	Say      []string `json:"say,omitempty" doc:"Phrases that the agent must say, in any turn"`
	DoNotSay []string `json:"do_not_say,omitempty" doc:"Phrases that the agent must not say"`
	// FactsStated are values the agent must state, by an explanatory name. Numbers, amounts,
	// times and dates match however they are spoken.
	FactsStated map[string]string `json:"facts_stated,omitempty" doc:"Values that the agent must state, each under a name that explains it; numbers, amounts, times and dates match however they are spoken"`
	ToolCalls   []ToolExpectation `json:"tool_calls,omitempty" doc:"Functions that the agent must, or must not, have called"`
	Outcome     Outcome           `json:"outcome,omitzero" doc:"How the call must end"`
	Timing      Timing            `json:"timing,omitzero" doc:"Bounds on the times of the call"`
	// Rubric holds assertions in plain language for a language-model judge.
	Rubric []string `json:"rubric,omitempty" doc:"Assertions in plain language for a language model to judge, at most 50"`
}

// ToolExpectation is a function call that the agent must, or must not, make.
type ToolExpectation struct {
	Name string `json:"name" doc:"Name of the function"`
	// Arguments must all be present with these values; others are allowed.
	Arguments map[string]any `json:"arguments,omitempty" doc:"Arguments that it must have been called with, by name; others are allowed"`
	// Never inverts the expectation: no such call may have been made.
	Never bool `json:"never,omitempty" doc:"true: no such call may have been made"`
}

// Outcome is how the call should have ended.
type Outcome struct {
	// EndReasons are the acceptable end codes; empty means any.
	EndReasons []string `json:"end_reasons,omitempty" doc:"Codes of the ways in which the call may end, such as completed"`
	// ScriptDone requires that the caller completed its script.
	ScriptDone bool `json:"script_done,omitempty" doc:"true: the caller must have reached the end of its script"`
}

// Timing holds bounds in ms; 0 means no bound.
type Timing struct {
	TimeToFirstWordMS int `json:"time_to_first_word_ms,omitempty" doc:"Longest time from the answer of the call to the agent's first word, in milliseconds"`
	TurnLatencyP50MS  int `json:"turn_latency_p50_ms,omitempty" doc:"Highest median of the turn latencies, in milliseconds. A turn latency is the time from the caller's last sound to the agent's first"`
	TurnLatencyP95MS  int `json:"turn_latency_p95_ms,omitempty" doc:"Highest 95th percentile of the turn latencies, in milliseconds"`
	TurnLatencyMaxMS  int `json:"turn_latency_max_ms,omitempty" doc:"Longest turn latency, in milliseconds"`
	LongestDeadAirMS  int `json:"longest_dead_air_ms,omitempty" doc:"Longest time in which both may be silent, in milliseconds"`
	OverlapMS         int `json:"overlap_ms,omitempty" doc:"Longest total time in which both may speak at once, in milliseconds"`
	YieldTimeMS       int `json:"yield_time_ms,omitempty" doc:"Longest time that the agent may take to stop when it is interrupted, in milliseconds"`
	DurationMinMS     int `json:"duration_min_ms,omitempty" doc:"Shortest duration of the call, in milliseconds"`
	DurationMaxMS     int `json:"duration_max_ms,omitempty" doc:"Longest duration of the call, in milliseconds"`
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
	// ToNumber is dialled by the web app and `ringtrue run` if they are given no number; the run operation is always given one.
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
