package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// maxCalls bounds the calls of one experiment.
const maxCalls = 10000

// draft is an experiment that has been planned and not yet stored.
type draft struct {
	experiment Experiment
	items      []scenario.Item
	trunk      Trunk
	prices     price.Prices
	// space is how many rooms may be opened at once.
	space int
}

// Start plans an experiment, checks that it can run, and stores it with its
// calls and jobs. When it returns without an error all of that is on disk.
func (s *Service) Start(ctx context.Context, workspaceID string, r StartRequest) (Experiment, error) {
	d, err := s.plan(ctx, workspaceID, r)
	if err != nil {
		return Experiment{}, err
	}
	if err := s.Preflight(ctx, LinePhone, d.trunk.Name, d.items); err != nil {
		return Experiment{}, err
	}
	calls, items := s.callsOf(d)
	err = s.Store.Write(ctx, func(tx Tx) error {
		if err := tx.InsertExperiment(ctx, d.experiment); err != nil {
			return err
		}
		if err := tx.InsertCalls(ctx, calls, items); err != nil {
			return err
		}
		for _, c := range calls {
			if err := tx.Enqueue(ctx, JobPlace, c.ID, 0); err != nil {
				return err
			}
		}
		return announceExperiment(ctx, tx, d.experiment)
	})
	return d.experiment, err
}

// plan reads what the request names and decides everything about the
// experiment. All wrong fields are reported together.
func (s *Service) plan(ctx context.Context, workspaceID string, r StartRequest) (draft, error) {
	var d draft
	err := s.Store.Read(ctx, func(tx Tx) error {
		agent, err := tx.AgentByID(ctx, workspaceID, r.AgentID)
		if err != nil {
			return err
		}
		fields := append(checkNumber(r.To), r.Settings.validate()...)
		dataset, items, more, err := readDataset(ctx, tx, workspaceID, r)
		if err != nil {
			return err
		}
		if fields = append(fields, more...); len(fields) > 0 {
			return problem.Invalid(fields...)
		}
		d = draft{items: items, experiment: Experiment{
			ID: s.NewID("ve"), WorkspaceID: workspaceID, AgentID: agent.ID,
			DatasetID: dataset.ID, DatasetVersion: dataset.Version,
			Line: LinePhone, To: r.To, Status: Created, RerunOf: r.RerunOf,
			CreatedAt: s.Now(),
		}}
		return s.fillPlan(ctx, tx, &d, agent.Defaults, r)
	})
	if err != nil {
		return draft{}, err
	}
	d.trunk, err = s.Trunk(d.experiment.Plan.Defaults.Trunk)
	// What was the default today is written down, for it may be another tomorrow.
	d.experiment.Plan.Defaults.Trunk = d.trunk.Name
	rates := s.ratesOf(d.prices, d.experiment, d.trunk)
	d.experiment.Plan.Rates = &rates
	return d, err
}

func checkNumber(to string) []problem.Field {
	if to == "" {
		return []problem.Field{{Path: "to_number", Message: "is missing"}}
	}
	if !scenario.ValidE164(to) {
		return []problem.Field{{Path: "to_number", Message: "must be an international number: \"+\", then 7 to 15 digits"}}
	}
	return nil
}

// readDataset returns the items to run, or what is wrong with the request. A
// database that cannot be read is an error and no fault of the request.
func readDataset(ctx context.Context, tx Tx, workspaceID string, r StartRequest) (scenario.Dataset, []scenario.Item, []problem.Field, error) {
	wrong := func(what string) (scenario.Dataset, []scenario.Item, []problem.Field, error) {
		return scenario.Dataset{}, nil, []problem.Field{{Path: "dataset_id", Message: what}}, nil
	}
	if r.DatasetID == "" {
		return wrong("is missing")
	}
	dataset, err := tx.DatasetByID(ctx, workspaceID, r.DatasetID)
	if problem.Is(err, problem.NotFound) || problem.Is(err, problem.InvalidFields) { // or its id is no text
		return wrong("there is no such dataset")
	}
	if err != nil {
		return dataset, nil, nil, err
	}
	limit := maxCalls + 1
	if len(r.ItemIDs) > 0 {
		limit = math.MaxInt32 // they may stand anywhere in it
	}
	items, err := tx.ItemsOf(ctx, dataset.ID, dataset.Version, limit)
	if err != nil {
		return dataset, nil, nil, err
	}
	if len(r.ItemIDs) > 0 {
		wanted := make(map[string]bool, len(r.ItemIDs))
		for _, id := range r.ItemIDs {
			wanted[id] = true
		}
		items = slices.DeleteFunc(items, func(it scenario.Item) bool { return !wanted[it.ID] })
		if len(items) < len(wanted) && r.RerunOf == "" { // a rerun does without items that were deleted
			return dataset, nil, []problem.Field{{Path: "dataset_item_ids", Message: "names items that the dataset does not have"}}, nil
		}
	}
	if len(items) == 0 {
		return wrong("has no items to run")
	}
	return dataset, items, nil, nil
}

