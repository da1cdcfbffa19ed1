package clinic

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

func TestEveryItemOfTheDatasetIsValid(t *testing.T) {
	t.Parallel()
	items, err := scenario.ParseItems(Dataset(), scenario.YAML)
	if err != nil {
		t.Fatalf("the dataset has problems: %v %v", err, err.Fields)
	}
	if len(items) < 8 {
		t.Errorf("the dataset has %d items, the demo wants at least 8", len(items))
	}
	keys := map[string]bool{}
	for _, item := range items {
		if problems := item.Validate("item"); len(problems) > 0 {
			t.Errorf("%s: %v", item.Key, problems)
		}
		if item.Key == "" || keys[item.Key] {
			t.Errorf("the key %q is missing or stands twice", item.Key)
		}
		keys[item.Key] = true
		if item.NeedsModel() {
			t.Errorf("%s needs a language model, which the demo does not have", item.Key)
		}
	}
}
