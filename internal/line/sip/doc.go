// Package sip is the telephone line: it places calls through SIP trunks (Line)
// and takes calls (Server), with dialog policy, offer and answer of its own.
//
// Transactions and parsing come from sipgo, behind the sockets of package transport, whose
// screen lets nothing through that it could stumble over; package locate finds the trunk's machines, package login
// answers those that ask for a password, package sdp reads and writes session descriptions;
// media, digits and their statistics come from package line/telephone. Line is what package experiment calls a Line;
// Server gives calls to any leg.Answerer, such as the practice agent. Package
// app builds both.
package sip
