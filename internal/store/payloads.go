package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// The kinds of payloads: what is long and seldom read lies compressed in a
// table of its own, by the id of its owner and one of these.
const (
	payloadItem       = "item"       // of a dataset item's state, and of a call
	payloadTimeline   = "timeline"   // of an attempt
	payloadReview     = "review"     // of a call
	payloadTranscript = "transcript" // of a submission
	payloadRaw        = "raw"        // of a submission: the body as it came
	payloadHeard      = "heard"      // of a recording and engines
)

// maxPayload bounds what a stored payload may unpack to.
const maxPayload = 256 << 20

// pack compresses; the coder is stateless in use and costs little to make at this level.
func pack(body []byte) ([]byte, error) {
	coder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	out := coder.EncodeAll(body, nil)
	return out, coder.Close()
}

func unpack(body []byte) ([]byte, error) {
	coder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPayload))
	if err != nil {
		return nil, err
	}
	defer coder.Close()
	return coder.DecodeAll(body, nil)
}

// packed keeps what v points at as compressed JSON.
type packed struct{ v any }

// Scan implements sql.Scanner.
func (p packed) Scan(src any) error {
	body, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("a payload is kept as %T, not as bytes", src)
	}
	text, err := unpack(body)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	return json.Unmarshal(text, p.v)
}

// payloadRow is the row that keeps v as JSON for the owner.
func payloadRow(owner, kind string, v any) ([]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("payload %s: %w", kind, err)
	}
	body, err := pack(text)
	return []any{owner, kind, body}, err
}

const payloadColumns = "owner, kind, body"

// savePayload keeps v, in place of what was there.
func (tx *Tx) savePayload(ctx context.Context, owner, kind string, v any) error {
	row, err := payloadRow(owner, kind, v)
	if err != nil {
		return err
	}
	return tx.saveRow(ctx, row)
}

func (tx *Tx) saveRow(ctx context.Context, row []any) error {
	_, err := tx.exec(ctx, `INSERT INTO payloads (owner, kind, body) VALUES ($1, $2, $3)
		ON CONFLICT (owner, kind) DO UPDATE SET body = excluded.body`, row...)
	return err
}

// payload reads v; ok is false when there is none.
func (tx *Tx) payload(ctx context.Context, owner, kind string, v any) (ok bool, err error) {
	_, ok, err = one(ctx, tx, func(*struct{}) []any { return []any{packed{v}} },
		`SELECT body FROM payloads WHERE owner = $1 AND kind = $2`, owner, kind)
	return ok, err
}
