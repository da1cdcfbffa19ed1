// Package monitor watches calls over time. It turns a settled call into one
// narrow fact row, counts facts into hourly buckets that are recomputed from them
// (never counted up or down, so that a second review, a merge, a new link
// to an agent and an erasure leave exact figures), looks for what departs from the
// usual, and answers the questions of the monitoring pages from buckets alone: what a
// page costs does not grow with the number of calls.
//
// Package bucket is what is counted and how it is kept. Package review hands
// settled calls over through package app, package trend does the arithmetic of
// baselines, anomalies and significance, package store keeps facts and buckets,
// package api shows the answers.
package monitor
