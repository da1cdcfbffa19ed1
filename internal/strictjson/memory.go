package strictjson

import "encoding/json"

// Memory is where the values of one text stand: thousands of small ones together.
// It can be used for one text after the other, so that none has to be made for
// each that comes. Its zero value is ready for use; one goroutine at a time may use it.
type Memory struct {
	// openFields and openValues are those of the objects and lists that are open,
	// the inner ones behind the outer ones. When one is closed its own are copied to
	// where they stay.
	openFields []field
	openValues []any

	fields  room[field]
	objects room[Object]
	texts   room[string]
	numbers room[json.Number]
	values  room[any]
	// scratch is where a text is put together that has escapes.
	scratch []byte
}

const (
	// few values of a kind there is room for at first, and many are kept for the next text.
	fewValues  = 32
	manyValues = 1024
)

// Forget makes room for the next text. What was read before must not be looked at
// afterwards: all of it is empty. Texts, numbers and what Plain gives are their
// holder's own and stay.
func (m *Memory) Forget() {
	m.openFields, m.openValues = emptied(m.openFields), emptied(m.openValues)
	m.fields.empty()
	m.objects.empty()
	m.texts.empty()
	m.numbers.empty()
	m.values.empty()
	if cap(m.scratch) > manyValues {
		m.scratch = nil
	}
}

func emptied[T any](list []T) []T {
	if cap(list) > manyValues {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// room is memory for values of one kind, of which the first so many are in use.
// When it is full a larger one takes its place, and the old one stays with those
// who look at it.
type room[T any] struct {
	all  []T
	used int
}

// take is room for n values side by side, each of them its zero value.
func (r *room[T]) take(n int) []T {
	if n > len(r.all)-r.used {
		r.all, r.used = make([]T, max(n, fewValues, min(2*len(r.all), manyValues))), 0
	}
	r.used += n
	return r.all[r.used-n : r.used : r.used]
}

// keep is where the value stays.
func (r *room[T]) keep(value T) *T {
	place := &r.take(1)[0]
	*place = value
	return place
}

func (r *room[T]) empty() {
	if len(r.all) > manyValues {
		r.all = nil
	}
	clear(r.all[:min(r.used, len(r.all))])
	r.used = 0
}
