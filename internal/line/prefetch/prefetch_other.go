//go:build !amd64 && !arm64

package prefetch

import "unsafe"

// Fetch leaves it to the processor when to bring in what is needed.
func Fetch(unsafe.Pointer, uintptr) {}
