package archtest

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// startsLikeAProgram tells of the first bytes of a file whether an operating system would run it:
// ELF, Mach-O of either kind, PE.
func startsLikeAProgram(head []byte) bool {
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// `go build ./bench/calls` leaves its program in the folder it was called in,
// where `git add --all` finds it.
func TestNoProgramLiesAmongTheSources(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"node_modules", ".git", "bin"}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(elsewhere, d.Name()) {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // only read
		head := make([]byte, 4)
		n, err := io.ReadFull(f, head)
		if err != nil && n == 0 {
			return nil // an empty file
		}
		if startsLikeAProgram(head[:n]) {
			t.Errorf("%s is a program: build into bin/ (go build -o bin/ …)", filepath.Clean(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
