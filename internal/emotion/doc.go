// Package emotion judges how a caller felt, from the words, the voice and the
// behaviour.
//
// Words are read by a model of our own (see Model.Words), whose weights are part
// of the program and are made by package emotion/train. The voice is compared
// with the same speaker's median in the same call. Behaviour is found in the
// texts and times of turns, by rules and by a temper learned from rated calls.
// Feel combines the three into a call.Feeling.
//
// It imports packages call and audio and the standard library. Package review
// calls it when a call is over; it uses no store, clock or network.
package emotion
