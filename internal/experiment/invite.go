package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const (
	// longestLife bounds how long the agents' tokens are good.
	longestLife = 24 * time.Hour
	// openers is how many rooms are opened at a time, openTime how long a request
	// waits for that; rooms that are missing then are opened by KeepRooms.
	openers  = 8
	openTime = 20 * time.Second
)

// StartInRooms plans an experiment whose agent comes to us, checks that it can run, stores it with
// its calls, and opens their rooms. When it returns without an error, experiment and calls are on
// disk, and rooms that could not be opened yet will be opened later. The connections are in the
// order of the dataset.
func (s *Service) StartInRooms(ctx context.Context, workspaceID string, r RoomsRequest) (Experiment, []Connection, error) {
	if s.Rooms == nil {
		return Experiment{}, nil, noRooms()
	}
	d, err := s.planRooms(ctx, workspaceID, r)
	if err != nil {
		return Experiment{}, nil, err
	}
	if fields := checkVariables(d.items); len(fields) > 0 {
		return Experiment{}, nil, problem.Invalid(fields...)
	}
	if err := s.Preflight(ctx, LineRoom, "", d.items); err != nil {
		return Experiment{}, nil, err
	}
	if err := s.Rooms.Check(ctx); err != nil {
		return Experiment{}, nil, err
	}
	d.experiment.Plan.Rooms.URL, d.experiment.Plan.Rooms.Keys = s.Rooms.URL(), s.MediaKeys
	calls, items := s.callsOf(d)
	rooms := s.roomsOf(d, calls)
	err = s.Store.Write(ctx, func(tx Tx) error {
		if err := tx.InsertExperiment(ctx, d.experiment); err != nil {
			return err
		}
		if err := tx.InsertCalls(ctx, calls, items); err != nil {
			return err
		}
		if err := tx.InsertRooms(ctx, rooms); err != nil {
			return err
		}
		return announceExperiment(ctx, tx, d.experiment)
	})
	if err != nil {
		return Experiment{}, nil, err
	}
	s.openFirst(ctx, rooms, calls, items)
	made, err := s.connections(d.experiment, calls, "")
	return d.experiment, made, err
}

