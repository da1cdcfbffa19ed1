package leg

import "unsafe"

// Fetch prefetches size bytes starting at at into the processor's cache, without waiting for
// them. It changes nothing and never touches memory that was not written yet. A line passes it
// to the Parties whose turn comes next, because between two turns of one call the memory of a
// thousand others drives its own out of the cache.
type Fetch func(at unsafe.Pointer, size uintptr)
