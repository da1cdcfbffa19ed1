// Package emotion tells how a caller felt: from the words, the voice and what
// the caller did.
//
// Words are read by a model of our own (see Model.Words), whose weights are part
// of the program and are made by package emotion/train; the voice is held against
// the same speaker's own middle in the same call; behaviour is found in texts and
// times of turns, by rules and by a temper that was learned from rated calls.
// Feel puts the three together into a call.Feeling.
//
// It imports packages call and audio and the standard library. Package review
// calls it when a call is over; it knows no store, no clock and no network.
package emotion
