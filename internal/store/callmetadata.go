package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// MakeFindable implements calllog.CallRows. The calls are held, so that nobody
// changes their metadata meanwhile.
func (tx *Tx) MakeFindable(ctx context.Context, callIDs []string) error {
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		args = padded(args)
		calls, err := all(ctx, tx, func(c *call.Call) []any { return []any{&c.ID, exactDoc{&c.Metadata}} },
			`SELECT id, metadata FROM calls WHERE id IN `+marks(1, len(args))+` ORDER BY id`+tx.store.engine.LockClause(), args...)
		if err != nil {
			return err
		}
		rows := allMetadata(calls)
		for some := range slices.Chunk(rows, maxParameters/4) {
			text, args := insertText("call_metadata", metadataColumns, some)
			if _, err := tx.exec(ctx, text+` ON CONFLICT DO NOTHING`, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

func allMetadata(calls []call.Call) (rows [][]any) {
	for i := range calls {
		rows = append(rows, metadataRows(&calls[i])...)
	}
	return rows
}

// The metadata of calls stands once more in a table of its own, to filter lists
// by: a row per key. start is the beginning of the value, by which it is found,
// and rest what is behind that.
const (
	metadataColumns = "name, start, call_id, rest"
	// metadataStart is how many characters start has at most.
	metadataStart = 64
	// metadataName is the greatest length in bytes of a key by which calls can be found: databases
	// limit what an index holds.
	metadataName = 256
)

func metadataRows(c *call.Call) [][]any {
	rows := make([][]any, 0, len(c.Metadata))
	for name, value := range c.Metadata {
		if len(name) > metadataName {
			continue
		}
		start, rest := metadataParts(metadataText(value))
		rows = append(rows, []any{name, start, c.ID, rest})
	}
	return rows
}

func metadataParts(value string) (start, rest string) {
	n := 0
	for at := range value {
		if n == metadataStart {
			return value[:at], value[at:]
		}
		n++
	}
	return value, ""
}

// metadataText is a value in the form that filters compare: text as it is, anything else as JSON.
func metadataText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

func (tx *Tx) readMetadata(ctx context.Context, c *call.Call) error {
	_, err := need(ctx, tx, "call", c.ID, func(*struct{}) []any { return []any{exactDoc{&c.Metadata}} }, `SELECT metadata FROM calls WHERE id = $1`, c.ID)
	return err
}

// replaceMetadata rewrites the rows of the metadata if it has changed, which most changes of a call
// leave alone.
func (tx *Tx) replaceMetadata(ctx context.Context, before, after *call.Call) error {
	same := func(a, b any) bool { return metadataText(a) == metadataText(b) }
	if maps.EqualFunc(before.Metadata, after.Metadata, same) {
		return nil
	}
	for _, row := range metadataRows(before) {
		if _, err := tx.exec(ctx, `DELETE FROM call_metadata WHERE name = $1 AND start = $2 AND call_id = $3`, row[:3]...); err != nil {
			return err
		}
	}
	return tx.insert(ctx, "call_metadata", metadataColumns, metadataRows(after)...)
}
