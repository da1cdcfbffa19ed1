package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
)

// ReportedOf implements review.Rows: the transcript of the latest submission
// that has one, and the tool calls of all.
func (tx *Tx) ReportedOf(ctx context.Context, callID string) (call.Reported, bool, error) {
	tools, ok, err := tx.AgentRecord(ctx, callID)
	if err != nil || !ok {
		return call.Reported{}, false, err
	}
	latest, _, err := one(ctx, tx, func(t *transcript) []any { return []any{tx.packed(t)} },
		`SELECT p.body FROM submissions s JOIN payloads p ON p.owner = s.id AND p.kind = '`+payloadTranscript+`'
		WHERE s.call_id = $1 AND s.has_transcript = 1 ORDER BY s.received_at DESC, s.id DESC LIMIT 1`, callID)
	return call.Reported{HasTranscript: true, Turns: latest.Turns, ToolCalls: tools, CallerChannel: -1}, true, err
}
