//go:build !linux

package pace

import "time"

// rest is how a pacing goroutine sleeps.
type rest struct{}

func newRest(func() time.Time, time.Time) rest { return rest{} }

// until sleeps for a while (ns).
func (rest) until(_, wait int64) { <-time.NewTimer(time.Duration(wait)).C }

// prefer does nothing here.
func prefer() {}

// MakeRoom does nothing here: a goroutine that sleeps keeps no processor.
func MakeRoom(int) {}