// fillPlan resolves the agent's defaults into a plan.
func (s *Service) fillPlan(ctx context.Context, tx Tx, d *draft, defaults scenario.TestDefaults, r StartRequest) error {
	defaults = r.Settings.over(defaults)
	defaults.Repetitions = max(1, defaults.Repetitions)
	if defaults.PassThreshold == 0 {
		defaults.PassThreshold = 1
	}
	n := len(d.items) * defaults.Repetitions
	if n > maxCalls {
		return problem.Invalid(problem.Field{Path: "dataset_id", Message: fmt.Sprintf("makes more than %d calls, counting repetitions", maxCalls)})
	}
	var err error
	if defaults.MinEvaluated, err = leastEvaluated(defaults.MinEvaluated, n, r, d.experiment.Line); err != nil {
		return err
	}
	if d.prices, err = tx.PricesOf(ctx, d.experiment.WorkspaceID); err != nil {
		return err
	}
	plan := Plan{Defaults: defaults, Seed: s.Random(), Asked: r.Settings, OnlyFailed: r.OnlyFailed}
	if ref := defaults.CallerPrompt; ref != "" {
		p, err := tx.PromptByRef(ctx, d.experiment.WorkspaceID, ref)
		if err != nil {
			return missingDefault("caller_prompt", ref, r.Settings.CallerPrompt != nil, err)
		}
		plan.CallerPrompt = p.Text
	}
	for _, ref := range defaults.Scorers {
		c, err := tx.ScorerByRef(ctx, d.experiment.WorkspaceID, ref)
		if err != nil {
			return missingDefault("scorers", ref, r.Settings.Scorers != nil, err)
		}
		plan.Scorers = append(plan.Scorers, c)
	}
	d.experiment.Plan = plan
	d.experiment.Counts.Calls = n
	return nil
}

// leastEvaluated is how many of n calls must be evaluated, where wanted are. More than there are
// could never be, and such an experiment never pass: that is refused. What was meant for a whole
// dataset, an agent's default or the setting of a run that is repeated, asks for all calls of a
// smaller part, and of rooms, where nothing is repeated.
func leastEvaluated(wanted, n int, r StartRequest, line string) (int, error) {
	asked := r.Settings.MinEvaluated > 0 && r.RerunOf == ""
	switch {
	case wanted <= n:
		return max(1, wanted), nil
	case asked:
		return 0, problem.Invalid(problem.Field{Path: "min_evaluated", Message: fmt.Sprintf("is more than the calls of the experiment: %d", n)})
	case len(r.ItemIDs) > 0 || line == LineRoom:
		return n, nil
	}
	return 0, problem.New(problem.Conflict, "the agent's defaults want min_evaluated %d, which is more than the calls of the experiment: %d", wanted, n).
		WithHint("lower min_evaluated in the agent's defaults or for this run, or make more calls")
}

func missingDefault(field, ref string, asked bool, err error) error {
	if !problem.Is(err, problem.NotFound) {
		return err
	}
	if asked {
		return problem.Invalid(problem.Field{Path: field, Message: fmt.Sprintf("there is no %q", ref)})
	}
	return problem.New(problem.Conflict, "the agent's defaults name %s %q, which does not exist", field, ref).
		WithHint("change the agent's defaults or create it").Because(err)
}

// callsOf lays out one call per item and repetition, each with a seed of its own.
func (s *Service) callsOf(d draft) ([]call.Call, []scenario.Item) {
	e := d.experiment
	calls := make([]call.Call, 0, e.Counts.Calls)
	items := make([]scenario.Item, 0, e.Counts.Calls)
	for rep := 1; rep <= e.Plan.Defaults.Repetitions; rep++ {
		for _, item := range d.items {
			calls = append(calls, call.Call{
				ID: s.NewID("call"), WorkspaceID: e.WorkspaceID, Origin: call.Simulated,
				ExperimentID: e.ID, ItemID: item.ID, AgentID: e.AgentID,
				Position: len(calls), Repetition: rep, Seed: seedOf(e.Plan.Seed, len(calls)),
				Line: e.Line, Trunk: d.trunk.Name, From: d.trunk.From, To: e.To,
				Status: call.Queued, ScoringStatus: call.ScoringPending, CreatedAt: e.CreatedAt,
			})
			if c := &calls[len(calls)-1]; e.Line == LineRoom {
				c.Room = RoomName(c.ID)
			}
			items = append(items, item)
		}
	}
	return calls, items
}

// seedOf spreads an experiment's seed over its calls (the finaliser of SplitMix64).
func seedOf(seed uint64, position int) uint64 {
	z := seed + uint64(position+1)*0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	// Seeds are kept in signed 64-bit columns.
	return (z ^ (z >> 31)) >> 1
}
