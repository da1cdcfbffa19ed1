// Package rtp is what stands in the packets of a call (RFC 3550 and RFC 4733): the
// header of a packet of sound, the reports that both sides send about what arrived,
// and the events that tell of a telephone key. It reads and writes bytes, and knows
// no clock, no socket and no codec.
//
// Package line/telephone sends packets, line/jitter places and counts them, line/keys
// makes a press of many events, and line/room meets keys and reports by way of a media
// server; what a packet carries is the business of package audio.
package rtp
