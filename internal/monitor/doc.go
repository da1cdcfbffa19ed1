// Package monitor watches calls over time. It turns each settled call into one narrow
// fact row, counts facts in hourly buckets, looks for departures from the usual, and
// answers the questions of the monitoring pages from buckets alone, so that the cost
// of a page does not grow with the number of calls. Buckets are recomputed from
// facts, never incremented, so that a second review, a merge, a new link to an agent
// and an erasure leave exact figures.
//
// Package bucket defines what is counted and how it is stored. Package app hands over
// settled calls from package review, package trend computes baselines, anomalies and
// significance, package store stores facts and buckets, package api serves the
// answers.
package monitor
