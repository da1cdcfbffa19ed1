// Package archtest guards the architecture: which package may import which,
// that each says what it is for, and that no link of a document leads nowhere.
// It holds tests only; the tiers are listed in tiers_test.go and explained in
// the README.
package archtest
