package strictjson

import (
	"encoding/json"
	"iter"
	"slices"
)

// Object is an object as Decode reads it: its fields in the order in which they
// stand. Most have a handful, which are gone through sooner than a map of them
// is made.
type Object struct {
	fields []field
	// index finds a field by its name, nil while there are few.
	index map[string]int
}

type field struct {
	name  string
	value any
}

// few is how many fields an object has at most that has no index.
const few = 16

// ObjectOf is the object that Decode would read where encoding/json reads the values.
func ObjectOf(values map[string]any) *Object {
	o := new(Object)
	for name, value := range values {
		o.Put(name, packed(value))
	}
	return o
}

// packed is the opposite of Plain.
func packed(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = packed(v[i])
		}
		return out
	case map[string]any:
		return ObjectOf(v)
	case string:
		return &v
	case json.Number:
		return &v
	}
	return value
}

// Text is a value that Decode has read, when it is one.
func Text(value any) (text string, ok bool) {
	if v, ok := value.(*string); ok {
		return *v, true
	}
	return "", false
}

// Number is a value that Decode has read, when it is one.
func Number(value any) (number json.Number, ok bool) {
	if v, ok := value.(*json.Number); ok {
		return *v, true
	}
	return "", false
}

// Plain is a value that Decode has read in the types of encoding/json, with
// map[string]any for an Object. It shares nothing with the value.
func Plain(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = Plain(v[i])
		}
		return out
	case *Object:
		return v.Map()
	case *string:
		return *v
	case *json.Number:
		return *v
	}
	return value
}

// Map is the object as encoding/json reads it. The Object may be nil.
func (o *Object) Map() map[string]any {
	out := make(map[string]any, o.Len())
	if o != nil {
		for _, f := range o.fields {
			out[f.name] = Plain(f.value)
		}
	}
	return out
}

// MarshalJSON implements json.Marshaler: it is written as a map would be.
func (o *Object) MarshalJSON() ([]byte, error) { return json.Marshal(o.Map()) }

// Len is how many fields there are. The Object may be nil.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.fields)
}

// Get is the value of a field, nil when there is none. The Object may be nil.
func (o *Object) Get(name string) any {
	if i := o.Index(name); i >= 0 {
		return o.fields[i].value
	}
	return nil
}

// Index is the place of a field, -1 when there is none. It stays the same
// whatever is put into the object. The Object may be nil.
func (o *Object) Index(name string) int {
	if o == nil {
		return -1
	}
	return o.find(name)
}

// Names are the names of the fields, sorted. The Object may be nil.
func (o *Object) Names() []string {
	names := make([]string, o.Len())
	for i := range names {
		names[i] = o.fields[i].name
	}
	slices.Sort(names)
	return names
}

// Put gives a field its value, and adds the field when it is not there.
func (o *Object) Put(name string, value any) {
	if i := o.find(name); i >= 0 {
		o.fields[i].value = value
		return
	}
	o.add(name, value)
}

// All are the fields in their order. The Object may be nil.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i := range o.Len() {
			if !yield(o.fields[i].name, o.fields[i].value) {
				return
			}
		}
	}
}

// distinct reports whether no name stands twice, and makes the index.
func (o *Object) distinct() bool {
	if o.reindex(); o.index != nil {
		return len(o.index) == len(o.fields)
	}
	for i := range o.fields {
		for k := range i {
			if o.fields[k].name == o.fields[i].name {
				return false
			}
		}
	}
	return true
}

func (o *Object) find(name string) int {
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range o.fields {
		if o.fields[i].name == name {
			return i
		}
	}
	return -1
}

func (o *Object) add(name string, value any) {
	o.fields = append(o.fields, field{name, value})
	if o.index != nil {
		o.index[name] = len(o.fields) - 1
		return
	}
	o.reindex()
}

func (o *Object) reindex() {
	if len(o.fields) <= few {
		return
	}
	o.index = make(map[string]int, 2*len(o.fields))
	for i := range o.fields {
		o.index[o.fields[i].name] = i
	}
}
