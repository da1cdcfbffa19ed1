// Package prefetch has the processor bring memory into its cache before it is needed:
// between two turns of a call that of a thousand others drives it out.
//
// Package line/telephone asks for what the next calls of a thread will need, and package
// line/jitter knows what that is of a receiver; to Parties and Tapes it goes by the
// name of leg.Fetch.
package prefetch
