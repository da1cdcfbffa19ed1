// Command licenses writes the licences of everything that the binary holds and
// that others wrote: the Go modules it is linked from, Go's own library, and the
// packages of the web app. cmd/ringtrue embeds what it writes and prints it
// again; `make generate` runs it after a dependency has changed.
//
// Usage: go run ./scripts/licenses > cmd/ringtrue/licenses.txt
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const head = `
Ringtrue is licensed under the Apache License, version 2.0. Its binary also holds
the works below, each under the licences that its name stands above. Where one of
them asks for the source: it is published under the name and version given here.
`

// work is something that others wrote, by name and version, with its licence texts.
type work struct {
	name  string
	texts []string
}

func main() {
	log.SetFlags(0)
	root, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	if err != nil {
		log.Fatal(err)
	}
	works, err := all(context.Background(), root)
	if err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(out, "%s%s", notice, head)
	write(out, works)
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// all is what the binary of the checkout at root holds of others.
func all(ctx context.Context, root string) ([]work, error) {
	modules, err := modules(ctx, root)
	if err != nil {
		return nil, err
	}
	packages, err := packages(root + "/internal/web/app")
	if err != nil {
		return nil, err
	}
	return slices.Concat(modules, packages), nil
}

// write writes each text once, below the names of all the works that have it.
// Texts that differ by their line breaks alone are one.
func write(out *bufio.Writer, works []work) {
	var texts []string
	names := map[string][]string{}
	for _, w := range works {
		for _, text := range w.texts {
			words := strings.Join(strings.Fields(text), " ")
			if names[words] == nil {
				texts = append(texts, text)
			}
			names[words] = append(names[words], w.name)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(out, "\n%s\n", strings.Repeat("=", 80))
		for _, name := range names[strings.Join(strings.Fields(text), " ")] {
			fmt.Fprintf(out, "%s%s\n", mark, name)
		}
		fmt.Fprintf(out, "\n%s\n", text)
	}
}

// mark stands before the name of a work.
const mark = "== "
