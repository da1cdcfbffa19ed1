// Package pace schedules media. It provides threads with high priority that sleep until
// absolute times, so that delays do not accumulate, and measures how well that works: the Load
// of a thread, the Lateness of its frames, and the Lag of ordinary goroutines.
//
// A Pacer drives the media of calls whose packets are carried by something else, as in line/room. Package
// line/telephone has its own threads, built from the same parts, because it reads its sockets between two
// steps. Package app delays calls depending on the Load, and package telemetry exports the Lateness.
package pace
