package main

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// menu begins the list of keys that the desk offers. "Press two" is not a time of day, and what is
// recognised there does not matter.
const menu = " To book an appointment, press"

// broken marks a line that the agent did not finish.
const broken = " [interrupted]"

// linesOf returns the lines that the agent spoke, according to its own record.
func linesOf(r practice.Record) []string {
	var out []string
	for _, m := range r.Messages {
		if m.Role == chat.Assistant && m.Content != "" {
			out = append(out, m.Content)
		}
	}
	return out
}

// untrue reports whether a failed score about words accuses the agent of something it did not do:
// the same check passes on the words that the agent really said. Words in a line that it broke off,
// or in its last one, which the end of the call may have cut, may or may not have been said; those
// do not count.
func untrue(scenarioKey string, s call.Score, said []string) bool {
	config, ok := wordChecks(scenarioKey)[s.Name]
	if !ok || len(said) == 0 {
		return false
	}
	scorer, bad := score.Build(config, deps())
	if bad != nil {
		return false
	}
	for _, cut := range []bool{true, false} {
		in := &score.Input{Heard: call.Heard{Turns: turnsSaid(said, cut)}}
		if scorer.Score(context.Background(), in).Verdict != call.Passed {
			return false
		}
	}
	return true
}

// turnsSaid returns lines as turns; with cut, lines that may be unfinished are omitted.
func turnsSaid(said []string, cut bool) []call.Turn {
	var out []call.Turn
	for i, line := range said {
		whole, isBroken := strings.CutSuffix(line, broken)
		whole, _, _ = strings.Cut(whole, menu)
		if cut && (isBroken || i == len(said)-1) {
			continue
		}
		out = append(out, call.Turn{Index: len(out), Speaker: call.Agent, Text: strings.ToLower(strings.NewReplacer(".", "", ",", "", "?", "").Replace(whole))})
	}
	return out
}

// wordChecks returns the checks of a scenario that examine only the agent's words, or can be
// applied to them.
func wordChecks(scenarioKey string) map[string]score.Config {
	out := map[string]score.Config{}
	items, bad := scenario.ParseItems(dataset, scenario.YAML)
	if bad != nil {
		return out
	}
	add := func(name string, c score.Config) {
		switch c.Kind {
		case score.KindSay, score.KindDoNotSay, score.KindFactStated, score.KindRegex, score.KindCEL, score.KindJudge:
			out[name] = c
		}
	}
	for _, item := range items {
		if item.Key == scenarioKey {
			for _, c := range score.FromOutput(item) {
				add(c.Name, c)
			}
		}
	}
	for _, s := range scorers() {
		add(s.Slug, score.Config{Slug: s.Slug, Name: s.Slug, Kind: s.Kind, Params: s.Params})
	}
	return out
}
