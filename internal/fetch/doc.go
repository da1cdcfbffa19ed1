// Package fetch is the guarded HTTP client for addresses that others give us:
// recordings of production calls, and the voice platforms' own interfaces.
//
// Whoever submits a call log chooses an address that this process then calls, from
// inside the operator's network. So nothing is believed: only http and https, no
// address that is not on the public internet (unless the operator allowed the host
// or its network), checked on the very address that is dialled, after every
// redirect; sizes, times, headers and redirects are bounded; no proxy is taken
// from the environment, no cookie kept; credentials go to the host they are for
// and to no other. What is broken off is taken up where it broke off.
//
// Errors are *Error: a reason that a person understands, never an address, for
// paths and queries hold tokens. The package logs nothing. Package app gives it to
// package review (recordings) and to package platform (lists of agents) through
// ports of theirs; package audio/decode reads what came.
package fetch
