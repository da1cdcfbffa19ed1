package sqlite

import (
	"os"
	"testing"
)

// TestMain sets SQLite up before any test uses it, as the product does: some open a
// file by themselves, and where SQLite is in use already it stays as it was.
func TestMain(m *testing.M) {
	ours.setUp()
	os.Exit(m.Run())
}
