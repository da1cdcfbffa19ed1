// Package telephone is the media of telephone calls: a Stream sends what its Party says
// and takes in what the far end sends, and Media steps many of them every 20 ms, on a few
// threads of its own on Linux and with a goroutine each elsewhere.
//
// It is made of line/pace (when a frame is due, and how well that is kept), line/udp (the
// sockets), line/jitter (what arrives, by its media time), line/keys, line/g711, line/loss
// and line/prefetch. Package line/sip agrees with the far end on what is in a Setup and
// starts and stops the Stream. Packets are read and written by package rtp, Parties and
// Tapes come from package leg.
package telephone
