//go:build !amd64 && !arm64

package prefetch

import "unsafe"

// Fetch does nothing on this system.
func Fetch(unsafe.Pointer, uintptr) {}
