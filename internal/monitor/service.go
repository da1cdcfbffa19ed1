package monitor

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Options configure a Service.
type Options struct {
	Store Store
	Now   func() time.Time
	// Log is optional.
	Log *slog.Logger
}

// Service computes and returns the figures of monitoring. It has no state, so
// any number of processes may use it on one database.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o}
}

// Settled records a settled call in place of an earlier fact of it, in the
// transaction that settles it. The figures follow within seconds (Refresh).
func (s *Service) Settled(ctx context.Context, tx Tx, c call.Call, r call.Review, told call.Reported) error {
	dims, err := tx.Dimensions(ctx, c.WorkspaceID)
	if err != nil {
		return fmt.Errorf("declared dimensions: %w", err)
	}
	f, ok := factOf(c, r, told, dims.Keys)
	if !ok {
		return s.Forget(ctx, tx, c.ID)
	}
	return s.put(ctx, tx, f)
}

// put stores a fact, marks the hours that it changes, and erases texts of the
// previous fact that no call has any more.
func (s *Service) put(ctx context.Context, tx Tx, f Fact) error {
	before, had, err := tx.FactByCall(ctx, f.CallID)
	if err != nil {
		return fmt.Errorf("what was known of the call: %w", err)
	}
	newText := had && (before.Act != f.Act || before.Failure != f.Failure)
	if newText {
		if err := tx.HoldMonitor(ctx); err != nil {
			return err
		}
	}
	if err := tx.PutFact(ctx, f); err != nil {
		return fmt.Errorf("store what is known of the call: %w", err)
	}
	marks := []Mark{markOf(f)}
	if m := markOf(before); had && m != marks[0] {
		marks = append(marks, m)
	}
	if err := tx.PutMarks(ctx, marks); err != nil {
		return fmt.Errorf("mark the call's hour: %w", err)
	}
	if !newText {
		return nil
	}
	return forgetTexts(ctx, tx, &before)
}

// forgetTexts erases the texts of a fact that is gone, unless others have them. A group without
// words says nothing about its calls, and is also that of calls whose own groups have no number: it
// stays.
func forgetTexts(ctx context.Context, tx Tx, f *Fact) error {
	if f.Act == "" {
		return nil
	}
	return tx.ForgetText(ctx, f.WorkspaceID, f.Act, f.Failure)
}

// Forget removes a call from the figures, with all words from it.
func (s *Service) Forget(ctx context.Context, tx Tx, callID string) error {
	f, ok, err := tx.FactByCall(ctx, callID)
	if err != nil || !ok {
		return err
	}
	if err := tx.HoldMonitor(ctx); err != nil {
		return err
	}
	if err := tx.DeleteFact(ctx, callID); err != nil {
		return err
	}
	if err := tx.PutMarks(ctx, []Mark{markOf(f)}); err != nil {
		return err
	}
	return forgetTexts(ctx, tx, &f)
}

// Relinked moves the fact of a call to another agent. A call without a fact is
// left to its review.
func (s *Service) Relinked(ctx context.Context, tx Tx, callID, agentID string) error {
	if err := tx.HoldFact(ctx, callID); err != nil {
		return err
	}
	f, ok, err := tx.FactByCall(ctx, callID)
	if err != nil || !ok || f.AgentID == agentID {
		return err
	}
	f.AgentID = agentID
	return s.put(ctx, tx, f)
}

func markOf(f Fact) Mark {
	return Mark{WorkspaceID: f.WorkspaceID, Origin: string(f.Origin), Hour: f.At.UTC().Truncate(time.Hour)}
}
