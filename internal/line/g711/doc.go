// Package g711 is the codec of telephone lines as carried by RTP: its two laws with their names
// and payload types (RFC 3551), the size of packets, and its form on a recording.
//
// Package audio does the arithmetic and package leg provides the Tape. Package line/jitter decodes
// the payload of packets, package line/telephone encodes it, and line/sip negotiates it with the
// far end. Rooms use another codec, though they measure time in samples of this one's rate.
package g711
