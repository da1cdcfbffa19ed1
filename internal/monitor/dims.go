package monitor

import (
	"encoding/json"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The dimensions that every workspace has. Declared metadata keys are
// dimensions of the name "metadata.KEY".
const (
	DimAgent   = "agent"
	DimVersion = "agent_version"
	DimPrompt  = "prompt"
	DimModel   = "model"
	DimKey     = "metadata."
)

// Other is the value that stands for all values beyond those that a dimension may have.
const Other = "other"

// dimsOf are the values of the call's dimensions.
func dimsOf(c call.Call, told call.Reported, keys []string) map[string]string {
	out := map[string]string{}
	put := func(dim, value string) {
		if value = asCounted(value); value != "" {
			out[dim] = value
		}
	}
	put(DimVersion, told.AgentVersion)
	put(DimPrompt, told.Prompt)
	put(DimModel, told.Model)
	metadataDims(out, c.Metadata, keys)
	if len(out) == 0 {
		return nil
	}
	return out
}

// metadataDims adds the declared keys that the metadata have.
func metadataDims(out map[string]string, metadata map[string]any, keys []string) {
	for _, key := range keys {
		if value := asCounted(plainValue(metadata[key])); value != "" && !compound(value) {
			out[DimKey+key] = value
		}
	}
}

// plainValue is the text of a simple value; what has parts of its own is no dimension.
func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case float64:
		text, _ := json.Marshal(v) // NaN is no JSON and cannot have come from any
		return string(text)
	}
	return ""
}
