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

// defaultPreviewTime is how long a preview may take.
const defaultPreviewTime = 20 * time.Second

// Preview is what a scorer would say of a call by what its review heard and
// measured. Nothing is kept and nothing is heard again. What the scorer would need
// and is not there makes it not evaluated, with the reason; so does a language
// model that does not answer in time. A configuration that does not build is a
// problem that names its fields.
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
	if problem.Is(err, problem.InvalidFields) { // its id is no text
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
		return mark.Score(call.Void, strings.TrimSpace("The call is evidence of nothing. "+review.Reason)), nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.o.PreviewTime)
	defer cancel()
	return s.scoreBy(ctx, c, &score.Input{
		Call: m.call, Attempt: m.attempt, Heard: review.Heard, Metrics: review.Metrics,
		ToolCalls: m.tools, HasRecord: m.hasRecord,
	}, unfitBefore(m.call, &review)), nil
}

// unfitBefore tells of a reviewed call that its words are not to be believed: those
// of a production call that neither its platform told nor a recogniser for people heard.
func unfitBefore(c call.Call, r *call.Review) bool {
	return c.Origin == call.Production && (r.Heard.Engines["stt"] == "" || r.Heard.SelfTestGrade)
}
