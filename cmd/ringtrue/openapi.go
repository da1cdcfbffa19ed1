package main

import (
	"fmt"

	"github.com/ringtrue/ringtrue/internal/app"
)

type openapiCommand struct{}

// Run prints the OpenAPI document.
func (openapiCommand) Run(w *world) error {
	doc, err := app.OpenAPI(w.version)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w.out, string(doc))
	return err
}
