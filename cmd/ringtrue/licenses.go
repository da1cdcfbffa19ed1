package main

import (
	_ "embed"
	"io"
)

// licenses is what scripts/licenses wrote.
//
//go:embed licenses.txt
var licenses string //nolint:gochecknoglobals // embedded, never written

type licensesCommand struct{}

// Run prints NOTICE and the licences of the software that the binary is built with.
func (licensesCommand) Run(w *world) error {
	_, err := io.WriteString(w.out, licenses)
	return err
}
