package postgres

import (
	"bytes"
	"database/sql/driver"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

type word string

type stamp struct{ t time.Time }

func (s stamp) Value() (driver.Value, error) { return s.t.UnixMicro(), nil }

// A column is what the library makes of a slice with the same values.
func TestColumn(t *testing.T) {
	t.Parallel()
	text, kind, n := "two", word("three"), 4
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	long := strings.Repeat("é", 40_000)
	for name, c := range map[string]struct {
		values []any
		slice  any
		kind   string
	}{
		"texts":   {[]any{"", &text, &kind, word("four"), long}, []string{"", "two", "three", "four", long}, "text[]"},
		"text":    {[]any{""}, []string{""}, "text[]"},
		"numbers": {[]any{int64(0), &n, stamp{at}, int64(-1) << 63}, []int64{0, 4, at.UnixMicro(), -1 << 63}, "bigint[]"},
		"bytes":   {[]any{[]byte{}, []byte("\x00\xff"), []byte(long)}, [][]byte{{}, {0, 255}, []byte(long)}, "bytea[]"},
	} {
		rows := make([][]any, len(c.values))
		for i, v := range c.values {
			rows[i] = []any{"another column", v}
		}
		array, kind, ok, err := columnOf(rows, 1)
		if err != nil || !ok || kind != c.kind {
			t.Fatalf("%s: %q, %v, %v", name, kind, ok, err)
		}
		of := map[string]uint32{"text[]": pgtype.TextArrayOID, "bigint[]": pgtype.Int8ArrayOID, "bytea[]": pgtype.ByteaArrayOID}[kind]
		want, err := pgtype.NewMap().Encode(of, pgtype.BinaryFormatCode, c.slice, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(array, want) {
			t.Errorf("%s: % .80x, want % .80x", name, array, want)
		}
	}
}

// A column of many rows that is empty in all of them is left out.
func TestColumnOfNothing(t *testing.T) {
	t.Parallel()
	var none word
	for want, values := range map[string][]any{"''": {"", &none}, "0": {int64(0), new(int)}} {
		if array, kind, ok, err := columnOf([][]any{{values[0]}, {values[1]}}, 0); ok || kind != want || array != nil || err != nil {
			t.Errorf("%x, %q, %v, %v; want %q", array, kind, ok, err, want)
		}
	}
}

// What is no column is told, and nothing is written in its place.
func TestNoColumn(t *testing.T) {
	t.Parallel()
	for _, values := range [][]any{{"a", int64(1)}, {int64(1), []byte("a")}, {[]byte("a"), []byte(nil)}, {1.5, 1.5}, {nil, nil}, {true, true}, {stampless{}, ""}} {
		if _, kind, ok, err := columnOf([][]any{{values[0]}, {values[1]}}, 0); err == nil {
			t.Errorf("%v became %q, %v", values, kind, ok)
		}
	}
}

type stampless struct{}

func (stampless) Value() (driver.Value, error) { return stampless{}, nil }
