//go:build !linux

package linetest

import "time"

// processors is none: here threads cannot be kept in a place.
func processors() []int { return nil }

func prefer(int) {}

func nap(d time.Duration) { time.Sleep(d) }
