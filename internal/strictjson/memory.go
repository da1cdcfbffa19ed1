package strictjson

import "encoding/json"

// Memory holds the values of one text, allocated in blocks of many. It can be reused for one text
// after another, so that they share allocations. The zero value is ready to use; it must not be
// used by several goroutines at once.
type Memory struct {
	// openFields and openValues are those of objects and lists being read, inner ones after outer
	// ones. When one is complete, its own are copied to their final place.
	openFields []field
	openValues []any

	fields  room[field]
	objects room[Object]
	texts   room[string]
	numbers room[json.Number]
	values  room[any]
	// scratch is where strings with escapes are assembled.
	scratch []byte
}

const (
	// fewValues is the initial capacity for values of a kind, manyValues the largest one that is
	// kept for the next text.
	fewValues  = 32
	manyValues = 1024
)

// Forget prepares for the next text. Values read before must not be used afterwards, since they are
// all cleared. Strings, numbers and the results of Plain stay valid.
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

// room allocates values of one kind; the first used of them are taken. When it is full, it is
// replaced with a larger one, and the old one lives on as long as values in it are in use.
type room[T any] struct {
	all  []T
	used int
}

// take returns n adjacent zero values.
func (r *room[T]) take(n int) []T {
	if n > len(r.all)-r.used {
		r.all, r.used = make([]T, max(n, fewValues, min(2*len(r.all), manyValues))), 0
	}
	r.used += n
	return r.all[r.used-n : r.used : r.used]
}

// keep stores a copy of the value and returns a pointer to it.
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
