//go:build !linux

package fetch

import "os"

// scratch creates a file for a body.
func scratch(dir string) (f *os.File, named bool, err error) { return byName(dir) }
