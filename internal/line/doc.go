// Package line is what every way a call can travel has in common: the placement of
// what arrives by its media time, what is counted of it, the jitter buffer, keys that
// are pressed and heard, and the loop that steps a Party every 20 ms by an absolute
// schedule.
//
// Package line/sip puts telephone signalling on top of it, line/room takes its
// placement (Wideband) and its schedule (Pacer) into WebRTC rooms, and line/loop joins
// two Parties in memory without any of it; line/linetest is the suite that all
// lines pass. Packets are read and written by package rtp, Parties and Tapes come
// from package leg, G.711 from package audio; what is counted goes into the records of package call.
package line
