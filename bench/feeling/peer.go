package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/bench/peer"
)

// vader is the running program bench/peers/vader.
type vader struct{ *peer.Program }

// startVader builds and starts it.
func startVader(ctx context.Context) (*vader, error) {
	p, err := peer.Start(ctx, "vader")
	if err != nil {
		return nil, err
	}
	v := &vader{p}
	for range 20 { // it reads its tables at first
		if _, _, err := v.ask("this is good"); err != nil {
			v.Stop()
			return nil, fmt.Errorf("it does not start: %w", err)
		}
	}
	return v, nil
}

// ask returns the compound score of a text, and how long it took.
func (v *vader) ask(text string) (float64, time.Duration, error) {
	if _, err := fmt.Fprintln(v.In, strings.ReplaceAll(text, "\n", " ")); err != nil {
		return 0, 0, err
	}
	var score float64
	var took int64
	line, err := v.Out.ReadString('\n')
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(line, &score, &took)
	return score, time.Duration(took), err
}
