package strictjson

import (
	"encoding/json"
	"iter"
	"slices"
)

// Object is an object as Decode reads it, with its fields in their original order. Most have a
// handful, which can be searched faster than a map can be built.
type Object struct {
	fields []field
	// index finds a field by its name; nil while there are few.
	index map[string]int
}

type field struct {
	name  string
	value any
}

// few is the largest number of fields of an object without an index.
const few = 16

// ObjectOf returns the Object for values as encoding/json reads them.
func ObjectOf(values map[string]any) *Object {
	o := new(Object)
	for name, value := range values {
		o.Put(name, packed(value))
	}
	return o
}

// packed is the inverse of Plain.
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

// Text returns the string in a value that Decode has read.
func Text(value any) (text string, ok bool) {
	if v, ok := value.(*string); ok {
		return *v, true
	}
	return "", false
}

// Number returns the number in a value that Decode has read.
func Number(value any) (number json.Number, ok bool) {
	if v, ok := value.(*json.Number); ok {
		return *v, true
	}
	return "", false
}

// Plain converts a value that Decode has read to the types of encoding/json, with map[string]any
// for an Object. The result shares nothing with the value.
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

// Map returns the object as encoding/json would read it. The Object may be nil.
func (o *Object) Map() map[string]any {
	out := make(map[string]any, o.Len())
	if o != nil {
		for _, f := range o.fields {
			out[f.name] = Plain(f.value)
		}
	}
	return out
}

// MarshalJSON implements json.Marshaler: the result is that of a map.
func (o *Object) MarshalJSON() ([]byte, error) { return json.Marshal(o.Map()) }

// Len returns the number of fields. The Object may be nil.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.fields)
}

// Get returns the value of a field, nil if there is none. The Object may be nil.
func (o *Object) Get(name string) any {
	if i := o.Index(name); i >= 0 {
		return o.fields[i].value
	}
	return nil
}

// Index returns the position of a field, -1 if there is none. It never changes, even if fields are
// added. The Object may be nil.
func (o *Object) Index(name string) int {
	if o == nil {
		return -1
	}
	return o.find(name)
}

// Names returns the names of the fields, sorted. The Object may be nil.
func (o *Object) Names() []string {
	names := make([]string, o.Len())
	for i := range names {
		names[i] = o.fields[i].name
	}
	slices.Sort(names)
	return names
}

// Put sets the value of a field, and adds the field if it does not exist.
func (o *Object) Put(name string, value any) {
	if i := o.find(name); i >= 0 {
		o.fields[i].value = value
		return
	}
	o.add(name, value)
}

// All returns the fields in their order. The Object may be nil.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i := range o.Len() {
			if !yield(o.fields[i].name, o.fields[i].value) {
				return
			}
		}
	}
}

// distinct reports whether all names are different, and builds the index.
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
