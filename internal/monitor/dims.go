package monitor

import (
	"encoding/json"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The dimensions of every workspace. A declared metadata key is a dimension named
// "metadata.KEY".
const (
	DimAgent   = "agent"
	DimVersion = "agent_version"
	DimPrompt  = "prompt"
	DimModel   = "model"
	DimKey     = "metadata."
)

// Other is the value that stands for all values beyond the limit of a dimension.
const Other = "other"

// dimsOf returns the values of the call's dimensions.
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

// metadataDims adds the values of the declared keys in metadata.
func metadataDims(out map[string]string, metadata map[string]any, keys []string) {
	for _, key := range keys {
		if value := asCounted(plainValue(metadata[key])); value != "" && !compound(value) {
			out[DimKey+key] = value
		}
	}
}

// plainValue returns a simple value as text, "" for objects, lists and null.
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
		text, _ := json.Marshal(v) // NaN cannot occur, since it is not JSON
		return string(text)
	}
	return ""
}
