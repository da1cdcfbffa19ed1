// Package trend is the arithmetic over many calls: what a metric's points hold, where
// callers leave, which failures are alike, and whether a difference is more than chance.
// Its child trend/departure tells where a series departs from what is usual. Both stand on
// trend/sketch, which keeps distributions that add up, and on trend/chance. Plain samples come in
// and plain results go out: it knows no store, no clock and no randomness that is not handed in.
//
// A call's own figures come from score and emotion. Package bucket keeps sketches,
// package monitor asks these questions of production calls, and experiment/compare
// of two experiments. Formulas are in docs/metrics/trends.md.
package trend
