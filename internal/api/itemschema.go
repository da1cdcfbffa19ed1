package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
)

// writtenSuffix ends the name of a schema that accepts more than the form in which the thing is
// shown.
const writtenSuffix = "Written"

// tellItemsWritten adds schemas for the forms in which items may be written: with bare words for
// steps, numbers for facts, and without an output. They are always shown in one form, which Item
// and Step describe.
func (s *server) tellItemsWritten() {
	schemas := s.API.OpenAPI().Components.Schemas.Map()
	if schemas["Item"] == nil {
		return
	}
	parts := []string{"Item", "Input", "Output", "Step", "WaitForWords", "Branch", "Case"}
	for _, name := range parts {
		schemas[name+writtenSuffix] = renamed(schemas[name], parts)
	}
	schemas["Item"+writtenSuffix].Required = []string{"input"}
	for place, facts := range map[string]string{"Input": "facts", "Output": "facts_stated"} {
		schemas[place+writtenSuffix].Properties[facts].AdditionalProperties = &huma.Schema{
			AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}},
		}
	}
	schemas["Step"+writtenSuffix] = stepWritten(schemas["Step"+writtenSuffix])
	for _, name := range []string{"DatasetCreate", "ItemsCreate", "ItemFile"} {
		if schemas[name] != nil {
			schemas[name] = renamed(schemas[name], parts)
		}
	}
	for _, path := range s.API.OpenAPI().Paths {
		for _, op := range []*huma.Operation{path.Post, path.Put} {
			if op != nil && op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
				media := op.RequestBody.Content["application/json"]
				media.Schema = renamed(media.Schema, parts)
			}
		}
	}
}

// stepWritten also accepts the bare name of an action that needs no settings, as the whole step or
// with true for its settings.
func stepWritten(step *huma.Schema) *huma.Schema {
	bare := []string{"wait_for_agent", "repeat_if_misunderstood"}
	for _, name := range bare {
		yes := &huma.Schema{Type: huma.TypeBoolean, Enum: []any{true}}
		step.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{step.Properties[name], yes, {Type: "null"}}}
	}
	words := &huma.Schema{Type: huma.TypeString, Pattern: "^(" + strings.Join(append(bare, "hang_up"), "|") + "|say:.*)$", Description: "The bare word of an action that needs no settings, or say: and the line to speak"}
	return &huma.Schema{Description: "What the caller does next: a bare word such as wait_for_agent, or an object with exactly one action", AnyOf: []*huma.Schema{words, step}}
}

// renamed is a copy of a schema that refers to the written forms of the named ones.
func renamed(schema *huma.Schema, names []string) *huma.Schema {
	if schema == nil {
		return nil
	}
	c := *schema
	if name, ok := strings.CutPrefix(c.Ref, rest.SchemaPlace); ok && slices.Contains(names, name) {
		c.Ref += writtenSuffix
	}
	c.Items = renamed(c.Items, names)
	c.AnyOf = slices.Clone(c.AnyOf)
	for i := range c.AnyOf {
		c.AnyOf[i] = renamed(c.AnyOf[i], names)
	}
	c.Properties = maps.Clone(c.Properties)
	for name, p := range c.Properties {
		c.Properties[name] = renamed(p, names)
	}
	return &c
}
