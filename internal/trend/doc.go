// Package trend is the arithmetic over many calls: sketches that merge, what a
// series may be expected to show at an hour of the week, where it departs from
// that, where callers leave, which failures are alike, and whether a difference
// is more than chance. Plain samples come in and plain results go out: it knows
// no store, no clock and no randomness that is not handed in.
//
// A call's own figures come from score and emotion. Package bucket keeps sketches,
// package monitor asks these questions of production calls, and experiment/compare
// of two experiments. Formulas, limits and validation figures
// are in docs/metrics/trends.md; trend/trendtest makes histories with known
// faults to measure this package by.
package trend
