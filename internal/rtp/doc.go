// Package rtp encodes and decodes the packets of a call (RFC 3550 and RFC 4733): the header of an
// audio packet, the reports that both sides send about what arrived, and the events for telephone
// keys. It reads and writes bytes, and knows no clock, no socket and no codec.
//
// Package line/telephone sends packets, line/jitter places and counts them, line/keys combines
// events into key presses, and line/room gets keys and reports through a media server; the payload
// of audio packets is the business of package audio.
package rtp
