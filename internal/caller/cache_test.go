package caller

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// silentMouth fails after a minute.
type silentMouth struct{}

func (silentMouth) Engine() string { return "fake" }

func (silentMouth) Say(ctx context.Context, _ scenario.Persona, _, _ string) (audio.Clip, error) {
	select {
	case <-time.After(time.Minute):
		return audio.Clip{}, errBroken
	case <-ctx.Done():
		return audio.Clip{}, ctx.Err()
	}
}

// TestCallsThatShareALineFailTogether checks that calls that wait for the same line do not ask a silent mouth for
// it one after the other, but that a call that was given up fails no other.
func TestCallsThatShareALineFailTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, began := NewCache(defaultCacheBytes), time.Now()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := Prepare(t.Context(), silentMouth{}, cache, script(say("one"), hangUp())); !errors.Is(err, errBroken) {
					t.Errorf("gave %v, want %v", err, errBroken)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took > time.Minute {
			t.Errorf("20 calls waited %s for a mouth that fails after a minute", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		cache := NewCache(defaultCacheBytes)
		givenUp, giveUp := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = Prepare(givenUp, silentMouth{}, cache, script(say("one"), hangUp())) })
		synctest.Wait()
		wg.Go(func() {
			if _, err := Prepare(t.Context(), &fakeMouth{}, cache, script(say("one"), hangUp())); err == nil {
				return
			}
			t.Error("a call failed because another one was given up")
		})
		synctest.Wait()
		giveUp()
		wg.Wait()
	})
}
