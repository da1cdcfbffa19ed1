// Package pace is when things are due: media threads that the system prefers and that
// sleep to absolute moments, so that no delay adds up, and the measuring of how well that
// went: the Load of a thread, the Lateness of its frames, and the Lag of the ordinary
// goroutines beside it.
//
// A Pacer steps the media of calls whose packets something else carries, as in
// line/room. Package line/telephone has threads of its own, made of the same parts, because it
// reads its sockets between two steps. Package app holds calls back by the Load, and
// package telemetry tells of the Lateness.
package pace
