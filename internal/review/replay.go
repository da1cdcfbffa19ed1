package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// JobReplay is the kind of job that Replay handles; its id is a replay's.
const JobReplay = "replay"

const (
	// replayPage is how many calls a replay lists at a time, and replaySave how often it stores its
	// progress. After a crash, what was done since is repeated.
	replayPage = 100
	replaySave = 2 * time.Second
	// replayPatience is how long a replay lets live reviews go first before each call, at most.
	replayPatience = 5 * time.Second
	replayStep     = 50 * time.Millisecond
)

// ReplayState is how far a replay is.
type ReplayState string

// The states of a replay. A canceled replay can be resumed where it stopped.
const (
	ReplayRunning  ReplayState = "RUNNING"
	ReplayFinished ReplayState = "FINISHED"
	ReplayCanceled ReplayState = "CANCELED"
)

// Scope selects the calls of a replay; zero fields do not restrict it.
type Scope struct {
	// Since and Until bound when the call began: Since <= begun < Until.
	Since   time.Time   `json:"since"`
	Until   time.Time   `json:"until"`
	AgentID string      `json:"agent_id,omitempty"`
	Origin  call.Origin `json:"origin,omitempty"`
	// OnlyOlder leaves out calls whose latest review used the same engines, metrics and scorers as
	// a new one would.
	OnlyOlder bool `json:"only_older,omitempty"`
	// Before bounds when the call was stored; StartReplay sets it. Later calls were reviewed with
	// the newest engines anyway, and a replay that followed them would never end.
	Before time.Time `json:"before"`
}

// Replay is a repetition of the reviews of every call in scope.
type Replay struct {
	ID          string
	WorkspaceID string
	Scope       Scope
	State       ReplayState
	// LastCall is the id of the last call that was processed, "" at the start.
	LastCall string
	// Total is how many calls were in scope when it began. Of the processed ones, Skipped were left
	// out or no longer exist, and Failed could not be reviewed.
	Total, Reviewed, Skipped, Failed int
	CreatedAt, UpdatedAt             time.Time
	// FinishedAt is zero while the replay runs and if it was canceled.
	FinishedAt time.Time
}

// StartReplay stores a replay and queues its job.
func (s *Service) StartReplay(ctx context.Context, workspaceID string, scope Scope) (Replay, error) {
	if !scope.Since.IsZero() && !scope.Until.IsZero() && !scope.Since.Before(scope.Until) {
		return Replay{}, problem.Invalid(problem.Field{Path: "until", Message: "must be later than since"})
	}
	now := s.o.Now()
	scope.Before = now
	r := Replay{
		ID: s.o.NewID("rev"), WorkspaceID: workspaceID, Scope: scope, State: ReplayRunning, CreatedAt: now, UpdatedAt: now,
	}
	// Counting is not part of the write transaction: it may take a while, in which others must be able
	// to write.
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		if scope.AgentID != "" {
			if _, err := tx.AgentByID(ctx, workspaceID, scope.AgentID); err != nil {
				return problem.Absent("agent_id", "agent", err)
			}
		}
		r.Total, err = tx.CountToReplay(ctx, workspaceID, scope)
		return err
	})
	if err != nil {
		return Replay{}, err
	}
	err = s.o.Store.Write(ctx, func(tx Tx) error {
		if err := tx.InsertReplay(ctx, r); err != nil {
			return err
		}
		return tx.Enqueue(ctx, JobReplay, r.ID, 0)
	})
	return r, err
}

// ReplayByID returns a replay of the workspace.
func (s *Service) ReplayByID(ctx context.Context, workspaceID, id string) (r Replay, err error) {
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		r, err = tx.ReplayByID(ctx, workspaceID, id)
		return err
	})
	return r, err
}

// Replays lists the workspace's replays, newest first; next is the cursor of the next page, ""
// after the last.
func (s *Service) Replays(ctx context.Context, workspaceID string, limit int, cursor string) (list []Replay, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID("rev"))
	if err != nil {
		return nil, "", err
	}
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.Replays(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(r *Replay) string { return r.ID })
	return list, next, nil
}

// CancelReplay stops a running replay after the current call. A replay in another state is
// returned unchanged.
func (s *Service) CancelReplay(ctx context.Context, workspaceID, id string) (Replay, error) {
	return s.turnReplay(ctx, workspaceID, id, ReplayRunning, ReplayCanceled)
}

// ResumeReplay continues a canceled replay. A replay in another state is returned unchanged.
func (s *Service) ResumeReplay(ctx context.Context, workspaceID, id string) (Replay, error) {
	return s.turnReplay(ctx, workspaceID, id, ReplayCanceled, ReplayRunning)
}

func (s *Service) turnReplay(ctx context.Context, workspaceID, id string, from, to ReplayState) (r Replay, err error) {
	err = s.o.Store.Write(ctx, func(tx Tx) error {
		if r, err = tx.LockReplay(ctx, workspaceID, id); err != nil || r.State != from {
			return err
		}
		r.State, r.UpdatedAt = to, s.o.Now()
		if err := tx.SaveReplay(ctx, r); err != nil || to != ReplayRunning {
			return err
		}
		return tx.Enqueue(ctx, JobReplay, id, 0)
	})
	return r, err
}

