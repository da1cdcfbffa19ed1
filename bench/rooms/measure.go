package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/media"
)

// outcome is what the measurement of one calling program came to.
type outcome struct {
	name string
	result
	// steady is the processor time per room minute while all rooms were talking, and
	// server and agents are the same for the two others.
	steady, server, agents float64
	// others is how much of all processors other programs used meanwhile, stolen what a host took away, in percent.
	others, stolen float64
}

// part is a process of ours that prints lines and takes orders.
type part struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// again starts this program as one of its parts.
func (o options) again(ctx context.Context, name string, more ...string) (*part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append([]string{name, "--rooms", fmt.Sprint(o.rooms), "--seconds", fmt.Sprint(o.seconds), "--rate", fmt.Sprint(o.rate),
		"--seed", fmt.Sprint(o.seed), "--url", o.url, "--key", o.key, "--secret", o.secret}, more...)
	p := &part{cmd: exec.CommandContext(ctx, self, args...)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.lines = bufio.NewScanner(out)
	p.lines.Buffer(nil, 1<<20)
	return p, p.cmd.Start()
}

// line waits for the next line; it fails when the process ends first.
func (p *part) line() (string, error) {
	if !p.lines.Scan() {
		return "", fmt.Errorf("the process ended too early: %w", p.cmd.Wait())
	}
	return p.lines.Text(), nil
}

// expect waits for certain lines, one after the other.
func (p *part) expect(want ...string) error {
	for _, one := range want {
		if got, err := p.line(); err != nil {
			return err
		} else if got != one {
			return fmt.Errorf("the process said %q, not %q", got, one)
		}
	}
	return nil
}

// end lets the process end and waits for it.
func (p *part) end() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}

func (p *part) cpu() float64 { return cpuOf(p.cmd.Process.Pid) }

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
	if o.url, err = server.line(); err != nil {
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
	if err := server.end(); err != nil {
		return err
	}
	if o.json {
		return printJSON(os.Stdout, o, ours, bare)
	}
	printTable(os.Stdout, o, ours, bare)
	return nil
}

// measure has the agents wait in their rooms and one calling program come to them.
func (o options) measure(ctx context.Context, server *part, dir, title, name string) (outcome, error) {
	out := outcome{name: title}
	if err := o.openRooms(); err != nil {
		return out, err
	}
	file := filepath.Join(dir, name)
	agents, err := o.again(ctx, "part-agents", "--file", file)
	if err != nil {
		return out, err
	}
	if err := agents.expect("there"); err != nil {
		return out, err
	}
	p, err := o.again(ctx, name, "--profile", o.profile)
	if err != nil {
		return out, err
	}
	if err := p.expect("up"); err != nil {
		return out, err
	}
	before := reading{p.cpu(), server.cpu(), agents.cpu(), time.Now(), ticks()}
	if err := p.expect("peak"); err != nil {
		return out, err
	}
	out.account(before, reading{p.cpu(), server.cpu(), agents.cpu(), time.Now(), ticks()}, o.rooms)
	if err := p.expect("down"); err != nil {
		return out, err
	}
	fmt.Fprintln(agents.in, "write")
	if err := agents.expect("written"); err != nil {
		return out, err
	}
	if err := agents.end(); err != nil {
		return out, err
	}
	fmt.Fprintln(p.in, file)
	line, err := p.line()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(line), &out.result); err != nil {
		return out, err
	}
	return out, p.end()
}

// openRooms makes the rooms anew.
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
