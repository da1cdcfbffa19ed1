package calllog

import "github.com/ringtrue/ringtrue/internal/calllog/lenient"

// agentNameKey is the only metadata key that concerns the agent alone.
const agentNameKey = "agent_name"

// redacted returns the record without what may not be kept, by its own setting
// or by that of another record of the same call.
func redacted(r Record, keep Keep) Record {
	keep = keep.Stricter(r.Keep)
	if keep == KeepEverything {
		return r
	}
	metadata := aboutAgent(r.Metadata)
	r = r.Under(keep)
	r.Metadata, r.TestCall = metadata, ""
	return r
}

func aboutAgent(metadata map[string]any) map[string]any {
	name, ok := metadata[agentNameKey].(string)
	if !ok || len(name) > lenient.MaxName {
		return nil
	}
	return map[string]any{agentNameKey: name}
}
