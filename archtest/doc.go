// Package archtest guards the architecture: which package may import which,
// and that each says what it is for. It holds tests only; the tiers are listed
// in tiers_test.go and explained in the README.
package archtest
