// Package room is the line to agents that are met in a room of a media server
// (LiveKit) instead of being phoned: our caller joins as an ordinary participant,
// publishes its voice as Opus, and hears whoever publishes a microphone.
//
// It keeps the contract of line/sip (both pass line/linetest). Where sound belongs
// is line/jitter's business (Wideband), when frames are due line/pace's (Pacer); rooms are made and
// tokens minted by package media. The other end is here too (Attend), for the
// practice agent and for tests.
package room
