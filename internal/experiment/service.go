package experiment

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/live"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// The kinds of jobs this package enqueues; both carry a call id.
const (
	JobPlace  = "place"
	JobReview = "review"
)

// Trunk is what the course of a test needs to know of a configured trunk.
type Trunk struct {
	Name            string
	From            string
	CallsPerSecond  float64
	ConcurrentCalls int
	// Local says that it leads to this machine, where nobody pays for minutes.
	Local bool
}

// Party is a caller that is ready to be put on a line.
type Party interface {
	leg.Party
	// Timeline is everything the caller did and noticed. It is complete after End.
	Timeline() []call.Event
	// Ending is why the caller ended the call, or was about to when the agent did; its Code is "" when neither.
	Ending() call.EndReason
	// Close frees what the caller holds outside the call.
	Close()
}

// Casting says which caller is wanted.
type Casting struct {
	Item scenario.Item
	Seed uint64
	// Line is how the call travels: LinePhone or LineRoom.
	Line string
	// Prompt is the persona text for items without a script, "" for the built-in one.
	Prompt string
	// Notify is told of timeline events as they happen; it never blocks. May be nil.
	Notify func(call.Event)
}

// Options are what a Service is built from. All fields are needed unless they say otherwise.
type Options struct {
	Store      Store
	Line       Line
	Recordings Recordings
	// Rooms is the media server; nil refuses experiments in rooms.
	Rooms Rooms
	// MediaServer names the media server when it is this process's own, so that no
	// other process can place calls in its rooms; "" when all processes reach it.
	MediaServer string
	// MediaKeys tells the keys that tokens are signed with from others, without saying
	// them: who has the same makes tokens for every such media server. "" is nobody's.
	MediaKeys string
	// RoomWait is how long an agent may take to join its room (default 10 min) while
	// nothing else happens in its experiment.
	RoomWait time.Duration
	// HangUp takes an attempt of a process that is no more off the line; reference is
	// what the line gave that process. The next attempt at the same call may be on its
	// line already and must not be touched. nil leaves such calls to the far end's patience.
	HangUp func(ctx context.Context, attemptID, reference string) error
	// Pressure is asked before a call is dialled how the media loop fares; calls
	// wait while it has no room for more. Nil lets every call dial.
	Pressure func() Pressure
	// RoomPressure is Pressure for calls in rooms, which have a media loop of their own.
	RoomPressure func() Pressure
	// MostCalls is how many calls the telephone line of this process has ports for, 0 for any
	// number; those beyond wait.
	MostCalls int
	// Prepare does ahead of dialling what takes time: it has the item's lines synthesised.
	Prepare func(ctx context.Context, item scenario.Item) error
	// Cast makes a caller. It is called when the call may be dialled at once.
	Cast func(ctx context.Context, c Casting) (Party, error)
	// Trunk finds a configured trunk; "" is the first one.
	Trunk func(name string) (Trunk, error)
	// Trunks are the configured ones, the default first; Probe asks one whether it is there.
	Trunks []Trunk
	Probe  func(ctx context.Context, trunk string) error
	// Free says what costs nothing unless a price is set for it.
	Free Free
	// Preflight checks that the engines that the items need answer and, on the
	// telephone, the trunk.
	Preflight func(ctx context.Context, line, trunk string, items []scenario.Item) error
	NewID     func(prefix string) string
	Now       func() time.Time
	// Steady counts up whatever becomes of the wall clock that Now tells; nil uses
	// the monotonic reading of Now.
	Steady func() time.Duration
	// LimitTime is the time by which calls per second are counted; a zero time
	// leaves it to the database, whose clock all processes share. nil is Now.
	LimitTime func() time.Time
	// Live tells those who watch what the calls on the line do; nil tells nobody.
	Live *live.Hub
	// Ended is told of every attempt that this process has placed and stored; nil tells nobody.
	Ended func(line string, a call.Attempt)
	// Random gives seeds.
	Random func() uint64
	// Process names this process in attempts.
	Process string
	Log     *slog.Logger
	// Beat is how often an attempt's heartbeat is written (default 5 s) and
	// SilentAfter how long one may be missing (default 30 s).
	Beat, SilentAfter time.Duration
	// Hold is how long a call waits here for a place within the limits before its
	// job is put back (default 5 min).
	Hold time.Duration
	// Crowd is how many calls that wait for the same limits may be made ready at a time (default 50). The others
	// put their jobs back again and again, so that calls with other limits have their turn.
	Crowd int
	// Wait waits for d or until ctx ends; nil uses a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// Service runs experiments. Its methods are safe for concurrent use.
type Service struct {
	Options

	queue, crowd *turnstile
	admission    *Admission
	// roomAdmission is admission for calls in rooms.
	roomAdmission *Admission
	watch         *watch
	ledger        *ledger
	lobby         *lobby
	pacer         *pacer
	probes        probes

	mu sync.Mutex
	// ours are the attempts that this process has claimed and not yet stored.
	ours map[string]bool
	// onLine holds, by call id, how to hang up the calls that this process has on its lines.
	onLine map[string]context.CancelCauseFunc
}

// errCanceled is the cause with which a call is taken off the line when its experiment is canceled.
var errCanceled = errors.New("the experiment was canceled")

// errReaped is the cause when another process has declared this attempt dead.
var errReaped = errors.New("the attempt was ended by another process")

// New returns a Service.
func New(o Options) *Service {
	if o.Beat == 0 {
		o.Beat = 5 * time.Second
	}
	if o.SilentAfter == 0 {
		o.SilentAfter = 30 * time.Second
	}
	if o.Hold == 0 {
		o.Hold = 5 * time.Minute
	}
	if o.Crowd == 0 {
		o.Crowd = 50
	}
	if o.RoomWait == 0 {
		o.RoomWait = 10 * time.Minute
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Steady == nil {
		from := o.Now()
		o.Steady = func() time.Duration { return o.Now().Sub(from) }
	}
	if o.LimitTime == nil {
		o.LimitTime = o.Now
	}
	s := &Service{
		Options: o, queue: newTurnstile(1), crowd: newTurnstile(o.Crowd), admission: NewAdmission(o.Pressure), roomAdmission: newRoomAdmission(o.RoomPressure),
		watch: newWatch(), ledger: newLedger(), lobby: newLobby(),
		ours: map[string]bool{}, pacer: newPacer(), onLine: map[string]context.CancelCauseFunc{},
	}
	s.admission.most = o.MostCalls
	return s
}

// Get returns an experiment of the workspace.
func (s *Service) Get(ctx context.Context, workspaceID, id string) (Experiment, error) {
	var e Experiment
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		e, err = tx.ExperimentByID(ctx, workspaceID, id)
		return err
	})
	return e, err
}

