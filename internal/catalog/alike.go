package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// alike reports whether the items of a file say what those of the dataset say, in the
// same order. Whoever places the same file again means the same scenarios.
func alike(items, old []scenario.Item) (bool, error) {
	if len(items) != len(old) || len(items) == 0 {
		return false, nil
	}
	ids := make(map[string]bool, len(old))
	for _, o := range old {
		ids[o.ID] = true
	}
	for i, item := range items {
		item.Key = keyOf(item)
		if !ids[item.ID] {
			item.ID = old[i].ID
		}
		now, err := json.Marshal(item)
		if err != nil {
			return false, fmt.Errorf("write an item: %w", err)
		}
		before, err := json.Marshal(old[i])
		if err != nil {
			return false, fmt.Errorf("write an item: %w", err)
		}
		if !bytes.Equal(now, before) {
			return false, nil
		}
	}
	return true, nil
}
