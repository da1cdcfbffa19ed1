package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// reader replaces the language model that judges: it reads the transcript that the judge gives it,
// and nothing else, and counts turns. This exercises the judge's path from the transcript to the
// verdict; how well a real model reads is not measured here.
type reader struct{}

// Name implements chat.Model.
func (reader) Name() string { return "a reader that counts turns" }

// Complete implements chat.Model.
func (reader) Complete(_ context.Context, r chat.Request, _ func(string)) (chat.Message, error) {
	assertion := regexp.MustCompile(`(?m)^(\d+)\. At most (\d+) turns? of the agent holds? "(.*)"\.$`)
	text := r.Messages[len(r.Messages)-1].Content
	turns := turnsIn(text)
	type finding struct {
		Number  int    `json:"number"`
		Verdict string `json:"verdict"`
		Turn    int    `json:"turn"`
		Quote   string `json:"quote"`
		Why     string `json:"why"`
	}
	var found []finding
	for _, m := range assertion.FindAllStringSubmatch(text, -1) {
		number, _ := strconv.Atoi(m[1]) // the expression matches digits only
		most, _ := strconv.Atoi(m[2])
		f := finding{Number: number, Verdict: "holds"}
		n := 0
		for _, t := range turns {
			if f.Quote == "" {
				f.Turn, f.Quote = t.Turn, t.Text
			}
			if strings.Contains(t.Text, m[3]) {
				n++
				f.Turn, f.Quote = t.Turn, t.Text
			}
		}
		if n > most {
			f.Verdict = "fails"
		}
		f.Why = fmt.Sprintf("%d turns hold it", n)
		found = append(found, f)
	}
	answer, err := json.Marshal(map[string]any{"assertions": found})
	return chat.Message{Role: chat.Assistant, Content: string(answer)}, err
}

type readTurn struct {
	Turn    int    `json:"turn"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// turnsIn returns the agent's turns with words in the question to the judge.
func turnsIn(question string) []readTurn {
	var out []readTurn
	for line := range strings.SplitSeq(question, "\n") {
		var t readTurn
		if strings.HasPrefix(line, `{"turn":`) && json.Unmarshal([]byte(line), &t) == nil && t.Speaker == "agent" && t.Text != "" {
			out = append(out, t)
		}
	}
	return out
}
