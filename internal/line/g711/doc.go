// Package g711 is the codec of telephone lines as RTP carries it: its two laws by the
// names and payload types of RFC 3551, how much of it a packet holds, and how it lies on
// a recording.
//
// Package audio does the arithmetic and package leg keeps the Tape. Package line/jitter
// reads it from packets, package line/telephone writes it into them, and line/sip agrees on it
// with the far end. Rooms do not know it, though they too reckon time in samples of its rate.
package g711
