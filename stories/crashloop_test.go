package stories

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/bench/crash/crashloop"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestCrashLoop kills the service a few times at random moments and looks for
// everything that it had acknowledged. `go run ./bench/crash -n 1000` does it
// for as long as one likes; each takes some nine seconds.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	const kills = 5
	for name, database := range map[string]func(context.Context) (string, error){
		"sqlite":   nil,
		"postgres": func(context.Context) (string, error) { return pgtest.Database(t), nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Another seed every day, and the same all day long.
			seed := uint64(time.Now().Unix() / 86400)
			f, err := crashloop.Run(t.Context(), crashloop.Options{
				Binary: build(t), Kills: kills, Seed: seed, Database: database, Folder: t.TempDir(), Progress: t.Output(),
			})
			must(t, err)
			if len(f.Findings) > 0 {
				log, _ := os.ReadFile(f.Evidence + "/serve.log")
				t.Errorf("seed %d: %d violations; the service said:\n%s", seed, len(f.Findings), log)
			}
			if f.Kills < kills || f.Acknowledged < 2*kills || f.Experiments == 0 || f.Lost+f.Doubled+f.Orphans > 0 {
				t.Errorf("seed %d: %+v", seed, f)
			}
		})
	}
}
