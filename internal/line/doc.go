// Package line is the parent of the packages that carry calls; it contains no code.
//
// The lines themselves are line/sip, which phones an agent or is phoned, line/room, which meets it
// in a WebRTC room, and line/loop, which joins two Parties in memory in virtual time. All of them
// pass the test suite of package line/linetest. Below them, line/telephone handles the media of
// telephone calls; for rooms, a library does that. Both are built on line/pace (scheduling),
// line/jitter (the order and timing of packets) and line/loss. line/udp and line/keys serve
// line/telephone only, line/prefetch also line/jitter, and line/g711 defines the units used by all.
//
// A package imports only packages of lower layers. Package app creates the lines; packages leg
// and rtp define Parties and packets.
package line
