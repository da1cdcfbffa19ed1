// Package udp provides the sockets for the media of a telephone call: an even port for RTP and its
// successor for RTCP. On Linux, a Pair bypasses the runtime's poller, and Mail receives packets
// with the time at which the kernel saw them; Conns are ordinary sockets.
//
// Package line/telephone decides which of the two a call gets, and when they are read; package rtp
// parses the datagrams. SIP has its own sockets in line/sip, and rooms those of a library.
package udp
