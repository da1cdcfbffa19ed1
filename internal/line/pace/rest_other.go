//go:build !linux

package pace

import "time"

// rest implements the sleep of a pacing goroutine.
type rest struct{}

func newRest(func() time.Time, time.Time) rest { return rest{} }

// until sleeps for the duration wait (ns).
func (rest) until(_, wait int64) { <-time.NewTimer(time.Duration(wait)).C }

// prefer does nothing on this system.
func prefer() {}

// MakeRoom does nothing on this system: a sleeping goroutine keeps no processor.
func MakeRoom(int) {}
