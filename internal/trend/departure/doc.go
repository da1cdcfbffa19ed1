// Package departure learns what to expect of a series at each hour of the week from its history,
// and finds where it departs from that: outages, steps and slow drifts (Find). It also computes
// what several hours together should show (Report.Together), and an agent's health from what was
// found (Judge). It stands on package trend's metrics and intervals.
//
// Package monitor uses it for production calls. Formulas, limits and validation figures are in
// docs/metrics/trends.md; trend/trendtest makes histories with known faults to measure it by.
package departure
