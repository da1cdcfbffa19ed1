package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/bench/meter"
	"github.com/ringtrue/ringtrue/internal/media"
)

// outcome is the result of measuring one calling program.
type outcome struct {
	name string
	result
	// steady is the processor time per room minute while all rooms were talking; server and agents
	// are the same for the two other processes.
	steady, server, agents float64
	// others is how much of all processors other programs used meanwhile, stolen what a host took
	// away, in percent.
	others, stolen float64
}

// again starts this program as one of its parts.
func (o options) again(ctx context.Context, name string, more ...string) (*meter.Part, error) {
	return meter.Again(ctx, nil, append([]string{
		name, "--rooms", fmt.Sprint(o.rooms), "--seconds", fmt.Sprint(o.seconds), "--rate", fmt.Sprint(o.rate),
		"--seed", fmt.Sprint(o.seed), "--url", o.url, "--key", o.key, "--secret", o.secret,
	}, more...)...)
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "ringtrue-rooms-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	o.key, o.secret = "bench", rand.Text()+rand.Text()
	server, err := o.again(ctx, "part-server")
	if err != nil {
		return err
	}
	if o.url, err = server.Line(); err != nil {
		return err
	}
	ours, err := o.measure(ctx, server, dir, "ringtrue", "part-near")
	if err != nil {
		return err
	}
	bare, err := o.measure(ctx, server, dir, "bare pair", "part-bare")
	if err != nil {
		return err
	}
	if err := server.End(); err != nil {
		return err
	}
	if o.json {
		return printJSON(os.Stdout, o, ours, bare)
	}
	printTable(os.Stdout, o, ours, bare)
	return nil
}

// measure makes the agents wait in their rooms and one calling program join them.
func (o options) measure(ctx context.Context, server *meter.Part, dir, title, name string) (outcome, error) {
	out := outcome{name: title}
	if err := o.openRooms(); err != nil {
		return out, err
	}
	file := filepath.Join(dir, name)
	agents, err := o.again(ctx, "part-agents", "--file", file)
	if err != nil {
		return out, err
	}
	if err := agents.Expect("there"); err != nil {
		return out, err
	}
	p, err := o.again(ctx, name, "--profile", o.profile)
	if err != nil {
		return out, err
	}
	if err := p.Expect("up"); err != nil {
		return out, err
	}
	before := reading{p.CPU(), server.CPU(), agents.CPU(), time.Now(), meter.Now()}
	if err := p.Expect("peak"); err != nil {
		return out, err
	}
	out.account(before, reading{p.CPU(), server.CPU(), agents.CPU(), time.Now(), meter.Now()}, o.rooms)
	if err := p.Expect("down"); err != nil {
		return out, err
	}
	if err := agents.Order("write"); err != nil {
		return out, err
	}
	if err := agents.Expect("written"); err != nil {
		return out, err
	}
	if err := agents.End(); err != nil {
		return out, err
	}
	_ = p.Order(file) // the bare pair compares nothing and has ended
	line, err := p.Line()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(line), &out.result); err != nil {
		return out, err
	}
	return out, p.End()
}

// openRooms creates the rooms again.
func (o options) openRooms() error {
	s, err := o.connect()
	if err != nil {
		return err
	}
	for i := range o.rooms {
		if err := s.CloseRoom(contextOf(), roomName(i)); err != nil {
			return err
		}
		if err := s.Open(contextOf(), media.Room{Name: roomName(i), EmptyFor: 10 * time.Minute}); err != nil {
			return err
		}
	}
	return nil
}
