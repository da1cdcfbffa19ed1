// Package trend does statistics over many calls: what the points of a metric show, where callers
// leave, which failures are similar, and whether a difference is more than chance. Its subpackage
// trend/departure finds where a series departs from the usual; trend/sketch stores distributions
// that can be added up, and trend/chance computes probabilities. Input and output are plain
// values: there is no store, no clock, and no randomness that is not passed in.
//
// The values of single calls come from packages score and emotion. Package bucket stores
// sketches, package monitor uses trend for production calls, and experiment/compare for two
// experiments. Formulas are in docs/metrics/trends.md.
package trend