// Connections mints new tokens for an experiment's rooms, also for rooms on the media server of
// another process with the same keys.
func (s *Service) Connections(ctx context.Context, workspaceID, id string) ([]Connection, error) {
	if s.Rooms == nil {
		return nil, noRooms()
	}
	var e Experiment
	var calls []call.Call
	var rooms []RoomRow
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		if e, err = tx.ExperimentByID(ctx, workspaceID, id); err != nil {
			return err
		}
		if calls, err = tx.CallsOf(ctx, id); err != nil {
			return err
		}
		ids := make([]string, len(calls))
		for i := range calls {
			ids[i] = calls[i].ID
		}
		rooms, err = tx.RoomsOf(ctx, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	elsewhere := ""
	if slices.ContainsFunc(rooms, func(r RoomRow) bool { return r.Server != s.MediaServer }) {
		if plan := e.Plan.Rooms; plan == nil || plan.URL == "" || plan.Keys == "" || plan.Keys != s.MediaKeys {
			return nil, problem.New(problem.Unavailable, "the rooms are at the media server of another process").
				WithHint("ask the process that made them, or give all processes the same --media-key and --media-secret, or one media server (--media-url or --media-redis)")
		}
		elsewhere = e.Plan.Rooms.URL
	}
	return s.connections(e, calls, elsewhere)
}

// connections are what agents need to join the rooms: those of the media server elsewhere, or of
// ours if elsewhere is "".
func (s *Service) connections(e Experiment, calls []call.Call, elsewhere string) ([]Connection, error) {
	if e.Plan.Rooms == nil {
		return nil, problem.New(problem.Conflict, "the experiment has no rooms")
	}
	out := make([]Connection, len(calls))
	for i := range calls {
		name := RoomName(calls[i].ID)
		token, err := s.Rooms.AgentToken(name, e.Plan.Rooms.Life)
		if err != nil {
			return nil, fmt.Errorf("make the token of a room: %w", err)
		}
		out[i] = Connection{RoomName: name, URL: elsewhere, ItemID: calls[i].ItemID, Token: token}
	}
	if elsewhere != "" {
		return out, nil
	}
	// Only now: a media server that is about to start has an address with its first token.
	url := s.Rooms.URL()
	for i := range out {
		out[i].URL = url
	}
	return out, nil
}

// planRooms is plan for an experiment in rooms: one call per item, and an agent
// only when one is named.
func (s *Service) planRooms(ctx context.Context, workspaceID string, r RoomsRequest) (draft, error) {
	if fields := checkRooms(r); len(fields) > 0 {
		return draft{}, problem.Invalid(fields...)
	}
	var d draft
	err := s.Store.Read(ctx, func(tx Tx) error {
		var agent scenario.Agent
		if r.AgentID != "" {
			var err error
			if agent, err = tx.AgentByID(ctx, workspaceID, r.AgentID); err != nil {
				return problem.Absent("agentId", "agent", err)
			}
		}
		dataset, err := tx.DatasetByID(ctx, workspaceID, r.DatasetID)
		if err != nil {
			return problem.Absent("datasetId", "dataset", err)
		}
		limit := maxCalls + 1
		if r.ItemIDs != nil {
			limit = math.MaxInt32 // they may stand anywhere in it
		}
		items, err := tx.ItemsOf(ctx, dataset.ID, dataset.Version, limit)
		if err != nil {
			return err
		}
		if items, err = chosen(items, r); err != nil {
			return err
		}
		d = draft{items: items, experiment: Experiment{
			ID: s.NewID("ve"), WorkspaceID: workspaceID, AgentID: agent.ID,
			DatasetID: dataset.ID, DatasetVersion: dataset.Version,
			Line: LineRoom, Status: Created, RerunOf: r.RerunOf, CreatedAt: s.Now(),
		}}
		agent.Defaults.Trunk = ""
		asked := StartRequest{ItemIDs: r.ItemIDs, RerunOf: r.RerunOf, OnlyFailed: r.OnlyFailed, Settings: Settings{Repetitions: 1}}
		if err := s.fillPlan(ctx, tx, &d, agent.Defaults, asked); err != nil {
			return err
		}
		d.experiment.Plan.Rooms = &RoomPlan{AgentName: r.AgentName, Life: s.roomLife(items)}
		d.space, err = s.space(ctx, tx)
		return err
	})
	rates := s.ratesOf(d.prices, d.experiment, Trunk{})
	d.experiment.Plan.Rates = &rates
	return d, err
}

// maxNamed is how many items at fault are named in one answer.
const maxNamed = 20

// checkRooms checks what can be checked by the request alone.
func checkRooms(r RoomsRequest) []problem.Field {
	var fields []problem.Field
	if r.ItemIDs != nil && len(r.ItemIDs) == 0 {
		fields = append(fields, problem.Field{Path: "datasetItemIds", Message: "names no items; leave it out to take the whole dataset"})
	}
	if len(r.ItemIDs) > maxCalls {
		return append(fields, problem.Field{Path: "datasetItemIds", Message: fmt.Sprintf("names more than %d items", maxCalls)})
	}
	if strings.ContainsFunc(r.AgentName, unicode.IsControl) {
		fields = append(fields, problem.Field{Path: "agentName", Message: "must be one line of text"})
	}
	first := make(map[string]int, len(r.ItemIDs))
	for i, id := range r.ItemIDs {
		if j, again := first[id]; again && len(fields) < maxNamed {
			fields = append(fields, problem.Field{Path: itemPath(i), Message: fmt.Sprintf("is the same item as %s", itemPath(j))})
			continue
		}
		first[id] = i
	}
	return fields
}

func itemPath(i int) string { return fmt.Sprintf("datasetItemIds[%d]", i) }

// chosen are the items that the request names, in the order of the dataset.
func chosen(items []scenario.Item, r RoomsRequest) ([]scenario.Item, error) {
	if r.ItemIDs != nil {
		wanted := make(map[string]bool, len(r.ItemIDs))
		for _, id := range r.ItemIDs {
			wanted[id] = true
		}
		items = slices.DeleteFunc(slices.Clone(items), func(it scenario.Item) bool { return !wanted[it.ID] })
		for _, it := range items {
			delete(wanted, it.ID)
		}
		var fields []problem.Field
		for i, id := range r.ItemIDs {
			if wanted[id] && len(fields) < maxNamed {
				fields = append(fields, problem.Field{Path: itemPath(i), Message: "is not an item of this dataset"})
			}
		}
		if len(fields) > 0 && r.RerunOf == "" { // a rerun does without items that were deleted
			return nil, problem.Invalid(fields...)
		}
	}
	switch {
	case len(items) == 0:
		return nil, problem.Invalid(problem.Field{Path: "datasetId", Message: "has no items to run"})
	case len(items) > maxCalls:
		return nil, problem.Invalid(problem.Field{
			Path: "datasetId", Message: fmt.Sprintf("has more than %d items; choose some of them with datasetItemIds", maxCalls),
		})
	}
	return items, nil
}

// roomLife is how long an agent may have to wait, if its room's turn comes last,
// and talk.
func (s *Service) roomLife(items []scenario.Item) time.Duration {
	life := s.RoomWait
	for _, item := range items {
		if life += callTime(item); life >= longestLife {
			return longestLife
		}
	}
	return life
}

// roomsOf are the rooms of the calls. Those for which there is space are to be opened at once,
// except where an agent worker is sent: it waits for its turn.
func (s *Service) roomsOf(d draft, calls []call.Call) []RoomRow {
	rooms := make([]RoomRow, len(calls))
	for i := range calls {
		rooms[i] = RoomRow{
			CallID: calls[i].ID, ExperimentID: d.experiment.ID, Server: s.MediaServer,
			State: RoomPlanned, AgentName: d.experiment.Plan.Rooms.AgentName,
		}
		if rooms[i].AgentName == "" && i < d.space {
			rooms[i].State = RoomOpen
		}
	}
	return rooms
}

// space is how many more rooms this process's media server may have open.
func (s *Service) space(ctx context.Context, tx Tx) (int, error) {
	rows, err := tx.AllRooms(ctx)
	free := maxOpen
	for _, row := range rows {
		if row.Server == s.MediaServer && row.isOpen() {
			free--
		}
	}
	return free, err
}

// openFirst opens the rooms of a new experiment so that its tokens are good when
// they are handed out. What cannot be opened now is opened by KeepRooms.
func (s *Service) openFirst(ctx context.Context, rooms []RoomRow, calls []call.Call, items []scenario.Item) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	g, inGroup := errgroup.WithContext(ctx)
	g.SetLimit(openers)
	for i := range rooms {
		if rooms[i].State == RoomOpen {
			g.Go(func() error { return s.openRoom(inGroup, calls[i], items[i], "") })
		}
	}
	if err := g.Wait(); err != nil {
		s.Log.WarnContext(ctx, "rooms could not be opened yet", "experiment", rooms[0].ExperimentID, "error", err)
	}
}
