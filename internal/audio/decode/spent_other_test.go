//go:build !unix

package decode_test

import (
	"testing"
	"time"
)

// spent is the time by the clock where that of the processor is not known.
func spent(*testing.T) time.Duration { return time.Duration(time.Now().UnixNano()) }
