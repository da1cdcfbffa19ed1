// Package departure learns from what a series showed what it may be expected to show at each
// hour of the week, and finds where it departs from that: outages, steps, slow drifts (Find); what hours are expected to show as one (Report.Together); and how
// healthy an agent is by what was found (Judge). It stands on package trend's metrics and intervals.
//
// Package monitor asks it of production calls. Formulas, limits and validation figures are in
// docs/metrics/trends.md; trend/trendtest makes histories with known faults to measure it by.
package departure
