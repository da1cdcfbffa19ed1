package main

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/judge"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/blob"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

//go:embed dataset.yaml
var dataset []byte

const (
	phoneRate = 8000
	trunkName = "memory"
	ourNumber = "+15550000000"
)

// house is a whole service over SQLite whose telephone line is in memory: the real experiment,
// caller, call-log and review services, assembled as in package app. Agents answer under telephone
// numbers; nothing in the house knows what is behind a number.
type house struct {
	folder string
	// rate is the line's, in Hz.
	rate int
	// lobby is where agents are met in rooms; nil for a line in memory.
	lobby  *lobby
	engine *sqlite.Engine
	store  *store.Store
	bucket blob.Bucket
	speech *speech.Engines
	lines  *caller.Cache
	// desksMouth speaks for all desks.
	desksMouth *memory
	catalog    *catalog.Service
	callLogs   *calllog.Service
	workspace  string
	// realTime means that calls go over a real line.
	realTime bool
	agent    scenario.Agent
	dataset  scenario.Dataset
	goals    scenario.Dataset

	mu    sync.Mutex
	desks map[string]leg.Answerer
	// said are the desks' own records of what they said, by call.
	said map[string][]string
	// late is how late the desks' own ears and mouths were, by call.
	late map[string]time.Duration
	seed uint64
	// again counts the calls that were repeated because this machine spoilt them.
	again atomic.Int64
}

func newHouse(ctx context.Context, folder, line string) (*house, error) {
	h := &house{folder: folder, rate: rateOf(line), desks: map[string]leg.Answerer{}, said: map[string][]string{}, late: map[string]time.Duration{}, lines: caller.NewCache(0)}
	var err error
	if h.engine, err = sqlite.Open(ctx, filepath.Join(folder, "ringtrue.db")); err != nil {
		return nil, err
	}
	jobs, err := queue.NewEnqueuer(h.engine, time.Now)
	if err != nil {
		return nil, err
	}
	h.store = store.New(h.engine, jobs, time.Now)
	if h.bucket, err = blob.Open(filepath.Join(folder, "recordings")); err != nil {
		return nil, err
	}
	if h.speech, err = speech.New(speech.Options{Dir: folder, Limit: 2}); err != nil {
		return nil, err
	}
	h.desksMouth = &memory{mouth: h.speech.Mouth(), said: map[memoryKey]audio.Clip{}}
	for _, f := range h.speech.Check(ctx) {
		if f.Needed && !f.OK {
			return nil, fmt.Errorf("%s does not work: %s (%s)", f.Name, f.Detail, f.Hint)
		}
	}
	h.callLogs = calllog.New(calllog.Options{
		Store: store.As[calllog.Tx](h.store), NewID: store.NewID, Now: time.Now,
		Readers: map[string]calllog.Reader{calllog.Custom: custom.Reader(nil)},
	})
	if line == lineRoom {
		if h.lobby, err = openLobby(ctx, filepath.Join(folder, "media.key"), h.answer); err != nil {
			return nil, err
		}
		h.realTime = true
	}
	return h, h.furnish(ctx)
}

// furnish creates the workspace, its scorers, the agent and the datasets.
func (h *house) furnish(ctx context.Context) error {
	w, err := workspace.New(workspace.Options{
		Store: store.As[workspace.Tx](h.store), NewID: store.NewID, Now: time.Now,
	}).CreateWorkspace(ctx, "faults")
	if err != nil {
		return err
	}
	h.workspace = w.ID
	h.catalog = catalog.New(catalog.Options{
		Store: store.As[catalog.Tx](h.store), NewID: store.NewID, Now: time.Now,
		CheckScorer: func(c score.Config) *problem.Error {
			_, err := score.Build(c, deps())
			return err
		},
	})
	defaults := scenario.TestDefaults{PassThreshold: 1}
	for _, in := range scorers() {
		if _, err := h.catalog.CreateScorer(ctx, h.workspace, in); err != nil {
			return fmt.Errorf("scorer %s: %w", in.Slug, err)
		}
		defaults.Scorers = append(defaults.Scorers, in.Slug)
	}
	if h.agent, err = h.catalog.CreateAgent(ctx, h.workspace, catalog.AgentInput{Name: "front desk", Defaults: defaults}); err != nil {
		return err
	}
	if h.dataset, err = h.newDataset(ctx, "scripts", dataset); err != nil {
		return err
	}
	h.goals, err = h.newDataset(ctx, "goals", goals)
	return err
}

func (h *house) newDataset(ctx context.Context, name string, text []byte) (scenario.Dataset, error) {
	items, bad := scenario.ParseItems(text, scenario.YAML)
	if bad != nil {
		return scenario.Dataset{}, bad
	}
	return h.catalog.CreateDataset(ctx, h.workspace, catalog.DatasetInput{Name: name, Items: items})
}

func deps() score.Deps { return score.Deps{Judge: judge.With(reader{})} }

func (h *house) close() {
	if h.lobby != nil {
		h.lobby.close()
	}
	_ = h.bucket.Close()
	_ = h.engine.Close()
}
