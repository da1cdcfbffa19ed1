package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// The kinds of payloads: what is long and seldom read lies compressed in a
// table of its own, by the id of its owner and one of these.
const (
	payloadItem      = "item"      // of a dataset item's state, and of a call
	payloadTimeline  = "timeline"  // of an attempt
	payloadReference = "reference" // of an open attempt: how its call is hung up
	payloadReview    = "review"    // of a call
	payloadFound     = "found"     // of a test call: the part of its review that experiments sum up
	payloadRecord    = "record"    // of a submission: its body as it came, or what it tells of its call
	payloadRaw       = "raw"       // of an older submission: the body as it came
	payloadHeard     = "heard"     // of a recording and engines
)

// maxPayload bounds what a stored payload may unpack to.
const maxPayload = 256 << 20

// codec compresses and unpacks; it may be used from many goroutines.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	err     error
	// scratch holds *scratch: what is packed by the thousand is not worth a new one each time.
	scratch *sync.Pool
}

// scratch is room to pack a pair in.
type scratch struct{ both, out []byte }

// maxScratch is how much of it is kept for the next.
const maxScratch = 1 << 20

func newCodec() codec {
	encoder, failed := zstd.NewWriter(nil, zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxPayload))
	return codec{encoder, decoder, errors.Join(failed, err), new(sync.Pool)}
}

// The first byte of what packPair made of two texts and of the second alone, and
// of what was packed as quickly before there were pairs; what pack makes begins
// with 0x28.
const (
	secondMark = 0x55
	pairMark   = 0x54
	quickMark  = 0x53
)

// packPair packs what a submission tells and its body. Either may be nil. It
// takes a small part of pack's time and leaves more, for what arrives by the
// thousand.
func (c codec) packPair(first, second []byte) []byte {
	room, ok := c.scratch.Get().(*scratch)
	if !ok {
		room = new(scratch)
	}
	mark, text := byte(secondMark), second
	if first != nil {
		room.both = binary.AppendUvarint(room.both[:0], uint64(len(first)))
		room.both = append(append(room.both, first...), second...)
		mark, text = pairMark, room.both
	}
	room.out = slices.Grow(room.out[:0], 1+s2.MaxEncodedLen(len(text)))
	out := append(room.out, mark)
	packed := bytes.Clone(out[:1+len(s2.Encode(out[1:cap(out)], text))])
	if cap(room.both)+cap(room.out) <= maxScratch {
		c.scratch.Put(room)
	}
	return packed
}

// unpackPair is the opposite of packPair. What was packed alone is a first without a second.
func (c codec) unpackPair(body []byte) (first, second []byte, err error) {
	switch {
	case len(body) > 0 && body[0] == secondMark:
		second, err = unpackQuick(body[1:])
		return nil, second, err
	case len(body) == 0 || body[0] != pairMark:
		first, err = c.unpack(body)
		return first, nil, err
	}
	both, err := unpackQuick(body[1:])
	if err != nil {
		return nil, nil, err
	}
	n, head := binary.Uvarint(both)
	if head <= 0 || n > uint64(len(both)-head) {
		return nil, nil, errors.New("a pair of texts is cut off")
	}
	first, second = both[head:head+int(n)], both[head+int(n):]
	return first, second, nil
}

// lengthHead is how much of a packed pair unpackedLength needs.
const lengthHead = 1 + binary.MaxVarintLen64

// unpackedLength is how long a pair is that begins with head, 0 when that does not tell.
func unpackedLength(head []byte) int64 {
	if len(head) == 0 || head[0] != secondMark && head[0] != pairMark {
		return 0
	}
	n, err := s2.DecodedLen(head[1:])
	if err != nil {
		return 0
	}
	return int64(n)
}

func unpackQuick(body []byte) ([]byte, error) {
	if n, err := s2.DecodedLen(body); err != nil || n > maxPayload {
		return nil, fmt.Errorf("%d bytes: %w", n, errors.Join(err, s2.ErrTooLarge))
	}
	return s2.Decode(nil, body)
}

func (c codec) pack(body []byte) ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	return c.encoder.EncodeAll(body, nil), nil
}

func (c codec) unpack(body []byte) ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	if len(body) > 0 && body[0] == quickMark {
		return unpackQuick(body[1:])
	}
	return c.decoder.DecodeAll(body, nil)
}

// packed keeps what v points at as compressed JSON.
type packed struct {
	codec codec
	v     any
}

func (tx *Tx) packed(v any) packed { return packed{tx.store.codec, v} }

// Scan implements sql.Scanner.
func (p packed) Scan(src any) error {
	body, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("a payload is kept as %T, not as bytes", src)
	}
	text, err := p.codec.unpack(body)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	return json.Unmarshal(text, p.v)
}

// payloadRow is the row that keeps v as JSON for the owner.
func (tx *Tx) payloadRow(owner, kind string, v any) ([]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("payload %s: %w", kind, err)
	}
	body, err := tx.store.codec.pack(text)
	return []any{owner, kind, body}, err
}

const payloadColumns = "owner, kind, body"

// savePayload keeps v, in place of what was there.
func (tx *Tx) savePayload(ctx context.Context, owner, kind string, v any) error {
	row, err := tx.payloadRow(owner, kind, v)
	if err != nil {
		return err
	}
	return tx.saveBody(ctx, row...)
}

// saveBody keeps a body that has been packed, in place of what was there: its
// owner, kind and bytes.
func (tx *Tx) saveBody(ctx context.Context, row ...any) error {
	_, err := tx.exec(ctx, `INSERT INTO payloads (owner, kind, body) VALUES ($1, $2, $3)
		ON CONFLICT (owner, kind) DO UPDATE SET body = excluded.body`, row...)
	return err
}

// payload reads v; ok is false when there is none.
func (tx *Tx) payload(ctx context.Context, owner, kind string, v any) (ok bool, err error) {
	_, ok, err = one(ctx, tx, func(*struct{}) []any { return []any{tx.packed(v)} },
		`SELECT body FROM payloads WHERE owner = $1 AND kind = $2`, owner, kind)
	return ok, err
}
