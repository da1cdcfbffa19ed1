// Command feeling measures how well feelings are recognised from words: macro-F1 over the 28 labels
// and the four groups of GoEmotions, as written and as heard on the phone, three-way sentiment
// compared with VADER, the cost of a turn, and how well upset callers are found, each hand's calls
// with what was learned from those of others. With --train it makes the weights for reading words,
// with --temper those for reading tempers.
//
//	go run ./bench/feeling --data DIR [--split dev] [--seed 1] [--json] [--quick] [--page docs/metrics/feeling.md]
//	go run ./bench/feeling --train --data DIR --write internal/emotion/weights.bin
//	go run ./bench/feeling --temper --write internal/emotion/temper.bin
//
// DIR holds the GoEmotions files train.tsv and dev.tsv: text, label numbers, id. Without it, only
// the cost and the project's own service turns are measured.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/emotion/train"
)

// config holds the settings of the command.
type config struct {
	data, split, write, page string
	seed                     uint64
	train, temper            bool
	asJSON, quick            bool
}

func main() {
	var c config
	flag.StringVar(&c.data, "data", "", "folder of the GoEmotions TSV files")
	flag.StringVar(&c.split, "split", "dev", "which of them to measure on")
	flag.StringVar(&c.write, "write", "", "with --train and --temper: where the weights go")
	flag.StringVar(&c.page, "page", "", "write the page of figures to this file")
	flag.Uint64Var(&c.seed, "seed", 1, "seed of the fillers in texts as heard")
	flag.BoolVar(&c.train, "train", false, "make the weights instead of measuring")
	flag.BoolVar(&c.temper, "temper", false, "make the weights of the temper instead of measuring")
	flag.BoolVar(&c.asJSON, "json", false, "print one JSON object")
	flag.BoolVar(&c.quick, "quick", false, "measure the cost once only, and no tempers")
	flag.Parse()
	if err := run(context.Background(), c); err != nil {
		fmt.Fprintln(os.Stderr, "feeling:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, c config) error {
	switch {
	case c.train:
		return makeWeights(c)
	case c.temper:
		return makeTemper(c)
	case c.page != "" && c.quick:
		return errors.New("--page needs all figures: leave --quick out")
	}
	r, err := measure(ctx, c)
	if err != nil {
		return err
	}
	if c.page != "" {
		if err := os.WriteFile(c.page, []byte(r.page()), 0o644); err != nil {
			return err
		}
	}
	if c.asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": r.figures()})
	}
	fmt.Print(r.table())
	return nil
}

func makeWeights(c config) error {
	if c.data == "" || c.write == "" {
		return errors.New("--train needs --data and --write")
	}
	examples, err := train.Read(c.data, "train")
	if err != nil {
		return err
	}
	w, err := train.Make(examples, train.Options{Progress: os.Stderr})
	if err != nil {
		return err
	}
	return os.WriteFile(c.write, w.Bytes(), 0o644)
}

func makeTemper(c config) error {
	if c.write == "" {
		return errors.New("--temper needs --write")
	}
	m, err := emotion.New()
	if err != nil {
		return err
	}
	calls, err := train.Calls()
	if err != nil {
		return err
	}
	return os.WriteFile(c.write, train.Temper(m, calls).Bytes(), 0o644)
}
