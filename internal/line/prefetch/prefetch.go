//go:build amd64 || arm64

package prefetch

import "unsafe"

// Fetch asks the processor to bring size bytes from at into its cache, without waiting for them
// (see leg.Fetch). Go has no such instruction, and reading the bytes instead would block once a
// few reads were in progress.
//
//go:noescape
func Fetch(at unsafe.Pointer, size uintptr)
