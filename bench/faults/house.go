package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/review"
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

// house is a whole service over SQLite whose telephone line is in memory: the
// real experiment, caller, call-log and review services, put together as
// package app does it. Agents answer under telephone numbers; nothing of the
// house knows what stands behind a number.
type house struct {
	folder string
	// rate is the line's, in Hz.
	rate int
	// lobby is where agents are met in rooms; nil on a line in memory.
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
	// realTime says that calls go over a real line.
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
	// again counts the calls that were placed again because this machine spoilt them.
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

// furnish writes the workspace, its scorers, the agent and the datasets.
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

// crew is what plays and looks at a round of calls. The zero value of a field is
// what is sound; own faults put something spoilt in its place.
type crew struct {
	// line spoils the telephone line.
	line func(experiment.Line) experiment.Line
	// loss is what the line in memory does to frames.
	loss loop.Impairment
	// mouth, ears and model speak, listen and think for the caller.
	mouth caller.Mouth
	ears  func(ctx context.Context, item scenario.Item) (leg.Ears, error)
	model chat.Model
	// item changes what the caller takes for its scenario.
	item func(scenario.Item) scenario.Item
	// party wraps the caller.
	party func(experiment.Party) experiment.Party
	// recordings keeps them.
	recordings experiment.Recordings
	// cache keeps synthesised lines; nil is that of the house.
	cache *caller.Cache
}

// operator connects calls to agents by their number.
type operator struct {
	house *house
	loss  loop.Impairment
}

// Place implements experiment.Line.
func (o operator) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	if l := o.house.lobby; l != nil {
		return l.Place(ctx, d, p, t)
	}
	l := loop.New(loop.Options{Rate: o.house.rate, Answerer: o.house.answer, Start: time.Now, Impairment: o.loss})
	return l.Place(ctx, d, p, t)
}

func (h *house) answer(ctx context.Context, in leg.Incoming) leg.Answer {
	h.mu.Lock()
	desk, ok := h.desks[in.To]
	h.mu.Unlock()
	if !ok {
		return leg.Answer{Refuse: leg.RefuseUnknown}
	}
	return desk(ctx, in)
}

// memory is a mouth that says the same line only once: all desks greet alike.
type memory struct {
	mouth speech.Mouth
	mu    sync.Mutex
	said  map[memoryKey]audio.Clip
}

type memoryKey struct {
	persona        scenario.Persona
	language, text string
}

// Say implements practice.Mouth. Nobody changes the clip.
func (m *memory) Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	key := memoryKey{p, language, text}
	m.mu.Lock()
	clip, ok := m.said[key]
	m.mu.Unlock()
	if ok {
		return clip, nil
	}
	clip, err := m.mouth.Say(ctx, p, language, text)
	if err == nil {
		m.mu.Lock()
		m.said[key] = clip
		m.mu.Unlock()
	}
	return clip, err
}

// agentOptions are an agent to be put behind a number.
type agentOptions struct {
	faults practice.Faults
	voice  string
	seed   uint64
}

// hire opens a desk and returns its number.
func (h *house) hire(ctx context.Context, o agentOptions) (string, error) {
	desk, err := practice.New(practice.Options{
		Mouth: h.desksMouth, Voice: o.voice, Faults: o.faults, Seed: o.seed, Now: time.Now, Report: h.report, Rate: h.rate,
		NewEars: func(ctx context.Context, grammar string) (leg.Ears, error) {
			return h.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate, Grammar: grammar, Patience: h.patience()})
		},
		NewID: func() string { return store.NewID("desk") },
	})
	if err != nil {
		return "", err
	}
	if err := desk.Warm(ctx); err != nil {
		return "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	number := fmt.Sprintf("+1555%07d", len(h.desks)+1)
	h.desks[number] = desk.Answer
	return number, nil
}

// patience is how long words are waited for: the line is in virtual time and waits
// for everybody, so that a machine with other things to do deafens nobody. Over
// SIP and in rooms there is no more of it than anywhere.
func (h *house) patience() time.Duration {
	if h.realTime {
		return 0
	}
	return time.Minute
}

