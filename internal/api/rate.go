package api

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// keyRates holds every API key and every person to a number of requests per second.
type keyRates struct {
	// perSecond is the limit of one key; 0 means none.
	perSecond float64

	mu   sync.Mutex
	keys map[string]*rate.Limiter
}

// maxIdleKeys is how many keys are remembered before those are forgotten that
// have their whole allowance again.
const maxIdleKeys = 1024

// burst is how many seconds' worth of requests a key may send at once.
const burst = 2

// take lets one request of the key or person with the id through, or says when it may come again.
func (k *keyRates) take(id string, now time.Time) time.Duration {
	if k.perSecond <= 0 {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	limiter, ok := k.keys[id]
	if !ok {
		k.forget(now)
		limiter = rate.NewLimiter(rate.Limit(k.perSecond), max(1, int(burst*k.perSecond)))
		if k.keys == nil {
			k.keys = map[string]*rate.Limiter{}
		}
		k.keys[id] = limiter
	}
	reserved := limiter.ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
}

// forget drops the keys that have been idle, when there are many.
func (k *keyRates) forget(now time.Time) {
	if len(k.keys) < maxIdleKeys {
		return
	}
	for id, limiter := range k.keys {
		if limiter.TokensAt(now) >= float64(limiter.Burst()) {
			delete(k.keys, id)
		}
	}
}
