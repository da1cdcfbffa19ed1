package app

import (
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// The same file again is the same version, after all that the database does to it.
func TestADatasetThatIsPlacedAgainKeepsItsVersion(t *testing.T) {
	t.Parallel()
	const file = `
- key: a
  input: {goal: "ask Zoë", script: [wait_for_agent, hang_up], facts: {n: 1, price: 2.50, long: "12345678901234567890"}}
  output: {timing: {duration_max_ms: 60000}}
  metadata: {big: 9007199254740991, part: 2.50, text: "<&>", none: null, deep: {list: [1, 2.0, x, true]}}
- input: {script: [{say: "two"}, hang_up]}
`
	for name, engine := range map[string][]func(*Options){"sqlite": nil, "postgres": {onPostgres(t)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, engine...)
			place := func(data string) client.Imported {
				t.Helper()
				got, err := r.mine.api.ImportItems(t.Context(), r.mine.dataset, client.Import{Format: "yaml", Data: []byte(data), Replace: true})
				must(t, err)
				return got
			}
			first := place(file)
			if again := place(file + "\n# nothing new\n"); again.Dataset.Version != first.Dataset.Version || again.Imported != first.Imported {
				t.Errorf("%+v, then %+v", first, again)
			}
			if other := place(file + "- input: {script: [hang_up]}\n"); other.Dataset.Version != first.Dataset.Version+1 {
				t.Errorf("%+v, then %+v", first, other)
			}
		})
	}
}
