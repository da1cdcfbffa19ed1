// Package sip is the telephone line: it places calls through SIP trunks (Line)
// and takes calls (Server), with dialog policy, offer and answer of its own.
//
// Transactions and parsing come from sipgo; media, digits and their statistics
// from package line/telephone below it. Line is what package experiment calls a Line;
// Server gives calls to any leg.Answerer, such as the practice agent. Package
// app builds both.
package sip
