// Package phrase finds out whether something was said, however it was phrased as spoken
// or written. Normalise brings texts into one form, in which numbers, amounts, times and
// dates compare equal. Find finds the passage of what was heard that is a phrase, or
// comes closest to it, allowing for a recogniser's mistakes. It knows nothing about
// calls; package score turns its results into verdicts.
package phrase
