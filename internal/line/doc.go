// Package line is the media of telephone calls: a Stream sends what its Party says and
// takes in what the far end sends, and Media steps many of them every 20 ms.
//
// It is made of line/pace (when a frame is due, and how well that is kept), line/udp (the
// sockets), line/jitter (what arrives, by its media time), line/keys, line/g711, line/loss
// and line/prefetch. Package line/sip puts telephone signalling on top, line/room is
// made of the same parts without it, and line/loop joins two Parties in memory without any;
// line/linetest is the suite that all lines pass. Packets are read and written by package
// rtp, Parties and Tapes come from package leg.
package line
