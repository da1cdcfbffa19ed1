// Package phrase tells whether something was said, whatever way it was said: it brings
// texts into one form, in which numbers, amounts, times and dates are alike however they
// are spoken or written (Normalise), and finds in what was heard the passage that is a
// phrase, or comes closest to it, as far as a recogniser may have misheard it (Find). It
// knows no call; package score makes verdicts of what it finds.
package phrase
