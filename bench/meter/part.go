package meter

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Part is a process of this program that prints lines and obeys orders.
type Part struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// Again starts this program as one of its parts, with start if that is not nil.
func Again(ctx context.Context, start func(*exec.Cmd) error, args ...string) (*Part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Part{cmd: exec.CommandContext(ctx, self, args...)}
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
	if start == nil {
		start = (*exec.Cmd).Start
	}
	return p, start(p.cmd)
}

// Order sends the process a line.
func (p *Part) Order(words ...any) error {
	_, err := fmt.Fprintln(p.in, words...)
	return err
}

// Line waits for the next line; it fails if the process ends first.
func (p *Part) Line() (string, error) {
	if !p.lines.Scan() {
		return "", fmt.Errorf("the process ended too early: %w", p.cmd.Wait())
	}
	return p.lines.Text(), nil
}

// Expect waits for a certain line.
func (p *Part) Expect(want string) error {
	got, err := p.Line()
	if err == nil && got != want {
		err = fmt.Errorf("the process said %q, not %q", got, want)
	}
	return err
}

// CPU returns the processor time in seconds that the process has used so far.
func (p *Part) CPU() float64 { return CPU(p.cmd.Process.Pid) }

// End lets the process end and waits for it.
func (p *Part) End() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}
