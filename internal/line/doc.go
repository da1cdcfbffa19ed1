// Package line is the media of calls: the loop that steps a Party every 20 ms by an
// absolute schedule, and the conversation of a telephone call, which sends what the Party
// says and takes in what the far end sends.
//
// Package line/jitter places what arrives by its media time and counts it, line/keys
// presses and hears keys, line/g711 is the codec, line/udp are the sockets, line/loss loses packets on purpose and
// line/prefetch fetches memory before it is needed. Package line/sip puts telephone
// signalling on top, line/room takes the schedule (Pacer) into WebRTC rooms, and line/loop joins
// two Parties in memory without any of it; line/linetest is the suite that all
// lines pass. Packets are read and written by package rtp, Parties and Tapes come
// from package leg.
package line
