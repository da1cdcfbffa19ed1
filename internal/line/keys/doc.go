// Package keys sends telephone keys and detects those of the far end. A key press is a series of
// telephone event packets (RFC 4733), or a pair of tones if the far end does not support events.
//
// Package rtp encodes and decodes the event of one packet; package line/telephone sends what the
// Pad produces and passes received events to the Ears. Keys sent by SIP INFO or through a media
// server are not decoded here; the Ways find the keys that a far end sends both by INFO and as events.
package keys
