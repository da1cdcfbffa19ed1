package review

import (
	"errors"
	"testing"
	"time"
)

// Only time in which a recording is tried counts towards its hour: not a long queue before the
// first try, a long stop of the service, or a clock that is set.
func TestTheHourOfARecordingIsItsOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tries int
		jump  time.Duration
	}{
		"a long queue": {0, 61 * time.Minute}, "stopped over night": {2, 9 * time.Hour}, "set forward": {5, 2 * time.Hour}, "set back": {5, -2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := produce(t)
			p.web.err = errors.New("connection refused by 10.0.0.1")
			if err := p.service.Review(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			tried := time.Duration(0)
			for n := 0; ; n++ {
				if n == c.tries {
					p.now = p.now.Add(c.jump)
				}
				var wait Wait
				if !errors.As(p.service.Fetch(t.Context(), id), &wait) {
					break
				}
				p.now, tried = p.now.Add(wait.After), tried+wait.After
			}
			if tried < fetchFor || tried > 2*fetchFor {
				t.Errorf("tried for %s", tried)
			}
		})
	}
}
