// Package review is what happens to any finished call, in five plain
// functions: hear, measure, feel, judge, settle. It can be run again over
// history.
//
// It reads recordings and rows through ports (ports.go), listens with package
// audio, scores with package score, and tells whoever is wired in app (package
// experiment) that a call is settled. Package queue runs it.
package review
