// Package keys presses the keys of a telephone on our side of a call and hears those of
// the far end's: a press is many packets (telephone events, RFC 4733), or a pair of tones
// where the far end knows no events.
//
// Package rtp reads and writes the event of one packet; package line/telephone sends what the Pad
// gives and gives the Ears what comes. Keys that come by SIP INFO, or by way of a media
// server, do not pass here.
package keys
