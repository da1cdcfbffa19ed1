package score

import (
	"sort"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Deps are the outside services that scorers use. The zero value is usable:
// scorers that lack a service return "not evaluated" with the reason.
type Deps struct {
	// Judge makes scorers of kind "judge" (judge.With in score/judge); nil means
	// that no language model is configured.
	Judge JudgeMaker
	// JudgeName names the language model that Judge asks, "" for none.
	JudgeName string
}

// JudgeMaker makes a scorer that asks a language model. mark provides what all
// of its scores have in common.
type JudgeMaker func(p JudgeParams, mark Mark) Scorer

// JudgeParams are the settings of the kind "judge".
type JudgeParams struct {
	// Rubric are assertions in plain language, all of which must hold.
	Rubric []string `json:"rubric"`
	// Instruction precedes the rubric: how strict to be, what the agent is for.
	Instruction string `json:"instruction,omitempty"`
}

// Mark is what all scores of a configuration have in common.
type Mark struct {
	ID       string
	Name     string
	Version  int
	Required bool
}

// Score returns a score of this configuration.
func (m Mark) Score(v call.Verdict, reason string, evidence ...call.Evidence) call.Score {
	return call.Score{
		ScorerID: m.ID, Name: m.Name, Version: m.Version, Required: m.Required,
		Verdict: v, Reason: reason, Evidence: evidence,
	}
}

// markOf returns the Mark of a configuration. An item's own checks have neither
// id nor version, so their name and the kind's version are used.
func markOf(c Config, kindVersion int) Mark {
	m := Mark{ID: c.ID, Name: c.Name, Version: c.Version, Required: !c.Optional}
	if m.Name == "" {
		m.Name = c.Slug
	}
	if m.Name == "" {
		m.Name = c.Kind
	}
	if m.ID == "" {
		m.ID = m.Name
	}
	if m.Version == 0 {
		m.Version = kindVersion
	}
	return m
}

// MarkOf returns the Mark of a configuration.
func MarkOf(c Config) Mark {
	k, _ := kindOf(c.Kind)
	return markOf(c, k.Version)
}

// Build makes a scorer from its configuration. The error names every wrong
// parameter and suggests a known name for each unknown one.
func Build(c Config, deps Deps) (Scorer, *problem.Error) {
	kind, ok := kindOf(c.Kind)
	if !ok {
		return nil, problem.Invalid(problem.Field{
			Path: "kind", Message: "there is no scorer kind " + quoted(c.Kind),
			Suggestion: problem.Nearest(c.Kind, kindNames()),
		})
	}
	return kind.build(c.Params, markOf(c, kind.Version), deps)
}

// Kinds describes every scorer kind, for documentation and the API.
func Kinds() []KindInfo {
	var out []KindInfo
	for _, k := range kinds() {
		out = append(out, k.KindInfo)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Kind < out[j].Kind })
	return out
}

// KindInfo describes a scorer kind.
type KindInfo struct {
	Kind string `json:"kind"`
	// Version is raised when the same call may get another verdict.
	Version int    `json:"version"`
	Summary string `json:"summary"`
	// NeedsRecord says that the kind uses the agent's own record of the call.
	NeedsRecord bool        `json:"needs_record,omitempty"`
	Params      []ParamInfo `json:"params"`
}

// ParamInfo describes one setting of a kind.
type ParamInfo struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
	Meaning  string `json:"meaning"`
}

func kindNames() []string {
	var out []string
	for _, k := range kinds() {
		out = append(out, k.Kind)
	}
	return out
}

func kindOf(name string) (kind, bool) {
	for _, k := range kinds() {
		if k.Kind == name {
			return k, true
		}
	}
	return kind{}, false
}
