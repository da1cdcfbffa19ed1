// Package train makes the weights that package emotion reads words with, out of
// the GoEmotions files and texts of telephone talk of our own, and those that it
// knows a caller's temper by, out of rated calls of our own (calls/).
//
// The same data gives the same bytes on every machine: everything goes in a fixed
// order on one processor, and sums are rounded step by step (see float.go). What
// is learned of a text comes from emotion.Extractor, so that the model sees what
// its trainer saw.
//
// It imports package emotion, whose weights it writes, and the standard library.
// Only the command bench/feeling uses it; nothing of it is in the product.
package train
