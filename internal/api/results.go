package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/experiment/compare"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Results gives what experiments found out, in numbers, and what they would come
// to. Everything of another workspace is problem.NotFound.
type Results interface {
	Results(ctx context.Context, workspaceID, id string) (experiment.Results, error)
	Estimate(ctx context.Context, workspaceID string, r experiment.StartRequest) (experiment.Estimate, error)
}

// ExperimentResults are the results of an experiment, summed up: all that a page
// with a matrix of scenarios and scorers needs.
type ExperimentResults struct {
	Experiment Experiment               `json:"voice_experiment" doc:"The experiment itself"`
	PassRate   compare.PassRate         `json:"pass_rate" doc:"Share of the calls that passed"`
	Steady     compare.PassRate         `json:"steady_rate" doc:"Share of the scenarios of which every repetition passed (pass^k, with k repetitions). Scenarios count when all their calls passed or failed"`
	Scorers    []compare.ScorerResult   `json:"scorers" doc:"The scorers: the columns of the table of scenarios and scorers"`
	Metrics    []compare.MetricResult   `json:"metrics" doc:"How the metrics are distributed; void calls are left out"`
	Void       []compare.VoidReason     `json:"void" doc:"Calls that this service spoilt, by reason"`
	Cost       ExperimentCost           `json:"cost" doc:"What the calls have cost so far, at the prices of the start of the experiment, or at today's where one was missing then"`
	Scenarios  []compare.ScenarioResult `json:"scenarios" doc:"The scenarios, in the order of the dataset: the rows of that table, one page of them"`
	// ScenarioCount is that of all pages.
	ScenarioCount int     `json:"scenario_count" doc:"How many scenarios there are on all pages together"`
	NextCursor    *string `json:"next_cursor" doc:"What to give as cursor to get the next scenarios; null on the last page"`
}

// ExperimentComparison is what changed from one experiment to another.
type ExperimentComparison struct {
	Base          Experiment                 `json:"base" doc:"The earlier experiment"`
	With          Experiment                 `json:"with" doc:"The later experiment"`
	PassRate      compare.RateCompared       `json:"pass_rate" doc:"How the pass rate changed"`
	Scorers       []compare.ScorerCompared   `json:"scorers" doc:"How each scorer's pass rate changed"`
	Metrics       []compare.MetricCompared   `json:"metrics" doc:"How each metric changed; void calls are left out"`
	BaseVoid      []compare.VoidReason       `json:"base_void" doc:"Calls of base that this service spoilt, by reason; they are in no difference"`
	WithVoid      []compare.VoidReason       `json:"with_void" doc:"Calls of with that this service spoilt, by reason; they are in no difference"`
	Changed       []compare.VerdictChange    `json:"changed_calls" doc:"Calls whose verdict differs from that of the same scenario and repetition in base, those that fail now first; 1000 at most"`
	ChangedCount  int                        `json:"changed_count" doc:"How many such calls there are"`
	Scenarios     []compare.ScenarioCompared `json:"scenarios" doc:"One page of the scenarios: worse ones first, then better, unclear, added, removed and the same"`
	ScenarioCount int                        `json:"scenario_count" doc:"How many scenarios there are on all pages together"`
	NextCursor    *string                    `json:"next_cursor" doc:"What to give as cursor to get the next scenarios; null on the last page"`
	Notes         []string                   `json:"notes" doc:"What makes the two hard to compare, in sentences"`
}

// ScenarioPageQuery narrows results to a page of scenarios. It is exported for the HTTP library.
type ScenarioPageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" default:"200" doc:"How many scenarios to return at most; no experiment has more than 10000"`
	Cursor string `query:"cursor" maxLength:"128" doc:"The next_cursor of the page before, to get the page after it"`
}

type resultsInput struct {
	ExperimentPath
	ScenarioPageQuery
}

type compareInput struct {
	ScenarioPageQuery
	Base string `query:"base" required:"true" maxLength:"128" doc:"Id of the earlier Voice Experiment"`
	With string `query:"with" required:"true" maxLength:"128" doc:"Id of the later Voice Experiment"`
}

// maxChanged is how many changed calls one answer lists.
const maxChanged = 1000

