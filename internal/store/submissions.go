package store

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

const submissionColumns = "id, workspace_id, provider, external_id, call_id, has_transcript, received_at"

func submissionFields(s *calllog.Submission) []any {
	return []any{
		&s.ID, &s.WorkspaceID, &s.Provider, &s.ExternalID, &s.CallID, flag{&s.HasTranscript}, micros{&s.ReceivedAt},
	}
}

// transcript is the part of a submission that is kept apart from its row.
type transcript struct {
	ToolCalls []call.ToolCall `json:"tool_calls"`
	Turns     []call.Turn     `json:"turns"`
}

// InsertSubmission implements calllog.Tx.
func (tx *Tx) InsertSubmission(ctx context.Context, s calllog.Submission) error {
	if err := tx.insert(ctx, "submissions", submissionColumns, submissionFields(&s)); err != nil {
		return err
	}
	raw, err := tx.store.codec.pack(s.Raw)
	if err != nil {
		return err
	}
	said, err := tx.payloadRow(s.ID, payloadTranscript, transcript{s.ToolCalls, s.Turns})
	if err != nil {
		return err
	}
	return tx.insert(ctx, "payloads", payloadColumns, []any{s.ID, payloadRaw, raw}, said)
}

// SubmissionByExternalID implements calllog.Tx. Raw is left out, see RawSubmission.
func (tx *Tx) SubmissionByExternalID(ctx context.Context, workspaceID, provider, externalID string) (s calllog.Submission, ok bool, err error) {
	s, ok, err = one(ctx, tx, submissionFields, `SELECT `+submissionColumns+` FROM submissions
		WHERE workspace_id = $1 AND provider = $2 AND external_id = $3 ORDER BY id LIMIT 1`, workspaceID, provider, externalID)
	if err != nil || !ok {
		return s, false, err
	}
	var said transcript
	_, err = tx.payload(ctx, s.ID, payloadTranscript, &said)
	s.ToolCalls, s.Turns = said.ToolCalls, said.Turns
	return s, true, err
}

// RawSubmission is the body of a submission as it came.
func (tx *Tx) RawSubmission(ctx context.Context, workspaceID, id string) ([]byte, error) {
	body, err := need(ctx, tx, "submission", id, scalar[[]byte],
		`SELECT p.body FROM submissions s JOIN payloads p ON p.owner = s.id AND p.kind = '`+payloadRaw+`'
		WHERE s.workspace_id = $1 AND s.id = $2`, workspaceID, id)
	if err != nil {
		return nil, err
	}
	return tx.store.codec.unpack(body)
}

// AgentRecord implements review.Rows: the tool calls of all submissions of the
// call that hold a transcript, in the order they came. One that comes again
// with the same id takes the place of the earlier one.
func (tx *Tx) AgentRecord(ctx context.Context, callID string) ([]call.ToolCall, bool, error) {
	records, err := all(ctx, tx, func(t *transcript) []any { return []any{tx.packed(t)} },
		`SELECT p.body FROM submissions s JOIN payloads p ON p.owner = s.id AND p.kind = '`+payloadTranscript+`'
		WHERE s.call_id = $1 AND s.has_transcript = 1 ORDER BY s.received_at, s.id`, callID)
	if err != nil || len(records) == 0 {
		return nil, false, err
	}
	tools, place := []call.ToolCall{}, map[string]int{}
	for _, r := range records {
		for _, t := range r.ToolCalls {
			if at, known := place[t.ID]; known && t.ID != "" {
				tools[at] = t
				continue
			}
			place[t.ID] = len(tools)
			tools = append(tools, t)
		}
	}
	return tools, true, nil
}

const (
	// matchWindow is how far an agent's idea of a call's start may lie from ours.
	matchWindow = 2 * time.Minute
	// matchMargin is how much nearer than the next a call must be to be taken.
	matchMargin = 2 * time.Second
	// matchCandidates bounds how many calls are looked at.
	matchCandidates = 200
)

// TestCall implements calllog.Tx. Without our id the nearest call between the
// numbers is taken, unless another one started nearly as near: a wrong link
// would be false evidence.
func (tx *Tx) TestCall(ctx context.Context, workspaceID string, m calllog.Match) (call.Call, bool, error) {
	if m.CallID != "" {
		return one(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
			WHERE workspace_id = $1 AND id = $2 AND origin = 'simulated'`, workspaceID, m.CallID)
	}
	from, to := digits(m.From), digits(m.To)
	if from == "" || to == "" || m.StartedAt.IsZero() {
		return call.Call{}, false, nil
	}
	low, high := toMicros(m.StartedAt.Add(-matchWindow)), toMicros(m.StartedAt.Add(matchWindow))
	// An answer is at most matchWindow late, so a start lies within twice that.
	found, err := all(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
		WHERE workspace_id = $1 AND origin = 'simulated' AND to_digits = $2 AND from_digits = $3 AND started_at > 0
		AND (started_at BETWEEN $4 AND $5 OR answered_at BETWEEN $4 AND $5) ORDER BY id DESC LIMIT $6`,
		workspaceID, to, from, low, high, matchCandidates)
	if err != nil || len(found) == 0 {
		return call.Call{}, false, err
	}
	best, unclear := nearest(found, m.StartedAt)
	return found[best], !unclear, nil
}

// nearest is the call that started nearest to at; unclear when another one did nearly so.
func nearest(calls []call.Call, at time.Time) (best int, unclear bool) {
	distance := func(c *call.Call) time.Duration {
		d := c.StartedAt.Sub(at).Abs()
		if !c.AnsweredAt.IsZero() {
			d = min(d, c.AnsweredAt.Sub(at).Abs())
		}
		return d
	}
	for i := range calls {
		if distance(&calls[i]) < distance(&calls[best]) {
			best = i
		}
	}
	for i := range calls {
		if i != best && distance(&calls[i])-distance(&calls[best]) < matchMargin {
			return best, true
		}
	}
	return best, false
}

// digits are the digits of a telephone number, whatever it is dressed in.
func digits(number string) string {
	number = strings.TrimPrefix(strings.TrimPrefix(number, "sips:"), "sip:")
	number, _, _ = strings.Cut(number, "@")
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
}
