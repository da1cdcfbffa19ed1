//go:build !linux

package linetest

import "time"

// processors returns nil: threads cannot be bound to processors on this system.
func processors() []int { return nil }

func prefer(int) {}

func nap(d time.Duration) { time.Sleep(d) }
