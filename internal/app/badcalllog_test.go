package app

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileCallLogs takes true bodies of both platforms and puts something
// else in the place of one value after the other: whatever it is, the answer is
// never a fault of ours.
func TestHostileCallLogs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // which places are tried is no secret
	for _, provider := range []string{"platform_a", "platform_b"} {
		files, err := filepath.Glob("../calllog/" + strings.ReplaceAll(provider, "_", "") + "/testdata/*.json")
		must(t, err)
		tried := 0
		for _, file := range files {
			if strings.HasSuffix(file, ".want.json") {
				continue
			}
			text, err := os.ReadFile(file)
			must(t, err)
			for range 12 {
				var payload any
				must(t, json.Unmarshal(text, &payload))
				spoil(random, payload)
				body, err := json.Marshal(map[string]any{"provider": provider, "payload": payload})
				must(t, err)
				tried++
				if a := r.ask(t, r.mine, "POST", "/v2/call-logs", body); a.status != 202 && a.status != 422 && a.status != 400 {
					t.Errorf("%s: answered %d: %s\nto %.2000s", file, a.status, a.body, body)
				}
			}
		}
		if tried < 40 {
			t.Errorf("%s: only %d bodies", provider, tried)
		}
	}
}

// odd are values that stand where nobody expects them.
func odd(random *rand.Rand) any {
	return []any{
		nil, true, "", "\u0000", "\ufffd\u202e", strings.Repeat("x", 70_000), -1, 0, 1e300, 9007199254740993, 0.5, "NaN", "1e400", []any{}, map[string]any{},
		[]any{nil, []any{}, map[string]any{"": nil}}, map[string]any{"$ref": "#", "role": 1}, "2025-13-45T99:99:99Z", "https://user:secret@[::1]:99999/", -1 << 62,
	}[random.IntN(20)]
}

// spoil changes one to three places of the value, at any depth.
func spoil(random *rand.Rand, value any) {
	for range 1 + random.IntN(3) {
		at := value
		for depth := 0; depth < 12; depth++ {
			switch v := at.(type) {
			case map[string]any:
				if len(v) == 0 {
					depth = 12
					continue
				}
				keys := make([]string, 0, len(v))
				for k := range v {
					keys = append(keys, k)
				}
				k := keys[random.IntN(len(keys))]
				if random.IntN(4) == 0 {
					v[k] = odd(random)
					depth = 12
					continue
				}
				at = v[k]
			case []any:
				if len(v) == 0 {
					depth = 12
					continue
				}
				i := random.IntN(len(v))
				if random.IntN(4) == 0 {
					v[i] = odd(random)
					depth = 12
					continue
				}
				at = v[i]
			default:
				depth = 12
			}
		}
	}
}
