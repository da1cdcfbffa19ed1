package store

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The types in this file stand at a place in a struct and carry it both ways:
// as a statement's argument and as the target of a scan. So each kind of row
// needs one list of its columns and one of its places, for both directions.

// micros keeps a time in whole microseconds since 1970, 0 for the zero time.
type micros struct{ t *time.Time }

// Value implements driver.Valuer.
func (m micros) Value() (driver.Value, error) { return toMicros(*m.t), nil }

// Scan implements sql.Scanner.
func (m micros) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as %T, not as a number", src)
	}
	*m.t = fromMicros(n)
	return nil
}

func toMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// flag keeps a bool as 0 or 1.
type flag struct{ b *bool }

// Value implements driver.Valuer.
func (f flag) Value() (driver.Value, error) {
	if *f.b {
		return int64(1), nil
	}
	return int64(0), nil
}

// Scan implements sql.Scanner.
func (f flag) Scan(src any) error {
	n, ok := src.(int64)
	*f.b = ok && n != 0
	return nil
}

// lent takes the bytes of a column as they are, without copying them: they belong to the
// database and hold until the next row.
type lent struct{ b *[]byte }

// Scan implements sql.Scanner.
func (l lent) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok && src != nil {
		return fmt.Errorf("bytes are kept as %T", src)
	}
	return l.ScanBytes(b)
}

// ScanBytes is what pgx asks for before Scan, which it would hand a copy.
func (l lent) ScanBytes(b []byte) error {
	*l.b = b
	return nil
}

// bits keeps an unsigned number in a signed column, bit by bit.
type bits struct{ u *uint64 }

// Value implements driver.Valuer.
func (b bits) Value() (driver.Value, error) { return int64(*b.u), nil }

// Scan implements sql.Scanner.
func (b bits) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("a number is kept as %T", src)
	}
	*b.u = uint64(n)
	return nil
}

// doc keeps what v points at as JSON text.
type doc struct{ v any }

// Value implements driver.Valuer.
func (d doc) Value() (driver.Value, error) {
	text, err := json.Marshal(d.v)
	return string(text), err
}

// Scan implements sql.Scanner.
func (d doc) Scan(src any) error {
	switch text := src.(type) {
	case string:
		return json.Unmarshal([]byte(text), d.v)
	case []byte:
		return json.Unmarshal(text, d.v)
	}
	return fmt.Errorf("a document is kept as %T, not as text", src)
}

// exactDoc keeps a free JSON object. Its numbers come back as json.Number, digit
// by digit as they were given: a customer's 64-bit id is more than a float64 holds.
type exactDoc struct{ v *map[string]any }

// Value implements driver.Valuer. Most are a few words, written here in a small
// part of the time that it takes by way of reflection.
func (d exactDoc) Value() (driver.Value, error) {
	if text, ok := wordsText(*d.v); ok {
		return text, nil
	}
	return doc{d.v}.Value()
}

// wordsText is an object of few plain words as encoding/json writes it; ok is
// false for any other.
func wordsText(words map[string]any) (text string, ok bool) {
	const few = 16
	if words == nil || len(words) > few {
		return "", false
	}
	names, length := make([]string, 0, few), len("{}")
	for name, value := range words {
		word, isText := value.(string)
		if !isText || !isPlain(name) || !isPlain(word) {
			return "", false
		}
		names = append(names, name)
		length += len(name) + len(word) + len(`"":"",`)
	}
	slices.Sort(names)
	out := append(make([]byte, 0, length), '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		word, _ := words[name].(string) // as was seen above
		out = append(append(append(out, '"'), name...), `":"`...)
		out = append(append(out, word...), '"')
	}
	return string(append(out, '}')), true
}

// isPlain reports whether a text stands in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// Scan implements sql.Scanner.
func (d exactDoc) Scan(src any) error {
	var raw json.RawMessage
	if err := (doc{&raw}).Scan(src); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(d.v)
}
