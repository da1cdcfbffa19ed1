package lenient

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// asWritten undoes the export format of a document database, which puts numbers, times
// and ids into objects that name their type: {"$numberLong": "1760000000000"},
// {"$date": …}, {"$oid": …}. It changes value in place and returns the result.
func asWritten(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = asWritten(v[i])
		}
	case *strictjson.Object:
		if inner, ok := typed(v); ok {
			return inner
		}
		for name, element := range v.All() {
			v.Put(name, asWritten(element))
		}
	}
	return value
}

// typed returns the value of an object that consists of a type and a value.
func typed(o *strictjson.Object) (value any, ok bool) {
	if o.Len() != 1 {
		return nil, false
	}
	name := o.Names()[0]
	switch name {
	case "$date", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$uuid", "$symbol":
	default:
		return nil, false
	}
	value = asWritten(o.Get(name)) // a date may hold a typed number of milliseconds
	text, ok := strictjson.Text(value)
	if !ok {
		_, ok = strictjson.Number(value)
		return value, ok
	}
	if strings.HasPrefix(name, "$number") {
		number, _ := strictjson.Decode([]byte(strings.TrimSpace(text)), 1)
		if _, is := strictjson.Number(number); is { // but not Infinity
			return number, true
		}
	}
	return value, true
}
