// Package caller is the simulated person on the line: a leg.Party with a mind
// (a script, or a language model that is after a goal), a mouth and ears. It
// decides when to speak, interrupt, wait, press keys and hang up, and keeps
// the timeline of what it did.
//
// It plays scenario.Item over the frames of package leg, with the sound of
// package audio; the speech engines and the model come in through Mouth,
// leg.Ears and chat.Model, which package speech implements. Packages line/*
// drive it, package experiment puts one on every call.
package caller
