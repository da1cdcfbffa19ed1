// Package udp is the sockets of a telephone call's media: an even port for RTP and its
// successor for RTCP. On Linux a Pair stands outside of the runtime's poller and Mail takes
// in what came with the time at which the kernel saw it; Conns are ordinary sockets.
//
// Package line/telephone decides which of the two a call gets, and when they are read; what is in a
// datagram is the business of package rtp. SIP has sockets of its own in line/sip, and
// a room's belong to its library.
package udp
