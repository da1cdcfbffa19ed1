// Package activity detects speech: frame by frame during a call (Detector), which only decides when
// the caller speaks, and in a whole channel afterwards (Segments), on which every published timing
// figure is based. Both work on energies in mel bands (spectrum), and neither takes call progress tones
// for speech (toneEar, toneCutter).
//
// It uses package audio. The caller and the practice agent listen with a Detector; package review
// splits recordings by Segments, and score/timing measures the result. Package audio/echo takes from
// segments what is an echo of the other channel. The accuracy of both is documented in
// docs/metrics/accuracy.md.
package activity
