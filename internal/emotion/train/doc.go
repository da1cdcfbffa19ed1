// Package train makes the weights of package emotion: those of the word model
// from the GoEmotions files and our own texts of telephone speech, and those of
// the temper from our own rated calls (calls/).
//
// The same data gives the same bytes on every machine: everything runs in a fixed
// order on one processor, and sums are rounded step by step (see float.go).
// Features come from emotion.Extractor, so that the model sees what its trainer
// saw.
//
// It imports package emotion, whose weights it writes, and the standard library.
// Only the command bench/feeling uses it; it is not part of the product.
package train
