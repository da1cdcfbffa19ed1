package activity

import "unsafe"

// telephoneNear is how many samples of the last window are kept on a telephone line.
const telephoneNear = 96

// Warm has fetch bring into the processor's cache what the next Step will need.
func (a *Detector) Warm(fetch func(at unsafe.Pointer, size uintptr)) {
	fetch(unsafe.Pointer(a), unsafe.Offsetof(a.floor)+unsafe.Offsetof(a.floor.lows))
	fetch(unsafe.Pointer(&a.behind), unsafe.Offsetof(a.near)-unsafe.Offsetof(a.behind)+telephoneNear*unsafe.Sizeof(a.near[0]))
}