// Replay is the job that reviews history again, one call after the other; live reviews go first. It
// resumes where it was when its process died, and ends when it is canceled. When it runs twice at
// once, only one goes on beyond the next time at which either stores its progress, and what both did
// is counted once. It never gives up: when something stops it, it asks to be run again
// (Wait), and no call counts as failed because nothing could be stored.
func (s *Service) Replay(ctx context.Context, id string) error {
	if !s.ledger.begin(JobReplay + " " + id) {
		return Wait{After: waitStep}
	}
	defer s.ledger.end(JobReplay + " " + id)
	err := s.replay(ctx, id)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if !errors.Is(err, errElsewhere) {
		s.o.Log.WarnContext(ctx, "a review of history stands still", "replay", id, "error", err)
	}
	return Wait{After: awayPause}
}

// errElsewhere says that another process is at work on the replay.
var errElsewhere = errors.New("another process is at work on the replay")

// replaying is a replay that this process is at work on.
type replaying struct {
	Replay
	// stored is the LastCall of its row. It changes when another process stores its progress.
	stored string
}

func (s *Service) replay(ctx context.Context, id string) error {
	var r replaying
	for {
		var ids []string
		err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
			if r.Replay, err = tx.ReplayByID(ctx, "", id); err != nil || r.State != ReplayRunning {
				return err
			}
			r.stored = r.LastCall
			ids, err = tx.ToReplay(ctx, r.WorkspaceID, r.Scope, r.LastCall, replayPage)
			return err
		})
		switch {
		case problem.Is(err, problem.NotFound) || err == nil && r.State != ReplayRunning:
			return nil
		case err != nil:
			return fmt.Errorf("read how far the replay is: %w", err)
		}
		if err := s.replayPage(ctx, &r, ids); err != nil {
			return err
		}
		if r.State != ReplayRunning || len(ids) < replayPage {
			return nil
		}
	}
}

// replayPage reviews some calls and records how far the replay is with them, and when it is
// finished.
func (s *Service) replayPage(ctx context.Context, r *replaying, ids []string) error {
	saved := s.o.Now()
	for _, id := range ids {
		err := s.giveWay(ctx)
		if err == nil {
			err = s.replayOne(ctx, r, id)
		}
		if err != nil { // the call will be reviewed again
			return errors.Join(err, s.replayed(context.WithoutCancel(ctx), r, false))
		}
		r.LastCall = id
		if s.o.Now().Sub(saved).Abs() >= replaySave {
			if err := s.replayed(ctx, r, false); err != nil || r.State != ReplayRunning {
				return err
			}
			saved = s.o.Now()
		}
	}
	return s.replayed(ctx, r, len(ids) < replayPage)
}

// replayOne reviews one call and counts the result. After an error nothing was counted: the job is
// to end, or nothing can be stored.
func (s *Service) replayOne(ctx context.Context, r *replaying, id string) error {
	if r.Scope.OnlyOlder {
		newest, err := s.newest(ctx, id)
		if err == nil && newest {
			r.Skipped++
			return nil
		}
	}
	// A review of the call that is under way may have begun before what the replay is for, so it does
	// not stand for this one.
	if s.ledger.begin(id) {
		defer s.ledger.end(id)
	}
	err := s.once(ctx, id, true)
	if problem.Is(err, problem.Unavailable) && !isAway(err) { // an engine or judge was unavailable, so one more try
		err = s.once(ctx, id, true)
	}
	var wait Wait
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case isAway(err):
		return err
	case errors.As(err, &wait): // the call's own job will review it
		r.Skipped++
	case err != nil:
		r.Failed++
		s.o.Log.WarnContext(ctx, "a call of a replay could not be reviewed", "call", id, "error", err)
	default:
		r.Reviewed++
	}
	return nil
}

// newest reports whether the call's latest review used everything that a new one would use.
func (s *Service) newest(ctx context.Context, id string) (newest bool, err error) {
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		by, err := tx.ReviewedBy(ctx, id)
		if err != nil {
			return err
		}
		plan, err := tx.PlanOf(ctx, id)
		newest = by == s.basis(&material{plan: plan})
		return err
	})
	return newest, err
}

// replayed records how far a replay is. Whether it goes on depends on its row, which may have been
// canceled. If another process has stored its own progress meanwhile, that counts (errElsewhere).
func (s *Service) replayed(ctx context.Context, r *replaying, done bool) error {
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		now, err := tx.LockReplay(ctx, "", r.ID)
		switch {
		case err != nil:
			return err
		case now.State == ReplayFinished || now.LastCall != r.stored:
			return errElsewhere
		}
		r.State, r.UpdatedAt = now.State, s.o.Now()
		r.Total = max(r.Total, r.Reviewed+r.Skipped+r.Failed) // more than were counted, since some had their first review meanwhile
		if done && r.State == ReplayRunning {
			r.State, r.FinishedAt = ReplayFinished, r.UpdatedAt
			r.Skipped = r.Total - r.Reviewed - r.Failed // some have a job of their own by now, or no longer exist
		}
		return tx.SaveReplay(ctx, r.Replay)
	})
	if err != nil {
		return fmt.Errorf("write down how far the replay is: %w", err)
	}
	r.stored = r.LastCall
	return nil
}

// giveWay waits, though not for ever, while live reviews are at work here or are themselves waiting
// for call logs to arrive.
func (s *Service) giveWay(ctx context.Context) error {
	pressed := func() bool { return s.ledger.busy() || s.o.Rush() }
	if !pressed() {
		return ctx.Err()
	}
	tick := time.NewTicker(replayStep)
	defer tick.Stop()
	for waited := time.Duration(0); waited < replayPatience && pressed(); waited += replayStep {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
