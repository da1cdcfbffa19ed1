package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func (c *importCommand) check() error {
	fields := checkService(c.URL, c.Key)
	if c.Parallel < 1 || c.Parallel > maxParallel {
		fields = append(fields, problem.Field{Path: "--parallel", Message: "must be between 1 and 256"})
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

// knock finds out whether a service answers at all. An import waits for a service that goes away in
// the middle; without this check it would wait just as long for an address where there never was
// one.
func (c *importCommand) knock(ctx context.Context) error {
	_, err := client.New(c.URL, c.Key).Agents(ctx, client.PageOptions{Limit: 1})
	var said *client.Error
	if errors.As(err, &said) && said.Status != http.StatusBadGateway && said.Status != http.StatusGatewayTimeout {
		return nil // what it says to this need not be what it says to a record
	}
	return err
}

// explained adds what the person can do about an import that broke off.
func (c *importCommand) explained(err error) error {
	if errors.Is(err, context.Canceled) {
		return problem.New(problem.Unavailable, "stopped before everything was submitted").
			WithHint("run it again to continue: calls that the service already has are recognised, and none is stored twice")
	}
	return unanswered(c.URL, err)
}
