package activity

import "unsafe"

// telephoneNear is the number of samples of the last window that are kept on a telephone line.
const telephoneNear = 96

// Warm prefetches what the next Step needs.
func (a *Detector) Warm(fetch func(at unsafe.Pointer, size uintptr)) {
	fetch(unsafe.Pointer(a), unsafe.Offsetof(a.floor)+unsafe.Offsetof(a.floor.lows))
	fetch(unsafe.Pointer(&a.behind), unsafe.Offsetof(a.near)-unsafe.Offsetof(a.behind)+telephoneNear*unsafe.Sizeof(a.near[0]))
}
