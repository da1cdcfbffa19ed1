// Package jitter brings the packets of a far end back into order and time: by their
// numbers, by their timestamps and by when they came it finds out what was said when, has
// it recorded there, and has a Party hear it a little later, as little as the network
// allows. It counts what never came, what came twice and what came too late.
//
// A Receiver does so for a telephone line, a Wideband for a room; the course of packets
// is found in the same way for both. Packages line/telephone and line/room hand in what they have
// taken from the network, with the time at which it came; they decide whom to believe.
// Packets are read by package rtp, G.711 by line/g711, Tapes and Frames come from package
// leg, and what is counted goes into the records of package call.
package jitter
