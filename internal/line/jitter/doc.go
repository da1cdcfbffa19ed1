// Package jitter restores the order and timing of packets. From their sequence numbers, timestamps and
// arrival times it determines what was said when, records it there, and plays it to a Party a little later,
// with as little delay as the network allows. It counts packets that were lost, duplicated or late.
//
// A Receiver does this for a telephone line, a Wideband for a room; they share the logic of
// timing. Packages line/telephone and line/room pass in what they receive from the network, with
// the time of arrival, and decide which source to accept.
//
// Packets are parsed by package rtp, G.711 by line/g711; Tapes and Frames come from package leg,
// and statistics go into the records of package call.
package jitter
