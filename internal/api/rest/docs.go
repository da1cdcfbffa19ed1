package rest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// docsView is what the docs page shows.
type docsView struct {
	Title, Version, Description, Base string
	Groups                            []docsGroup
	Schemas                           []docsSchema
}

type docsGroup struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Description string
	Params                                 []docsField
	Body                                   []docsType
	Answers                                []docsAnswer
}

type docsAnswer struct {
	Status, Description, Media string
	Type                       []docsType
}

type docsSchema struct {
	Name, Description string
	Fields            []docsField
}

type docsField struct {
	Name, In, Description, Rules string
	Required                     bool
	Type                         []docsType
}

// docsType names one of the types that a value may have; Link is the schema it leads to, "" for a plain one.
type docsType struct{ Text, Link string }

// docs reads the OpenAPI document into what the page shows.
func (s *Server) docs() docsView {
	o := s.API.OpenAPI()
	v := docsView{Title: o.Info.Title, Version: o.Info.Version, Description: o.Info.Description, Base: o.Servers[0].URL}
	for _, path := range slices.Sorted(maps.Keys(o.Paths)) {
		item := o.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				v.add(op)
			}
		}
	}
	slices.SortStableFunc(v.Groups, func(a, b docsGroup) int { return cmp.Compare(a.Name, b.Name) })
	schemas := o.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		v.Schemas = append(v.Schemas, docsSchema{name, schemas[name].Description, fieldsOf(schemas[name])})
	}
	return v
}

func (v *docsView) add(op *huma.Operation) {
	name := "Other"
	if len(op.Tags) > 0 {
		name = op.Tags[0]
	}
	i := slices.IndexFunc(v.Groups, func(g docsGroup) bool { return g.Name == name })
	if i < 0 {
		v.Groups = append(v.Groups, docsGroup{Name: name})
		i = len(v.Groups) - 1
	}
	v.Groups[i].Operations = append(v.Groups[i].Operations, operationView(op))
}

func operationView(op *huma.Operation) docsOperation {
	out := docsOperation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description}
	for _, p := range op.Parameters {
		out.Params = append(out.Params, docsField{
			Name: p.Name, In: p.In, Description: p.Description, Required: p.Required, Type: typesView(p.Schema), Rules: rulesOf(p.Schema),
		})
	}
	if op.RequestBody != nil {
		for _, media := range slices.Sorted(maps.Keys(op.RequestBody.Content)) {
			out.Body = typesView(op.RequestBody.Content[media].Schema)
			break
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		a := docsAnswer{Status: status, Description: r.Description}
		for _, media := range slices.Sorted(maps.Keys(r.Content)) {
			a.Media, a.Type = media, typesView(r.Content[media].Schema)
			break
		}
		out.Answers = append(out.Answers, a)
	}
	return out
}

func fieldsOf(s *huma.Schema) []docsField {
	var out []docsField
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		out = append(out, docsField{
			Name: name, Description: p.Description, Required: slices.Contains(s.Required, name), Type: typesView(p), Rules: rulesOf(p),
		})
	}
	return out
}

// typesView are the types that a value may have.
func typesView(s *huma.Schema) []docsType {
	types := typesOf(s)
	if s != nil && s.Nullable {
		types = append(types, docsType{Text: "null"})
	}
	return types
}

func typesOf(s *huma.Schema) []docsType {
	switch {
	case s == nil:
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return []docsType{{Text: name, Link: name}}
	case len(s.AnyOf)+len(s.OneOf) > 0:
		var types []docsType
		for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
			types = append(types, typesView(one)...)
		}
		return types
	case s.Type == huma.TypeArray:
		types := typesView(s.Items)
		types[0].Text = "list of " + types[0].Text
		return types
	case s.Type != "":
		return []docsType{{Text: s.Type}}
	}
	return []docsType{{Text: "anything"}}
}

// rulesOf are the bounds of a value in words.
func rulesOf(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	var rules []string
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = cmp.Or(textOf(e), `""`)
		}
		rules = append(rules, "one of "+strings.Join(words, ", "))
	}
	if s.Minimum != nil {
		rules = append(rules, "at least "+textOf(*s.Minimum))
	}
	if s.Maximum != nil {
		rules = append(rules, "at most "+textOf(*s.Maximum))
	}
	if s.Pattern != "" {
		rules = append(rules, s.Pattern)
	}
	if s.Default != nil {
		rules = append(rules, "default "+textOf(s.Default))
	}
	return strings.Join(rules, "; ")
}

func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
