package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const submissionColumns = "id, workspace_id, provider, external_id, call_id, has_transcript, received_at, digest, kind"

func submissionFields(s *calllog.Submission) []any {
	return []any{
		&s.ID, &s.WorkspaceID, &s.Provider, &s.ExternalID, &s.CallID, flag{&s.HasTranscript}, micros{&s.ReceivedAt},
		&s.Digest, &s.Kind,
	}
}

// Pack implements calllog.Store: it compresses what InsertSubmissions keeps,
// outside of any transaction. A record that its body tells again is not kept.
func (s *Store) Pack(record, raw []byte) []byte { return s.codec.packPair(record, raw) }

// InsertSubmissions implements calllog.ArrivalRows.
func (tx *Tx) InsertSubmissions(ctx context.Context, all []calllog.Submission) error {
	rows, bodies := make([][]any, len(all)), make([][]any, len(all))
	for i := range all {
		rows[i] = submissionFields(&all[i])
		bodies[i] = []any{all[i].ID, payloadRecord, all[i].Packed}
	}
	if err := tx.insertLater(ctx, "submissions", submissionColumns, rows...); err != nil {
		return err
	}
	return tx.insertLater(ctx, "payloads", payloadColumns, bodies...)
}

// told is a submission with what it tells.
type told struct {
	calllog.Submission
	record calllog.Record
}

// toldOrder puts the records of a call in an order that does not depend on when
// they came, and behind them what clients added, in the order in which they did.
const toldOrder = ` ORDER BY CASE WHEN s.kind = '` + calllog.KindPatch + `' THEN 1 ELSE 0 END,
	CASE WHEN s.kind = '` + calllog.KindPatch + `' THEN '' ELSE s.digest END, s.received_at, s.id`

// toldOf reads every submission of the call with what it tells.
func (tx *Tx) toldOf(ctx context.Context, callID string) ([]told, error) {
	found, err := all(ctx, tx, func(t *told) []any {
		return append(submissionFields(&t.Submission), recordBody{tx.store, &t.Submission, &t.record})
	}, `SELECT `+columnsOf("s", submissionColumns)+`, p.body FROM submissions s
		JOIN payloads p ON p.owner = s.id AND p.kind = '`+payloadRecord+`' WHERE s.call_id = $1`+toldOrder, callID)
	for i := range found {
		found[i].record.HasTranscript = found[i].HasTranscript // older records do not say so themselves
	}
	return found, err
}

// RecordOf implements calllog.RecordRows: what all submissions of the call tell
// together; ok is false when there is none.
func (tx *Tx) RecordOf(ctx context.Context, callID string) (r calllog.Record, ok bool, err error) {
	found, err := tx.toldOf(ctx, callID)
	var records, patches []calllog.Record
	for i := range found {
		if found[i].Kind == calllog.KindPatch {
			patches = append(patches, found[i].record)
		} else {
			records = append(records, found[i].record)
		}
	}
	r = calllog.Together(records)
	for _, patch := range patches {
		r = calllog.Amend(r, patch)
	}
	return r, len(found) > 0, err
}

// ReportedOf is what the client's platform tells of the call, in all its
// records together; ok is false when there is none.
func (tx *Tx) ReportedOf(ctx context.Context, callID string) (call.Reported, bool, error) {
	r, ok, err := tx.RecordOf(ctx, callID)
	return r.Reported, ok, err
}

// AgentRecord implements review.Rows: the tool calls of all submissions of the
// call; ok is false when none of them holds a transcript.
func (tx *Tx) AgentRecord(ctx context.Context, callID string) ([]call.ToolCall, bool, error) {
	r, ok, err := tx.RecordOf(ctx, callID)
	if err != nil || !ok || !r.HasTranscript {
		return nil, false, err
	}
	return append([]call.ToolCall{}, r.ToolCalls...), true, nil
}

// SubmissionsOf implements calllog.RecordRows: in the order they came, without
// their bodies.
func (tx *Tx) SubmissionsOf(ctx context.Context, callID string) ([]calllog.Submission, error) {
	return all(ctx, tx, submissionFields, `SELECT `+submissionColumns+` FROM submissions
		WHERE call_id = $1 ORDER BY received_at, id`, callID)
}

