package main

import (
	"slices"
	"testing"
)

// What is told in another order each time cannot be compared with what was told before.
func TestFlagsWithoutAnIssuerAreToldInTheirOrder(t *testing.T) {
	t.Parallel()
	var flags []string
	for _, f := range (oidcFlags{OIDCClientID: "a", OIDCClientSecret: "b", OIDCName: "c", OIDCDomain: "d"}).check() {
		flags = append(flags, f.Path)
	}
	if want := []string{"--oidc-client-id", "--oidc-client-secret", "--oidc-name", "--oidc-domain"}; !slices.Equal(flags, want) {
		t.Errorf("got %v, want %v", flags, want)
	}
}
