package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// column is the values of a column of many rows, as the server takes an array of
// them. It is written here: by way of a slice of each column the library makes a
// value of its own of every element, and its buffer grows step by step.
type column struct {
	array []byte
	// room is how many bytes the columns of the statement take together.
	room *int
}

// The types that a column may have, and those of their arrays.
const (
	textOID, textsOID     = pgtype.TextOID, pgtype.TextArrayOID
	numberOID, numbersOID = pgtype.Int8OID, pgtype.Int8ArrayOID
	bytesOID, bytesOfOID  = pgtype.ByteaOID, pgtype.ByteaArrayOID
)

// takeColumns has a connection take a column for an array.
func takeColumns(c *pgx.Conn) error {
	for _, oid := range []uint32{textsOID, numbersOID, bytesOfOID} {
		usual, ok := c.TypeMap().TypeForOID(oid)
		if !ok {
			return fmt.Errorf("the library knows no type %d", oid)
		}
		c.TypeMap().RegisterType(&pgtype.Type{Name: usual.Name, OID: oid, Codec: columnCodec{usual.Codec}})
	}
	return nil
}

// columnCodec is the codec of an array that takes columns, too.
type columnCodec struct{ pgtype.Codec }

// PlanEncode implements pgtype.Codec.
func (c columnCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(column); ok && format == pgtype.BinaryFormatCode {
		return columnPlan{}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

type columnPlan struct{}

// Encode implements pgtype.EncodePlan.
func (columnPlan) Encode(value any, buf []byte) ([]byte, error) {
	c, ok := value.(column)
	if !ok {
		return nil, fmt.Errorf("a %T is no column", value)
	}
	if cap(buf)-len(buf) < len(c.array) {
		buf = append(make([]byte, 0, len(buf)+*c.room), buf...)
	}
	return append(buf, c.array...), nil
}

// columnWriter writes an array, value by value.
type columnWriter struct {
	array []byte
	// oid is the type of the values, 0 before the first.
	oid uint32
	// some says that one of them is not the zero value.
	some bool
}

// headLength is how long the head of an array is in bytes: how many dimensions it
// has, whether any value is NULL, of which type they are, how many, from which index on.
const headLength = 5 * 4

// end is the array of n values that was written.
func (w *columnWriter) end(n int) []byte {
	head := w.array[:0:headLength]
	for _, v := range []uint32{1, 0, w.oid, uint32(n), 1} { //nolint:gosec // a statement has few rows
		head = binary.BigEndian.AppendUint32(head, v)
	}
	return w.array
}

// add writes the next value: a text, a number or bytes, or what stands for one.
func (w *columnWriter) add(v any) error {
	switch v := v.(type) {
	case *string:
		return w.text(*v)
	case string:
		return w.text(v)
	case int64:
		return w.number(v)
	case *int:
		return w.number(int64(*v))
	case []byte:
		return w.bytes(v)
	case driver.Valuer:
		value, err := v.Value()
		if _, again := value.(driver.Valuer); err != nil || again {
			return errors.Join(err, fmt.Errorf("no value of a %T", v))
		}
		return w.add(value)
	}
	switch of := reflect.Indirect(reflect.ValueOf(v)); of.Kind() { //nolint:exhaustive // no other kind is written later
	case reflect.String:
		return w.text(of.String())
	case reflect.Int, reflect.Int64:
		return w.number(of.Int())
	}
	return fmt.Errorf("a %T is not written later", v)
}

// is makes the type that of the column, and fails when it has another.
func (w *columnWriter) is(oid uint32) error {
	if w.oid != 0 && w.oid != oid {
		return fmt.Errorf("values of the types %d and %d", w.oid, oid)
	}
	w.oid = oid
	return nil
}

func (w *columnWriter) text(v string) error {
	w.some = w.some || v != ""
	w.array = append(binary.BigEndian.AppendUint32(w.array, uint32(len(v))), v...) //nolint:gosec // it is held in memory
	return w.is(textOID)
}

func (w *columnWriter) number(v int64) error {
	const length = 8
	w.some = w.some || v != 0
	w.array = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(w.array, length), uint64(v)) //nolint:gosec // bit by bit
	return w.is(numberOID)
}

func (w *columnWriter) bytes(v []byte) error {
	if v == nil {
		return errors.New("there are no bytes where some belong")
	}
	w.some = true
	w.array = append(binary.BigEndian.AppendUint32(w.array, uint32(len(v))), v...) //nolint:gosec // it is held in memory
	return w.is(bytesOID)
}

// columnOf is a column of the rows, with the type of its array. When it is empty
// in all rows, as a third is in those of production calls, ok is false and kind is
// what stands for it in the statement.
func columnOf(rows [][]any, k int) (array []byte, kind string, ok bool, err error) {
	const usual = 32
	room := headLength + usual*len(rows)
	for _, row := range rows {
		if bytes, isBytes := row[k].([]byte); isBytes {
			room += len(bytes)
		}
	}
	w := columnWriter{array: make([]byte, headLength, room)}
	for _, row := range rows {
		if err := w.add(row[k]); err != nil {
			return nil, "", false, err
		}
	}
	empty := !w.some && len(rows) > 1
	switch {
	case w.oid == textOID && empty:
		return nil, "''", false, nil
	case w.oid == numberOID && empty:
		return nil, "0", false, nil
	case w.oid == textOID:
		kind = "text[]"
	case w.oid == numberOID:
		kind = "bigint[]"
	default:
		kind = "bytea[]"
	}
	return w.end(len(rows)), kind, true, nil
}
