package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// outcome is what the measurement of one program came to.
type outcome struct {
	name string
	result
	// steady is the processor time per call minute while all calls were up, whole
	// the same from the first INVITE to the last BYE.
	steady, whole float64
	// others is how much of all processors other programs used while all calls were up, in percent.
	others float64
}

// driver runs one calling program against the far end at host. far takes the
// order to write down what it knows.
type driver func(ctx context.Context, o options, host, dir string, far *part) (outcome, error)

// The processors: the calling side has one for itself.
const (
	callingCore = 0
	farCore     = 1
)

// part is a process of ours that prints lines and takes orders.
type part struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// start runs a command pinned to a processor.
func start(cmd *exec.Cmd, core int) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	set.Set(core)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pinning to processor %d: %w", core, err)
	}
	err := cmd.Start() // a child has the processors of the thread that starts it
	if back := unix.SchedSetaffinity(0, &before); back != nil {
		return back
	}
	return err
}

// again starts this program as one of its parts.
func again(ctx context.Context, core int, args ...string) (*part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
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
	return p, start(p.cmd, core)
}

// line waits for the next line; it fails when the process ends first.
func (p *part) line() (string, error) {
	if !p.lines.Scan() {
		return "", fmt.Errorf("the process ended too early: %w", p.cmd.Wait())
	}
	return p.lines.Text(), nil
}

// expect waits for a certain line.
func (p *part) expect(want string) error {
	got, err := p.line()
	if err == nil && got != want {
		err = fmt.Errorf("the process said %q, not %q", got, want)
	}
	return err
}

// end lets the process end and waits for it.
func (p *part) end() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}

// write has the far end store what it knows of its calls in a file.
func (p *part) write(dir, name string) (string, error) {
	file := filepath.Join(dir, name)
	fmt.Fprintln(p.in, "write", file)
	return file, p.expect("written")
}

// measure runs a far end and one calling program against it.
func measure(ctx context.Context, o options, dir string, run driver) (outcome, error) {
	far, err := again(ctx, farCore, "part-far", "--seed", fmt.Sprint(o.seed))
	if err != nil {
		return outcome{}, err
	}
	host, err := far.line()
	if err != nil {
		return outcome{}, err
	}
	out, err := run(ctx, o, host, dir, far)
	if endErr := far.end(); err == nil {
		err = endErr
	}
	return out, err
}

func nearPart(ctx context.Context, o options, host, dir string, far *part) (outcome, error) {
	return ownPart(ctx, "ringtrue", "part-near", o, host, dir, far)
}

func barePart(ctx context.Context, o options, host, dir string, far *part) (outcome, error) {
	o.profile = ""
	return ownPart(ctx, "bare loop", "part-bare", o, host, dir, far)
}

// ownPart runs a calling program that is a part of this one.
func ownPart(ctx context.Context, title, name string, o options, host, dir string, far *part) (outcome, error) {
	out := outcome{name: title}
	p, err := again(ctx, callingCore, name, "--far", host, "--calls", fmt.Sprint(o.calls), "--seconds", fmt.Sprint(o.seconds),
		"--rate", fmt.Sprint(o.rate), "--seed", fmt.Sprint(o.seed), "--profile", o.profile, "--overload", fmt.Sprint(o.overload))
	if err != nil {
		return out, err
	}
	if err := p.expect("up"); err != nil {
		return out, err
	}
	used, theirs := cpuOf(p.cmd.Process.Pid), cpuOf(far.cmd.Process.Pid)
	busy, all := processors()
	begun := time.Now()
	if err := p.expect("peak"); err != nil {
		return out, err
	}
	used, theirs = cpuOf(p.cmd.Process.Pid)-used, cpuOf(far.cmd.Process.Pid)-theirs
	busyAfter, allAfter := processors()
	out.others = 100 * max(busyAfter-busy-used-theirs, 0) / max(allAfter-all, 0.01)
	out.steady = used / (time.Since(begun).Minutes() * float64(o.calls))
	if err := p.expect("down"); err != nil {
		return out, err
	}
	file, err := far.write(dir, name)
	if err != nil {
		return out, err
	}
	fmt.Fprintln(p.in, "compare", file)
	line, err := p.line()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(line), &out.result); err != nil {
		return out, err
	}
	if out.Minutes > 0 {
		out.whole = (out.User + out.System) / out.Minutes
	}
	return out, p.end()
}

// sippPart runs sipp. What it sent is known by what arrived: it keeps no record itself.
func sippPart(ctx context.Context, o options, host, dir string, far *part) (outcome, error) {
	out := outcome{name: "sipp"}
	cmd, err := sippCommand(ctx, o, host, dir)
	if err != nil {
		return out, err
	}
	if err := start(cmd, callingCore); err != nil {
		return out, err
	}
	wait(time.Now().Add(o.ramp() + time.Second))
	used, begun := cpuOf(cmd.Process.Pid), time.Now()
	wait(begun.Add(time.Duration(o.seconds)*time.Second - 2*time.Second))
	used = cpuOf(cmd.Process.Pid) - used
	out.steady = used / (time.Since(begun).Minutes() * float64(o.calls))
	if err := cmd.Wait(); err != nil {
		return out, fmt.Errorf("sipp: %w", err)
	}
	out.User, out.System = cmd.ProcessState.UserTime().Seconds(), cmd.ProcessState.SystemTime().Seconds()
	file, err := far.write(dir, "part-sipp")
	if err != nil {
		return out, err
	}
	if err := out.fromSequence(file); err != nil {
		return out, err
	}
	out.whole = (out.User + out.System) / out.Minutes
	return out, nil
}

// fromSequence counts a peer's frames by their numbers.
func (r *result) fromSequence(file string) error {
	far, err := readFar(file)
	if err != nil {
		return err
	}
	for _, f := range far {
		if len(f.Got) == 0 {
			continue
		}
		r.Answered++
		first, last := f.Got[0], f.Got[len(f.Got)-1]
		due := int(int32(last.Stamp-first.Stamp))/frameSize + 1
		r.Due += due
		r.Lost += max(int(last.Seq-first.Seq)+1-len(f.Got), 0)
		r.Minutes += float64(last.At-first.At) / 60e9
	}
	if r.Minutes == 0 {
		return fmt.Errorf("the far end heard nothing (%s)", strings.TrimSpace(file))
	}
	return nil
}
