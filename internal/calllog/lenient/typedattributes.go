package lenient

import (
	"bytes"
	"encoding/json"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// PlainItem removes the types that a key-value database puts around every value of an item. ok is
// false if the text is no such item.
func PlainItem(text []byte) (plain []byte, ok bool) {
	if !mayHoldItem(text) {
		return nil, false
	}
	value, fault := strictjson.Decode(text, maxDepth)
	if fault != nil {
		return nil, false
	}
	values, ok := itemIn(value)
	if !ok {
		return nil, false
	}
	plain, err := json.Marshal(values)
	return plain, err == nil
}

// mayHoldItem quickly checks whether a text may hold an item; most do not.
func mayHoldItem(text []byte) bool {
	return bytes.Contains(text, []byte(`"S"`)) || bytes.Contains(text, []byte(`"M"`))
}

// withoutTypes removes the types from an item of a key-value database, whose exports and streams
// wrap every value in an object that names its type: {"call_id": {"S": "5f0c2a"}, "call": {"M":
// {…}}}. Other values are returned unchanged.
func withoutTypes(value any) any {
	if values, ok := itemIn(value); ok {
		return values
	}
	return value
}

// itemIn returns the plain object of an item, which stands alone, as the Item of a line of an
// export, or as the NewImage of a stream record.
func itemIn(value any) (*strictjson.Object, bool) {
	outer, ok := value.(*strictjson.Object)
	if !ok {
		return nil, false
	}
	if stream, is := outer.Get("dynamodb").(*strictjson.Object); is {
		outer = stream
	}
	for _, name := range []string{"Item", "NewImage"} {
		item, is := outer.Get(name).(*strictjson.Object)
		if !is {
			continue
		}
		if plain, ok := plainItem(item); ok {
			return plain, true
		}
	}
	return plainItem(outer)
}

// plainItem returns an object without the types of its values; ok is false if any value has none,
// or there are no values.
func plainItem(values *strictjson.Object) (plain *strictjson.Object, ok bool) {
	plain = new(strictjson.Object)
	for name, value := range values.All() {
		inner, ok := attribute(value)
		if !ok {
			return nil, false
		}
		plain.Put(name, inner)
	}
	return plain, values.Len() > 0
}

// attribute returns the value in an object that names its type; ok is false if it is no such
// object.
func attribute(value any) (plain any, ok bool) {
	typed, isObject := value.(*strictjson.Object)
	if !isObject || typed.Len() != 1 {
		return nil, false
	}
	kind := typed.Names()[0]
	inner := typed.Get(kind)
	switch kind {
	case "S", "B":
		_, ok = strictjson.Text(inner)
	case "N":
		text, isText := strictjson.Text(inner)
		number, _ := strictjson.Decode([]byte(text), 1)
		_, isNumber := strictjson.Number(number)
		inner, ok = number, isText && isNumber
	case "BOOL":
		_, ok = inner.(bool)
	case "NULL":
		_, ok = inner.(bool)
		inner = nil
	case "SS", "NS", "BS":
		_, ok = inner.([]any)
	case "M":
		values, isObject := inner.(*strictjson.Object)
		if isObject && values.Len() == 0 {
			return inner, true
		}
		if isObject {
			return plainItem(values)
		}
	case "L":
		inner, ok = plainList(inner)
	}
	return inner, ok
}

func plainList(value any) (plain any, ok bool) {
	list, ok := value.([]any)
	out := make([]any, len(list))
	for i := range list {
		var is bool
		out[i], is = attribute(list[i])
		ok = ok && is
	}
	return out, ok
}
