package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// PassRate is the share of the calls that count which passed.
type PassRate struct {
	Passed    int      `json:"passed" doc:"Calls (or scores, or scenarios) that passed"`
	Evaluated int      `json:"evaluated" doc:"Calls (or scores, or scenarios) that passed or failed; void and not evaluated ones do not count"`
	Value     *float64 `json:"value" doc:"passed divided by evaluated, 0 to 1; null when evaluated is 0"`
	Low       *float64 `json:"low" doc:"Lower end of the 95 % interval of value; null when evaluated is 0"`
	High      *float64 `json:"high" doc:"Upper end of the 95 % interval of value; null when evaluated is 0"`
}

// VerdictCounts are calls, or scores, by verdict.
type VerdictCounts struct {
	Passed       int `json:"passed" doc:"How many passed"`
	Failed       int `json:"failed" doc:"How many failed"`
	Void         int `json:"void" doc:"How many this service spoilt"`
	NotEvaluated int `json:"not_evaluated" doc:"How many could not be checked"`
	Open         int `json:"open" doc:"How many have no verdict: not reviewed yet, or canceled"`
}

// ScorerResult is what one scorer said of all calls.
type ScorerResult struct {
	Name     string        `json:"name" doc:"Name of the scorer; experiments are compared by it"`
	ScorerID string        `json:"scorer_id" doc:"Id of the version of the scorer; the name of the check when it comes from the dataset item"`
	Version  int           `json:"version" doc:"Version of the scorer"`
	Required bool          `json:"required" doc:"true: its scores decide the verdict of a call"`
	Counts   VerdictCounts `json:"counts" doc:"Its scores by verdict"`
	PassRate PassRate      `json:"pass_rate" doc:"Share of its scores that passed"`
}

// ScenarioResult is a scenario with its calls: a row of the matrix.
type ScenarioResult struct {
	DatasetItemID string        `json:"dataset_item_id" doc:"Id of the item"`
	Key           string        `json:"key" doc:"Your own name for the item; empty when it has none"`
	Title         string        `json:"title" doc:"The key, goal or first line of the scenario, whichever there is"`
	Counts        VerdictCounts `json:"counts" doc:"Its calls by verdict"`
	PassRate      PassRate      `json:"pass_rate" doc:"Share of its calls that passed"`
	Calls         []CallResult  `json:"calls" doc:"Its calls, by repetition"`
}

// CallResult is one call of a scenario.
type CallResult struct {
	ID            string       `json:"id" doc:"Id of the call"`
	Repetition    int          `json:"repetition" doc:"Which repetition of the item, counted from 1"`
	Status        string       `json:"status" enum:"QUEUED,DIALING,IN_PROGRESS,ENDED,FAILED,CANCELED" doc:"How far the call is, as in status of Call"`
	ScoringStatus string       `json:"scoring_status" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED" doc:"How far its review is, as in scoring_status of Call"`
	Verdict       *string      `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"Verdict of the call; null until it is scored"`
	VerdictReason string       `json:"verdict_reason" doc:"Why the verdict is what it is, in a sentence"`
	EndReason     *string      `json:"end_reason" enum:"completed,transferred,caller_hung_up,agent_hung_up,max_duration,silence,busy,no_answer,declined,voicemail,agent_never_joined,unreachable,media_lost,codec_mismatch,agent_error,configuration,provider_error,platform_error,interrupted,ringtrue_error,unknown" doc:"End reason code; null while the call goes on"`
	DurationMS    *int64       `json:"duration_ms" doc:"Milliseconds from the answer to the end; null when the call was never answered or is not over"`
	TurnLatencyMS *int64       `json:"turn_latency_ms" doc:"Median time from the end of the caller's turn to the start of the agent's, in milliseconds; null when it was not measured"`
	Scores        []*CallScore `json:"scores" doc:"One for each element of scorers, in the same order; null where that scorer did not look at this call"`
}