func (s *server) resultRoutes() {
	if s.Results == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-voice-experiment-results", Method: http.MethodGet, Path: "/voice-experiments/{id}/results", Tags: []string{tagExperiments},
		Summary: "Get the results of a Voice Experiment, summed up",
		Description: "The pass rate with its interval, every scenario against every scorer, and how the metrics are distributed. Void calls are listed apart and counted in nothing else. " +
			"It can be asked for at any time; before the end of the experiment it holds what is known so far.",
	}, s.results)
	rest.Register(s.Server, huma.Operation{
		OperationID: "compare-voice-experiments", Method: http.MethodGet, Path: "/voice-experiments/compare", Tags: []string{tagExperiments},
		Summary: "Compare two Voice Experiments",
		Description: "Scenarios are matched by their id, else by their key, else by what they say, and compared pair by pair. " +
			"Each difference has a 95 % interval, and the chance to see it when nothing has changed, corrected for how many differences were looked at.",
	}, s.compare)
	s.estimateRoute()
}

func (s *server) results(ctx context.Context, in *resultsInput) (*rest.Body[ExperimentResults], error) {
	r, err := s.Results.Results(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	sum := compare.Summarise(r)
	page, next, err := pageFrom(sum.Scenarios, in.ScenarioPageQuery)
	return rest.Answer(ExperimentResults{
		Experiment: wireExperiment(r.Experiment), PassRate: sum.PassRate, Steady: sum.Steady, Scorers: orEmpty(sum.Scorers), Metrics: orEmpty(sum.Metrics), Void: orEmpty(sum.Void), Cost: wireCost(r.Cost),
		Scenarios: page, ScenarioCount: len(sum.Scenarios), NextCursor: next,
	}), err
}

func (s *server) compare(ctx context.Context, in *compareInput) (*rest.Body[ExperimentComparison], error) {
	if _, err := startOfPage(in.Cursor); err != nil {
		return nil, err
	}
	var sides [2]experiment.Results
	for i, p := range []struct{ name, id string }{{"base", in.Base}, {"with", in.With}} {
		var err error
		if sides[i], err = s.sideOf(ctx, p.name, p.id); err != nil {
			return nil, err
		}
	}
	base, with := sides[0], sides[1]
	c := compare.Compare(base, with)
	page, next, err := pageFrom(c.Scenarios, in.ScenarioPageQuery)
	return rest.Answer(ExperimentComparison{
		Base: wireExperiment(base.Experiment), With: wireExperiment(with.Experiment), PassRate: c.PassRate, Scorers: orEmpty(c.Scorers), Metrics: orEmpty(c.Metrics),
		BaseVoid: orEmpty(c.BaseVoid), WithVoid: orEmpty(c.WithVoid), Changed: c.Changed[:min(len(c.Changed), maxChanged)], ChangedCount: len(c.Changed),
		Scenarios: page, ScenarioCount: len(c.Scenarios), NextCursor: next, Notes: c.Notes,
	}), err
}

// sideOf reads one side of a comparison; one that is not there is its parameter's fault.
func (s *server) sideOf(ctx context.Context, parameter, id string) (experiment.Results, error) {
	r, err := s.Results.Results(ctx, rest.WorkspaceOf(ctx), id)
	return r, blamed(err, parameter, "there is no such Voice Experiment")
}

// blamed is the problem that the thing named in a field of the request is not there,
// or is no id at all; any other error stays as it is.
func blamed(err error, field, message string) error {
	if !problem.Is(err, problem.NotFound) && !problem.Is(err, problem.InvalidFields) {
		return err
	}
	e := problem.New(problem.NotFound, "%s", message)
	e.Fields = []problem.Field{{Path: field, Message: message}}
	return e
}

// pageFrom cuts a page out of a list that was made for this answer; its cursor
// is the number of the first element.
func pageFrom[T any](list []T, q ScenarioPageQuery) ([]T, *string, error) {
	from, err := startOfPage(q.Cursor)
	if err != nil {
		return nil, nil, err
	}
	from = min(from, len(list))
	until := min(from+q.Limit, len(list))
	if until == len(list) {
		return orEmpty(list[from:]), nil, nil
	}
	next := strconv.Itoa(until)
	return list[from:until], &next, nil
}

func startOfPage(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(cursor)
	if err != nil || n < 1 || strconv.Itoa(n) != cursor {
		return 0, problem.Invalid(page.NoCursor())
	}
	return n, nil
}
