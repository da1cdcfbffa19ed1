package scenario

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The reference must name every key, and its examples must be good scenarios.
func TestReferenceIsComplete(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	eachKey(reflect.TypeFor[Item](), nil, func(key string) {
		if !strings.Contains(text, key) {
			t.Errorf("docs/scenarios.md does not name %q", key)
		}
	})
	for _, code := range call.EndCodes() {
		if !strings.Contains(text, "`"+code+"`") {
			t.Errorf("docs/scenarios.md does not name the end reason %q", code)
		}
	}
	for _, block := range regexp.MustCompile("(?s)```(yaml|csv)\n(.*?)```").FindAllStringSubmatch(text, -1) {
		format, example := Format(block[1]), block[2]
		if rest, ok := strings.CutPrefix(example, "script:"); ok {
			example = "- input:\n    facts: {day: Monday}\n    script:" + strings.ReplaceAll(rest, "\n", "\n    ")
		}
		if _, bad := ParseItems([]byte(example), format); bad != nil {
			t.Errorf("an example is not valid: %v\n%s", bad, example)
		}
	}
}

func eachKey(t reflect.Type, seen []reflect.Type, visit func(string)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	if slices.Contains(seen, t) {
		return
	}
	for field := range t.Fields() {
		visit(tagOf(field))
		eachKey(field.Type, append(seen, t), visit)
	}
}
