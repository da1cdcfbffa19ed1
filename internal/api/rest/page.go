package rest

import "time"

// PageQuery is what every list takes; embed it in the input of the operation.
type PageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"50" doc:"How many elements to return at most"`
	Cursor string `query:"cursor" maxLength:"128" doc:"The next_cursor of the page before, to get the page after it; the first page when not given"`
}

// Page is what every list returns.
type Page[T any] struct {
	Data []T `json:"data" doc:"The elements, newest first unless the operation says otherwise"`
	// NextCursor is null on the last page.
	NextCursor *string `json:"next_cursor" doc:"What to give as cursor to get the next page; null on the last page"`
}

// PageOf builds a page; next is "" when there is no further one.
func PageOf[T any](data []T, next string) Page[T] {
	if data == nil {
		data = []T{}
	}
	p := Page[T]{Data: data}
	if next != "" {
		p.NextCursor = &next
	}
	return p
}

// Mapped is the list with every element in its wire form.
func Mapped[A, B any](list []A, wire func(A) B) []B {
	out := make([]B, len(list))
	for i := range list {
		out[i] = wire(list[i])
	}
	return out
}

// Body is the output of an operation that answers with one JSON value.
type Body[T any] struct{ Body T }

// Answer is the output that holds the value.
func Answer[T any](value T) *Body[T] { return &Body[T]{value} }

// Millis is a time as the wire has it: milliseconds since 1970, null when it has not come.
func Millis(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	v := t.UnixMilli()
	return &v
}

// Moment is a time that has come as the wire has it: milliseconds since 1970.
func Moment(t time.Time) int64 { return t.UnixMilli() }

// OrNull is the text, or null when it is empty.
func OrNull[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}
