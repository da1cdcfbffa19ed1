package main

import (
	"context"
	_ "embed"

	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

//go:embed goals.yaml
var goals []byte

// casting creates callers as package app does, with the people of a crew.
type casting struct {
	house *house
	crew  crew
}

func (c *casting) mouth() caller.Mouth {
	if c.crew.mouth != nil {
		return c.crew.mouth
	}
	return c.house.speech.Mouth()
}

func (c *casting) lines(ctx context.Context, item scenario.Item) (*caller.Lines, error) {
	cache := c.house.lines
	if c.crew.cache != nil {
		cache = c.crew.cache
	}
	return caller.Prepare(ctx, c.mouth(), cache, item)
}

func (c *casting) prepare(ctx context.Context, item scenario.Item) error {
	_, err := c.lines(ctx, item)
	return err
}

func (c *casting) cast(ctx context.Context, want experiment.Casting) (experiment.Party, error) {
	item := want.Item
	if c.crew.item != nil {
		item = c.crew.item(item)
	}
	lines, err := c.lines(ctx, item)
	if err != nil {
		return nil, err
	}
	party, err := caller.New(caller.Options{
		Item: item, Seed: want.Seed, Lines: lines, Mouth: c.mouth(), Model: c.crew.model, Prompt: want.Prompt,
		Ears: func() (leg.Ears, error) { return c.ears(ctx, item) }, Notify: want.Notify,
	})
	if err != nil {
		return nil, err
	}
	if c.crew.party != nil {
		return c.crew.party(party), nil
	}
	return party, nil
}

func (c *casting) ears(ctx context.Context, item scenario.Item) (leg.Ears, error) {
	if c.crew.ears != nil {
		return c.crew.ears(ctx, item)
	}
	return c.house.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{
		Rate: c.house.rate, Language: item.Input.Language, Hints: item.Words(), Patience: c.house.patience(),
	})
}
