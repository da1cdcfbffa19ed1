//go:build linux && !amd64 && !arm64

package line

import "unsafe"

// fetch leaves it to the processor when to bring in what is needed.
func fetch(unsafe.Pointer, uintptr) {}
