// Package room is the line to agents that are met in a room of a media server (LiveKit) instead of
// being phoned. Our caller joins as an ordinary participant, publishes its voice as Opus, and hears
// the participant that publishes a microphone.
//
// It has the same contract as line/sip (both pass line/linetest). line/jitter (Wideband) determines
// where received audio belongs, line/pace (Pacer) when frames are due; package media creates rooms
// and tokens. The agent's end is here too (Attend), for the practice agent and for tests.
package room