// report submits the agent's own record of a call as any client would.
func (h *house) report(ctx context.Context, r practice.Record) error {
	h.mu.Lock()
	h.said[r.CallID], h.late[r.CallID] = linesOf(r), r.Late
	h.mu.Unlock()
	body, err := json.Marshal(map[string]any{
		"provider": calllog.Custom, "metadata": map[string]any{"ringtrue_call": r.CallID, "end_reason": r.EndReason},
		"payload": map[string]any{
			"call_id": r.ID, "recording_url": "http://127.0.0.1/" + r.ID + ".wav", "from_number": ourNumber, "to_number": r.To,
			"start_timestamp": r.StartedAt.UnixMilli(), "end_timestamp": r.EndedAt.UnixMilli(), "status": "ended",
			"transcript": map[string]any{"kind": custom.TranscriptKind, "messages": r.Messages},
		},
	})
	if err != nil {
		return err
	}
	_, err = h.callLogs.Accept(ctx, h.workspace, body)
	return err
}

// experiments is the service that places calls, with the crew's people.
func (h *house) experiments(c crew) *experiment.Service {
	cast := &casting{house: h, crew: c}
	line := experiment.Line(operator{h, c.loss})
	if c.line != nil {
		line = c.line(line)
	}
	recordings := experiment.Recordings(h.bucket)
	if c.recordings != nil {
		recordings = c.recordings
	}
	return experiment.New(experiment.Options{
		Store: store.As[experiment.Tx](h.store), Line: line, Recordings: recordings,
		Prepare: cast.prepare, Cast: cast.cast,
		Trunk:     func(string) (experiment.Trunk, error) { return experiment.Trunk{Name: trunkName, From: ourNumber}, nil },
		Preflight: func(context.Context, string, string, []scenario.Item) error { return nil },
		NewID:     store.NewID, Now: time.Now, Random: h.random, Process: "bench", Log: quiet(),
	})
}

func (h *house) random() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seed += 0x9e3779b97f4a7c15
	return h.seed >> 1
}

// reviews is the service that looks at calls, listening with t.
func (h *house) reviews(e *experiment.Service, t review.Transcriber) *review.Service {
	return review.New(review.Options{
		Store: store.As[review.Tx](h.store), Recordings: h.bucket, Transcriber: t, Deps: deps(), Now: time.Now, Log: quiet(),
		Settled: func(ctx context.Context, tx review.Tx, c call.Call, _ call.Review, _ call.Reported) error {
			seen, ok := tx.(experiment.Tx)
			if !ok {
				return fmt.Errorf("a transaction of the review is no %T", tx)
			}
			return e.CallSettled(ctx, seen, c)
		},
	})
}

// outcome is what is stored of a call when all is over.
type outcome struct {
	item    scenario.Item
	call    call.Call
	attempt call.Attempt
	review  call.Review
	// said is what the agent really said, by its own record, which no check sees; late
	// is how late its ears or its mouth were.
	said []string
	late time.Duration
}

// start plans an experiment and returns its calls.
func (h *house) start(ctx context.Context, e *experiment.Service, d scenario.Dataset, to string) ([]call.Call, error) {
	started, err := e.Start(ctx, h.workspace, experiment.StartRequest{AgentID: h.agent.ID, DatasetID: d.ID, To: to})
	if err != nil {
		return nil, err
	}
	var calls []call.Call
	err = h.store.Read(ctx, func(tx *store.Tx) (err error) {
		calls, err = tx.CallsOf(ctx, started.ID)
		return err
	})
	return calls, err
}

// look reads what became of a call.
func (h *house) look(ctx context.Context, callID string) (o outcome, err error) {
	err = h.store.Read(ctx, func(tx *store.Tx) (err error) {
		if o.call, err = tx.CallByID(ctx, "", callID); err != nil {
			return err
		}
		if o.attempt, _, err = tx.LastAttempt(ctx, callID); err != nil {
			return err
		}
		if o.item, err = tx.ItemOf(ctx, callID); err != nil {
			return err
		}
		o.review, _, err = tx.ReviewOf(ctx, callID)
		return err
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	o.said, o.late = h.said[callID], h.late[callID]
	return o, err
}

// one places a call, has it reviewed and returns what became of it.
func (h *house) one(ctx context.Context, e *experiment.Service, r *review.Service, callID string) (outcome, error) {
	if err := e.Place(ctx, callID); err != nil {
		return outcome{}, fmt.Errorf("place the call: %w", err)
	}
	if err := reviewed(ctx, r, callID); err != nil {
		return outcome{}, err
	}
	return h.look(ctx, callID)
}

// reviewed reviews a call as the queue would: what fails is tried again.
func reviewed(ctx context.Context, r *review.Service, callID string) error {
	for n := 1; ; n++ {
		err := r.Review(ctx, callID)
		if err == nil || n == tries {
			return err
		}
	}
}
