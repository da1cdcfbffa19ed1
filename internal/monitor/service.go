package monitor

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Options are what a Service is built from.
type Options struct {
	Store Store
	Now   func() time.Time
	// Log may be nil.
	Log *slog.Logger
}

// Service keeps and answers the figures of monitoring. It remembers nothing:
// any number of processes may use it over one database.
type Service struct{ o Options }

// New returns the service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o}
}

// Settled takes in a settled call, in place of what was known of it, inside the
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

// put stores a fact, marks the hours that it changes, and lets go of texts of
// the earlier one that no call has any more.
func (s *Service) put(ctx context.Context, tx Tx, f Fact) error {
	before, had, err := tx.FactByCall(ctx, f.CallID)
	if err != nil {
		return fmt.Errorf("what was known of the call: %w", err)
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
	if !had || before.Act == f.Act && before.Failure == f.Failure {
		return nil
	}
	return tx.ForgetText(ctx, f.WorkspaceID, before.Act, before.Failure)
}

// Forget takes a call out of the figures; nothing of what was said in it stays.
func (s *Service) Forget(ctx context.Context, tx Tx, callID string) error {
	f, ok, err := tx.FactByCall(ctx, callID)
	if err != nil || !ok {
		return err
	}
	if err := tx.DeleteFact(ctx, callID); err != nil {
		return err
	}
	if err := tx.PutMarks(ctx, []Mark{markOf(f)}); err != nil {
		return err
	}
	return tx.ForgetText(ctx, f.WorkspaceID, f.Act, f.Failure)
}

// Relinked moves a call that has been settled before to another agent; a call
// that has not been is left to its review.
func (s *Service) Relinked(ctx context.Context, tx Tx, callID, agentID string) error {
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
