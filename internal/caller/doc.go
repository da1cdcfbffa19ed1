// Package caller implements the simulated person on the line: a leg.Party with a mind (a
// script, or a language model that pursues a goal), a mouth and ears. It decides when to speak,
// interrupt, wait, press keys and hang up, and keeps the timeline of what it did.
//
// It plays a scenario.Item over the frames of package leg, with audio processed by package audio.
// Speech engines and the model are injected as Mouth, leg.Ears and chat.Model, which package speech
// implements. The packages line/* drive a Caller; package experiment creates one for every call.
package caller
