//go:build !unix

package app

import "context"

// lockData does nothing on systems without locks that end with their process.
func lockData(context.Context, string, *cleanups) error { return nil }
