// Package review reviews finished calls of any kind in plain functions: hear,
// measure, judge, feel, settle. A review can be repeated on old calls.
//
// It reads recordings and rows through ports (ports.go), listens with package
// audio, measures with score/timing, scores with package score, and reports a
// settled call to the function set in package app, such as package
// experiment's. Package queue runs it.
//
// Before anything is scored, the gate (gate.go) decides whether the call is
// evidence at all: a call that our own side spoilt is void and counts against
// nobody.
package review