// CallScore is a cell of the matrix.
type CallScore struct {
	Verdict string   `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"The scorer's verdict"`
	Value   *float64 `json:"value" doc:"The figure behind the verdict; null when there is none"`
	Unit    *string  `json:"unit" doc:"Unit of value; null when it has none"`
	Reason  string   `json:"reason" doc:"Why the verdict is what it is, in a sentence"`
	AtMS    *int64   `json:"at_ms" doc:"Start of the first evidence, milliseconds since the answer; null when there is none"`
}

// Summary are the results of one experiment, summed up.
type Summary struct {
	PassRate PassRate
	// Steady is the share of the scenarios of which every repetition passed.
	Steady    PassRate
	Scorers   []ScorerResult
	Metrics   []MetricResult
	Void      []VoidReason
	Scenarios []ScenarioResult
}

// Summarise sums up the results of an experiment.
func Summarise(r experiment.Results) Summary {
	var out Summary
	columns := columnsOf(r.Calls)
	rows := rowsOf(r.Calls)
	var all VerdictCounts
	for _, row := range rows {
		scenario := ScenarioResult{DatasetItemID: row.item.ID, Key: row.item.Key, Title: titleOf(row.item), Calls: []CallResult{}}
		for _, c := range row.calls {
			scenario.Counts.add(c.Call.Verdict)
			all.add(c.Call.Verdict)
			scenario.Calls = append(scenario.Calls, callResult(c, columns))
		}
		scenario.PassRate = scenario.Counts.rate()
		out.Scenarios = append(out.Scenarios, scenario)
	}
	out.PassRate, out.Steady = all.rate(), rateOf(steadyOf(out.Scenarios))
	out.Scorers = columns.results(r.Calls)
	out.Metrics = metricsOf(r.Calls)
	out.Void = voidOf(r.Calls)
	return out
}

// steadyOf is the share of the scenarios whose calls all passed, of those whose calls were all evaluated.
// Whether one with a void call would have passed cannot be told; to count it where another call of it has
// failed would make the share too small.
func steadyOf(scenarios []ScenarioResult) (s trend.Share) {
	for i := range scenarios {
		n := scenarios[i].Counts
		switch {
		case n.Passed+n.Failed == 0, n.Void+n.NotEvaluated+n.Open > 0:
			continue
		case n.Failed == 0:
			s.Hits++
		}
		s.N++
	}
	return s
}

// row is a scenario with its calls.
type row struct {
	item  scenario.Item
	calls []experiment.Result
}

// rowsOf gathers calls by the item they played, in the order of the dataset.
func rowsOf(calls []experiment.Result) []row {
	at := map[string]int{}
	var rows []row
	for _, c := range calls {
		i, ok := at[c.Item.ID]
		if !ok {
			i = len(rows)
			at[c.Item.ID] = i
			rows = append(rows, row{item: c.Item})
		}
		rows[i].calls = append(rows[i].calls, c)
	}
	for _, r := range rows {
		slices.SortStableFunc(r.calls, func(a, b experiment.Result) int { return cmp.Compare(a.Call.Repetition, b.Call.Repetition) })
	}
	return rows
}

// maxTitle is how many characters of a goal or line stand for a scenario.
const maxTitle = 120

func titleOf(item scenario.Item) string {
	title := cmp.Or(item.Key, item.Input.Goal)
	if title == "" {
		if lines := item.Lines(); len(lines) > 0 {
			title = lines[0]
		}
	}
	if runes := []rune(title); len(runes) > maxTitle {
		title = string(runes[:maxTitle-1]) + "…"
	}
	return cmp.Or(title, item.ID)
}

func (n *VerdictCounts) add(v call.Verdict) {
	switch v {
	case call.Passed:
		n.Passed++
	case call.NotPassed:
		n.Failed++
	case call.Void:
		n.Void++
	case call.NotEvaluated:
		n.NotEvaluated++
	default:
		n.Open++
	}
}

func (n VerdictCounts) share() trend.Share {
	return trend.Share{Hits: int64(n.Passed), N: int64(n.Passed + n.Failed)}
}

