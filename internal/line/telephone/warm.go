package telephone

import "github.com/ringtrue/ringtrue/internal/leg"

// warmer is a Party that has fetched what its next Step will need: Warm its own memory,
// WarmFurther, later on, what that leads to.
type warmer interface {
	Warm(fetch leg.Fetch)
	WarmFurther(fetch leg.Fetch)
}
