// Package monitor watches calls over time. It turns a settled call into one
// narrow fact row, keeps hourly and daily buckets that are recomputed from fact
// rows (never counted up or down, so that a second review, a merge, a new link
// to an agent and an erasure leave exact figures), and answers the questions of
// the monitoring pages from buckets alone: what a page costs does not grow with
// the number of calls.
//
// Package review hands it settled calls through package app, package trend does
// the arithmetic of baselines, anomalies and significance, package store keeps
// facts and buckets, package api shows the answers.
package monitor
