// Package line is the house of the ways a call can travel, and holds nothing itself.
//
// On its top storey are the lines: line/sip phones an agent or is phoned, line/room meets
// it in a WebRTC room, line/loop joins two Parties in memory in virtual time. Package
// line/linetest is the suite that all of them pass. Below them is line/telephone, the media
// of telephone calls, whose part a library plays in rooms. Both are made of line/pace
// (when things are due), line/jitter (packets back in order and time) and line/loss;
// line/udp, line/keys and line/prefetch serve the telephone alone, and so does line/g711
// but for the units in which all of them reckon.
//
// A package imports only what stands below it; package app builds the lines, and packages
// leg and rtp say what a Party and a packet are.
package line
