// Package prefetch asks the processor to bring memory into its cache before it is needed:
// between two turns of one call, the memory of a thousand others evicts it.
//
// Package line/telephone prefetches what the next calls of a thread will need; package line/jitter
// knows what that is for a receiver. Parties and Tapes are given the function as leg.Fetch.
package prefetch
