// Package activity tells where there is speech in sound: frame by frame while a call is on
// (Detector), which decides when the caller speaks and nothing else, and in a whole channel
// afterwards (Segments), which every published timing figure rests on. What both look at are
// energies in mel bands (spectrum).
//
// It stands on package audio. The caller and the practice agent listen with a Detector; package
// review cuts recordings by Segments, and score/timing measures what it found. How true both are is in
// docs/metrics/accuracy.md.
package activity
