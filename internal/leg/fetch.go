package leg

import "unsafe"

// Fetch has size bytes from at on brought into the processor's cache, and does not wait
// until they are there. It changes nothing, and what was never written to is left alone.
// A line hands it to those whose turn comes next, because the memory of one call is
// driven out of the cache by that of a thousand others from one turn to the next.
type Fetch func(at unsafe.Pointer, size uintptr)