func (n VerdictCounts) rate() PassRate { return rateOf(n.share()) }

func rateOf(s trend.Share) PassRate {
	out := PassRate{Passed: int(s.Hits), Evaluated: int(s.N)}
	if s.N > 0 {
		v, i := s.Value(), s.Wilson()
		out.Value, out.Low, out.High = &v, &i.Low, &i.High
	}
	return out
}

// columns are the names of all scorers that were asked, by first appearance.
type columns struct {
	names []string
	at    map[string]int
}

func columnsOf(calls []experiment.Result) columns {
	c := columns{at: map[string]int{}}
	for _, r := range calls {
		if r.Found == nil {
			continue
		}
		for _, name := range scoreNames(r.Found.Scores) {
			if _, ok := c.at[name]; !ok {
				c.at[name] = len(c.names)
				c.names = append(c.names, name)
			}
		}
	}
	return c
}

// scoreNames tells the scores of a call apart: two of the same name are numbered, by numbers that
// no other score has in its name.
func scoreNames(scores []experiment.FoundScore) []string {
	own := make(map[string]bool, len(scores))
	for _, s := range scores {
		own[s.Name] = true
	}
	names, times := make([]string, len(scores)), map[string]int{}
	for i, s := range scores {
		names[i] = s.Name
		if times[s.Name]++; times[s.Name] == 1 {
			continue
		}
		for names[i] = numbered(s.Name, times[s.Name]); own[names[i]]; names[i] = numbered(s.Name, times[s.Name]) {
			times[s.Name]++
		}
	}
	return names
}

func numbered(name string, n int) string { return fmt.Sprintf("%s (%d)", name, n) }

// results counts what each scorer said of calls that are evidence.
func (c columns) results(calls []experiment.Result) []ScorerResult {
	out := make([]ScorerResult, len(c.names))
	for i, name := range c.names {
		out[i].Name = name
	}
	for _, r := range calls {
		if r.Found == nil || r.Call.Verdict == call.Void {
			continue
		}
		for i, name := range scoreNames(r.Found.Scores) {
			s, to := r.Found.Scores[i], &out[c.at[name]]
			to.ScorerID, to.Version, to.Required = s.ScorerID, s.Version, s.Required
			to.Counts.add(s.Verdict)
		}
	}
	for i := range out {
		out[i].PassRate = out[i].Counts.rate()
	}
	return out
}

func callResult(r experiment.Result, c columns) CallResult {
	out := CallResult{
		ID: r.Call.ID, Repetition: r.Call.Repetition, Status: string(r.Call.Status), ScoringStatus: string(r.Call.ScoringStatus),
		Verdict: orNull(r.Call.Verdict), VerdictReason: r.Call.VerdictReason, EndReason: orNull(r.Call.EndReason.Code),
		Scores: make([]*CallScore, len(c.names)),
	}
	if d := r.Call.Duration().Milliseconds(); d > 0 {
		out.DurationMS = &d
	}
	if r.Found == nil {
		return out
	}
	out.TurnLatencyMS = latencyOf(r.Found)
	for i, name := range scoreNames(r.Found.Scores) {
		s := r.Found.Scores[i]
		score := &CallScore{Verdict: string(s.Verdict), Value: s.Value, Unit: orNull(s.Unit), Reason: s.Reason}
		if len(s.Evidence) > 0 {
			at := s.Evidence[0].Start.Milliseconds()
			score.AtMS = &at
		}
		out.Scores[c.at[name]] = score
	}
	return out
}

// latencyOf is the median of a call's turn latencies, in whole milliseconds.
func latencyOf(f *experiment.Found) *int64 {
	for i := range f.Metrics {
		if m := &f.Metrics[i]; m.Name == "turn_latency" && m.Value != nil {
			ms := int64(math.Round(*m.Value * 1000))
			return &ms
		}
	}
	return nil
}

func orNull[T ~string](v T) *string {
	if v == "" {
		return nil
	}
	text := string(v)
	return &text
}
