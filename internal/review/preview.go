package review

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// defaultPreviewTime is the default of Options.PreviewTime.
const defaultPreviewTime = 20 * time.Second

// Preview is what a scorer would say of a call, from what its review heard and measured. Nothing is
// stored or heard again. The score is not_evaluated, with the reason, when something that the
// scorer needs is missing, or a language model does not answer in time. A configuration that does
// not build is a problem that names its fields.
func (s *Service) Preview(ctx context.Context, workspaceID, callID string, c score.Config) (call.Score, error) {
	if _, bad := score.Build(c, s.o.Deps); bad != nil {
		return call.Score{}, bad
	}
	m := &material{}
	var review call.Review
	reviewed := false
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		if _, err = tx.CallByID(ctx, workspaceID, callID); err != nil {
			return err
		}
		*m = material{}
		if err = s.read(ctx, tx, m, callID); err != nil {
			return err
		}
		review, reviewed, err = tx.ReviewOf(ctx, callID)
		return err
	})
	if problem.Is(err, problem.InvalidFields) { // its id is not text
		err = problem.Missing("call", callID)
	}
	if err != nil {
		return call.Score{}, fmt.Errorf("read what is known of the call: %w", err)
	}
	mark := score.MarkOf(c)
	switch {
	case !m.call.Status.Over():
		return mark.Score(call.NotEvaluated, "The call is not over yet."), nil
	case !reviewed:
		return mark.Score(call.NotEvaluated, "The call has not been reviewed yet, so nothing is known of what was heard."), nil
	case review.Verdict == call.Void:
		return mark.Score(call.Void, strings.TrimSpace("The call is void. "+review.Reason)), nil
	}
	if m.hasRecord && review.ToolCalls != nil { // with the times that the review gave them
		m.tools = review.ToolCalls
	}
	ctx, cancel := context.WithTimeout(ctx, s.o.PreviewTime)
	defer cancel()
	return s.scoreBy(ctx, c, &score.Input{
		Call: m.call, Attempt: m.attempt, Heard: review.Heard, Metrics: review.Metrics,
		ToolCalls: m.tools, HasRecord: m.hasRecord,
	}, unfitBefore(m.call, &review)), nil
}

// unfitBefore reports whether the words of a reviewed call cannot be trusted: it is a production
// call, and they come neither from its platform nor from a recogniser fit for people.
func unfitBefore(c call.Call, r *call.Review) bool {
	return c.Origin == call.Production && (r.Heard.Engines["stt"] == "" || r.Heard.SelfTestGrade)
}
