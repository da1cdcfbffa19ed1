package rest

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// tellLists types the lists of answers as lists alone: none of them is ever null, and whoever
// reads one with a generated client would have to look for a null that never comes. What can be
// sent as well keeps it: a null there is taken for an empty list.
func (s *Server) tellLists() {
	doc := s.API.OpenAPI()
	sent, shown := reached{}, reached{}
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil {
				continue
			}
			if op.RequestBody != nil {
				sent.add(doc, op.RequestBody.Content)
			}
			for _, answer := range op.Responses {
				shown.add(doc, answer.Content)
			}
		}
	}
	for schema := range shown {
		if schema.Type == huma.TypeArray && !sent[schema] {
			schema.Nullable = false
		}
	}
}

// reached are schemas that bodies lead to.
type reached map[*huma.Schema]bool

func (r reached) add(doc *huma.OpenAPI, bodies map[string]*huma.MediaType) {
	for _, body := range bodies {
		r.follow(doc, body.Schema)
	}
}

func (r reached) follow(doc *huma.OpenAPI, schema *huma.Schema) {
	if schema == nil || r[schema] {
		return
	}
	r[schema] = true
	if schema.Ref != "" {
		r.follow(doc, doc.Components.Schemas.SchemaFromRef(schema.Ref))
	}
	r.follow(doc, schema.Items)
	for _, part := range slices.Concat(schema.AnyOf, schema.OneOf) {
		r.follow(doc, part)
	}
	for _, part := range schema.Properties {
		r.follow(doc, part)
	}
	if values, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		r.follow(doc, values)
	}
}
