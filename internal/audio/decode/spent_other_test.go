//go:build !unix

package decode_test

import (
	"testing"
	"time"
)

// spent returns the wall time, because the processor time is not available here.
func spent(*testing.T) time.Duration { return time.Duration(time.Now().UnixNano()) }
