package api_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/platform"
)

// wordsOf are the words that a package declares of a type that has a fixed set of them.
func wordsOf(t *testing.T, name string) (words []string) {
	t.Helper()
	dir, typ, _ := strings.Cut(name, ".")
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != typ {
				return true
			}
			for _, v := range spec.Values {
				if l, ok := v.(*ast.BasicLit); ok && l.Kind == token.STRING {
					word, _ := strconv.Unquote(l.Value)
					words = append(words, word)
				}
			}
			return true
		})
	}
	if len(words) < 2 {
		t.Fatalf("%s has the words %q", name, words)
	}
	return words
}

// published is the document as it lies in the repository, with every operation that there is.
func published(t *testing.T) (d openAPI) {
	t.Helper()
	text, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// enumOf is what the document lists for a field, or for the elements of one that is a list.
func enumOf(t *testing.T, schemas map[string]any, place string) (words []string) {
	t.Helper()
	name, field, _ := strings.Cut(place, ".")
	schema, _ := schemas[name].(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	p, ok := properties[field].(map[string]any)
	if !ok {
		t.Fatalf("there is no %s", place)
	}
	if items, ok := p["items"].(map[string]any); ok {
		p = items
	}
	for _, word := range list(p["enum"]) {
		if word != nil && word != "" {
			words = append(words, fmt.Sprint(word))
		}
	}
	return words
}

// A generated client knows the words that the code knows: no field of a fixed set leaves its words
// to the prose, and none lacks one that is written or lists one that is not.
func TestFieldsOfAFixedSetListItsWords(t *testing.T) {
	t.Parallel()
	var days []string
	for day := time.Sunday; day <= time.Saturday; day++ {
		days = append(days, day.String())
	}
	lines := []string{experiment.LinePhone, experiment.LineRoom, "loop"}
	steps := slices.Compact(slices.Sorted(slices.Values(append(wordsOf(t, "experiment.Status"), wordsOf(t, "call.Status")...))))
	schemas := published(t).Components.Schemas
	for _, set := range []struct {
		words  []string
		places string
	}{
		{wordsOf(t, "trend/departure.Form"), "Anomaly.form"},
		{wordsOf(t, "trend/departure.Severity"), "Anomaly.severity"},
		{days, "Anomaly.like_day"},
		{wordsOf(t, "trend/departure.Verdict"), "Overview.verdict AgentHealth.verdict"},
		{[]string{"bad", "watch"}, "ValueHealth.verdict"},
		{wordsOf(t, "monitor.Step"), "Trends.step"},
		{wordsOf(t, "trend.Outcome"), "Difference.outcome Shift.outcome"},
		{wordsOf(t, "call.Origin"), "Call.origin Overview.origin Trends.origin Anomalies.origin Failures.origin DropOff.origin UpsetCallers.origin Breakdown.origin"},
		{wordsOf(t, "call.EndCode"), "EndReason.code CallResult.end_reason FailureGroup.end_reason UpsetCall.end_reason"},
		{wordsOf(t, "call.Blame"), "EndReason.blame FailureGroup.blame"},
		{wordsOf(t, "call.Verdict"), "Call.verdict Score.verdict CallResult.verdict CallScore.verdict EventData.verdict VerdictChange.from VerdictChange.to Experiment.verdict"},
		{wordsOf(t, "call.Status"), "Call.status CallResult.status"},
		{wordsOf(t, "call.ScoringStatus"), "Call.scoring_status CallResult.scoring_status EventData.scoring_status"},
		{wordsOf(t, "call.Sentiment"), "Call.caller_sentiment Feeling.sentiment Reported.sentiment CallLogRecord.reported_sentiment"},
		{wordsOf(t, "call.Sign"), "TurnFeeling.signs"},
		{wordsOf(t, "experiment.Status"), "Experiment.status RunStatus.status"},
		{wordsOf(t, "workspace.Role"), "Member.role Invitation.role Session.role"},
		{append(wordsOf(t, "problem.Code"), "method_not_allowed", "range_not_satisfiable"), "Problem.code"},
		{steps, "EventData.status"},
		{lines, "Call.line Experiment.line"},
		{[]string{calllog.Custom, calllog.PlatformA, calllog.PlatformB}, "CallLogRecord.provider CallLogSubmission.provider Reported.provider"},
		{[]string{platform.A, platform.B}, "PlatformKey.provider AgentSynced.provider"},
	} {
		for place := range strings.FieldsSeq(set.places) {
			got, want := enumOf(t, schemas, place), slices.Clone(set.words)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s lists %q, want %q", place, got, want)
			}
		}
	}
}

// The document offers nothing that the service always refuses.
func TestAnomaliesOfferProductionAlone(t *testing.T) {
	t.Parallel()
	var offered []any
	for _, p := range published(t).Paths["/monitoring/anomalies"]["get"].Parameters {
		if p.Name == "origin" {
			offered = list(p.Schema["enum"])
		}
	}
	if !slices.Equal(offered, []any{"production"}) {
		t.Errorf("offers the origins %v", offered)
	}
}

// A limit that the document names is the one that is obeyed, not a wider one.
func TestLimitsAreThoseObeyed(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]float64{
		"RunRequest.scorers maxItems": 100, "SetUp.password maxLength": 200, "JoinWorkspace.password maxLength": 200, "PasswordChange.new maxLength": 200,
	} {
		place, word, _ := strings.Cut(place, " ")
		name, field, _ := strings.Cut(place, ".")
		schema, _ := published(t).Components.Schemas[name].(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		p, _ := properties[field].(map[string]any)
		if p[word] != want {
			t.Errorf("%s: %s is %v, want %v", place, word, p[word], want)
		}
	}
}