// List lists experiments, newest first. next is the cursor of the next page, "" when there is none.
func (s *Service) List(ctx context.Context, workspaceID string, f Filter, limit int, cursor string) (list []Experiment, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID("ve"))
	if err != nil {
		return nil, "", err
	}
	err = s.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.Experiments(ctx, workspaceID, f, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(e *Experiment) string { return e.ID })
	return list, next, nil
}

// announceExperiment tells the watchers how far the experiment has come.
func announceExperiment(ctx context.Context, tx Tx, e Experiment) error {
	return tx.Announce(ctx, e.WorkspaceID, Progress{
		Kind: "experiment", ExperimentID: e.ID,
		Status: string(e.Status), Verdict: string(e.Verdict), Detail: e.Reason,
	})
}

// announceCall tells the watchers how far the call has come.
func announceCall(ctx context.Context, tx Tx, c call.Call) error {
	return tx.Announce(ctx, c.WorkspaceID, Progress{
		Kind: "call", ExperimentID: c.ExperimentID, CallID: c.ID,
		Status: string(c.Status), ScoringStatus: string(c.ScoringStatus), Verdict: string(c.Verdict),
		Detail: string(c.EndReason.Code),
	})
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notOver refuses what cannot be done to an experiment that has ended.
func notOver(e Experiment) error {
	if e.Status.Over() {
		return problem.New(problem.Conflict, "the experiment is already %s", e.Status)
	}
	return nil
}

// Occupancy is how full a line of this process is.
type Occupancy struct {
	// Placed are the calls on it, Room how many there may be at this moment.
	Placed, Room int
	// Held says that calls wait because the media loop can pace no more.
	Held bool
}

// Occupancy is how full the line is (LinePhone or LineRoom).
func (s *Service) Occupancy(line string) Occupancy {
	admission, _ := s.admissionFor(line)
	return admission.occupancy()
}

// admissionFor is what lets calls of the line in, and what its media loop measures.
func (s *Service) admissionFor(line string) (*Admission, func() Pressure) {
	if line == LineRoom {
		return s.roomAdmission, s.RoomPressure
	}
	return s.admission, s.Pressure
}
