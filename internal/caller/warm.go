package caller

import (
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// Warm prefetches the fields that the next Step uses. A line calls it a few turns before the
// caller's own, and WarmFurther one turn before.
func (c *Caller) Warm(fetch leg.Fetch) { fetch(unsafe.Pointer(c), unsafe.Offsetof(c.timeline)) }

// WarmFurther prefetches the memory that those fields point to.
func (c *Caller) WarmFurther(fetch leg.Fetch) {
	if c.gone {
		return
	}
	if c.agent.activity != nil {
		c.agent.activity.Warm(fetch)
	}
	if p, ok := c.mind.(*player); ok {
		fetch(unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
	if v := &c.voice; v.playing && v.pos < len(v.now.pcm) {
		next := v.now.pcm[v.pos:]
		next = next[:min(len(next), leg.Samples(c.rate))]
		fetch(unsafe.Pointer(&next[0]), uintptr(len(next))*unsafe.Sizeof(next[0]))
	}
}
