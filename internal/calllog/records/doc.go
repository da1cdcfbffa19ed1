// Package records finds the records of finished calls in a file: webhook bodies,
// bare calls, whole submissions, lists of them and JSONL, in whatever they were kept
// in, and makes a submission of each, such as package calllog accepts. It knows how
// a record is told and by whom it was written, and leaves what it says to calllog.
// The command `ringtrue import` reads files with it.
package records