// KeptOf implements calllog.RecordRows. How long a body is unpacked stands at its beginning.
func (tx *Tx) KeptOf(ctx context.Context, callID string) (submissions int, bytes int64, err error) {
	type kept struct {
		head   []byte
		packed int64
	}
	found, err := all(ctx, tx, func(k *kept) []any { return []any{&k.head, &k.packed} },
		`SELECT substr(p.body, 1, `+strconv.Itoa(lengthHead)+`), length(p.body) FROM submissions s
		JOIN payloads p ON p.owner = s.id AND p.kind = '`+payloadRecord+`' WHERE s.call_id = $1`, callID)
	for _, k := range found {
		bytes += max(unpackedLength(k.head), k.packed)
	}
	return len(found), bytes, err
}

// RecordsOf implements calllog.RecordRows.
func (tx *Tx) RecordsOf(ctx context.Context, callID string) (map[string]calllog.Record, error) {
	found, err := tx.toldOf(ctx, callID)
	out := make(map[string]calllog.Record, len(found))
	for i := range found {
		out[found[i].ID] = found[i].record
	}
	return out, err
}

// ReplaceRecord implements calllog.RecordRows.
func (tx *Tx) ReplaceRecord(ctx context.Context, s calllog.Submission) error {
	if err := tx.mustChange(ctx, "submission", s.ID, `UPDATE submissions SET has_transcript = $3, digest = $4 WHERE call_id = $1 AND id = $2`,
		s.CallID, s.ID, flag{&s.HasTranscript}, s.Digest); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM payloads WHERE owner = $1 AND kind = '`+payloadRaw+`'`, s.ID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE payloads SET body = $2 WHERE owner = $1 AND kind = '`+payloadRecord+`'`, s.ID, s.Packed)
	return err
}

// EraseReview implements calllog.RecordRows: the call's review goes, and what
// was heard on the recording with the digest ("" for none).
func (tx *Tx) EraseReview(ctx context.Context, callID, recordingSHA256 string) error {
	if _, err := tx.exec(ctx, `DELETE FROM payloads WHERE owner = $1 AND kind IN ('`+payloadReview+`', '`+payloadFound+`')`, callID); err != nil {
		return err
	}
	if recordingSHA256 == "" {
		return nil
	}
	return tx.EraseHeard(ctx, recordingSHA256)
}

// EraseHeard implements review.HeardRows.
func (tx *Tx) EraseHeard(ctx context.Context, recordingSHA256 string) error {
	// Owners are "digest/engines": "0" is the character behind "/".
	_, err := tx.exec(ctx, `DELETE FROM payloads WHERE owner >= $1 AND owner < $2 AND kind = '`+payloadHeard+`'`,
		recordingSHA256+"/", recordingSHA256+"0")
	return err
}

// RawSubmission is the body of a submission of the call as it came. One whose
// body must not be kept is missing.
func (tx *Tx) RawSubmission(ctx context.Context, workspaceID, callID, id string) ([]byte, error) {
	bodies, err := all(ctx, tx, scalar[[]byte], `SELECT p.body FROM submissions s
		JOIN payloads p ON p.owner = s.id AND p.kind IN ('`+payloadRaw+`', '`+payloadRecord+`')
		WHERE s.workspace_id = $1 AND s.call_id = $2 AND s.id = $3 ORDER BY p.kind`, workspaceID, callID, id)
	switch len(bodies) {
	case 0:
	case 1:
		_, raw, err := tx.store.codec.unpackPair(bodies[0])
		if err != nil || len(raw) > 0 {
			return raw, err
		}
	default: // an older one keeps it apart
		return tx.store.codec.unpack(bodies[0])
	}
	if err == nil {
		err = problem.Missing("body of submission", id)
	}
	return nil, err
}

// ReadBodies implements calllog.Store: it says how to find out what a body tells.
// It is called before anything is read.
func (s *Store) ReadBodies(read func(provider string, body []byte) (calllog.Record, error)) {
	s.readBody = read
}

// recordBody unpacks a record, or reads it from the body of the submission. Its
// free values keep their numbers digit by digit.
type recordBody struct {
	store *Store
	// of has been read when the body is.
	of *calllog.Submission
	r  *calllog.Record
}

// Scan implements sql.Scanner.
func (b recordBody) Scan(src any) error {
	body, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("a record is kept as %T, not as bytes", src)
	}
	text, raw, err := b.store.codec.unpackPair(body)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	if text == nil {
		if b.store.readBody == nil {
			return errors.New("this program does not read the bodies of call logs")
		}
		*b.r, err = b.store.readBody(b.of.Provider, raw)
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(b.r)
}
