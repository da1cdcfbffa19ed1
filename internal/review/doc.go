// Package review is what happens to any finished call, in plain functions:
// hear, measure, judge, feel, settle. It can be run again over history.
//
// It reads recordings and rows through ports (ports.go), listens with package
// audio, measures with score/timing, scores with package score, and tells
// whoever is wired in app (package experiment) that a call is settled. Package
// queue runs it.
//
// Before any score stands the question whether the call is evidence at all
// (gate.go): a call that our own side spoilt is void and counts against nobody.
package review
