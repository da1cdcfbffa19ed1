//go:build amd64 || arm64

package prefetch

import "unsafe"

// Fetch has the processor bring size bytes from at on into its cache, and does not wait
// for them (see leg.Fetch). Go has no word for that; reading them instead would wait
// for each as soon as a few are under way.
//
//go:noescape
func Fetch(at unsafe.Pointer, size uintptr)
