package rest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// SchemaPlace is what a reference to a shape of the document begins with.
const SchemaPlace = "#/components/schemas/"

// finishDocument drops what the library puts in and nothing refers to, and says
// what it cannot say.
func (s *Server) finishDocument() {
	schemas := s.API.OpenAPI().Components.Schemas
	delete(schemas.Map(), "ErrorModel")
	delete(schemas.Map(), "ErrorDetail")
	for name, schema := range schemas.Map() {
		if typ := schemas.TypeFromRef(SchemaPlace + name); typ != nil {
			tellNull(schema, typ)
		}
		tellExactly(schema)
	}
	s.tellLists()
}

// tellExactly puts null among the words of a text that may be null: the library
// lists the words alone, which by the letter of JSON Schema shuts null out. And
// it takes out what is no word of OpenAPI, once the messages have been made of it.
func tellExactly(schema *huma.Schema) {
	if schema == nil {
		return
	}
	if schema.Nullable && len(schema.Enum) > 0 && !slices.Contains(schema.Enum, nil) {
		schema.Enum = append(schema.Enum, nil)
	}
	schema.PatternDescription = ""
	for _, p := range schema.Properties {
		tellExactly(p)
	}
	tellExactly(schema.Items)
}

// tellNull lets the fields of an object be null that hold another object or
// none, and the elements of a list that do: the library cannot say so of a reference.
func tellNull(object *huma.Schema, typ reflect.Type) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(typ) {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := object.Properties[name]
		switch {
		case p == nil:
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Pointer && p.Items != nil && p.Items.Ref != "":
			p.Items = orNothing(p.Items)
		case f.Type.Kind() == reflect.Pointer && !strings.Contains(more, "omit") && p.Ref != "":
			object.Properties[name] = orNothing(p)
		}
	}
}

// orNothing is what a reference leads to, or null.
func orNothing(ref *huma.Schema) *huma.Schema {
	either := &huma.Schema{Description: ref.Description, AnyOf: []*huma.Schema{{Ref: ref.Ref}, {Type: "null"}}}
	either.PrecomputeMessages()
	return either
}
