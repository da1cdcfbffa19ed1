// Package sip is the telephone line. It places calls through SIP trunks (Line) and takes calls (Server), and
// implements dialogs and offer/answer.
//
// Parsing and transactions come from sipgo, behind the sockets of package transport, whose screen rejects everything that sipgo
// could not handle. Package locate resolves a trunk's addresses, package login answers authentication challenges, package sdp
// reads and writes session descriptions; media, digits and statistics come from package line/telephone. Line is what package
// experiment calls a Line; Server connects calls to any leg.Answerer, such as the practice agent. Package app creates both.
package sip
