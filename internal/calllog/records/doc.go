// Package records finds the records of finished calls in a file (webhook bodies,
// bare calls, submissions, lists of them, JSONL, with or without wrapping) and makes
// a submission of each that package calllog accepts. It recognises a record and its
// provider, and leaves its content to calllog. The command `ringtrue import` reads
// files with it.
package records
