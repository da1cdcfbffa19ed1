package telephone

import "github.com/ringtrue/ringtrue/internal/leg"

// warmer is a Party that can prefetch what its next Step needs: Warm its own memory, and
// WarmFurther, called later, the memory that this points to.
type warmer interface {
	Warm(fetch leg.Fetch)
	WarmFurther(fetch leg.Fetch)
}
