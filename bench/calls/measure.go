package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/bench/meter"
)

// outcome is the result of measuring one program.
type outcome struct {
	name string
	result
	// steady is the processor time per call minute while all calls were up, whole the same from the
	// first INVITE to the last BYE.
	steady, whole float64
	// others is how much of all processors other programs used while all calls were up, in percent.
	others float64
}

// driver runs one calling program against the far end at host. far takes the order to write down
// what it knows.
type driver func(ctx context.Context, o options, host, dir string, far *meter.Part) (outcome, error)

// The processors: the calling side has one to itself.
const (
	callingCore = 0
	farCore     = 1
)

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
	err := cmd.Start() // a child inherits the processors of the thread that starts it
	if back := unix.SchedSetaffinity(0, &before); back != nil {
		return back
	}
	return err
}

// again starts this program as one of its parts.
func again(ctx context.Context, core int, args ...string) (*meter.Part, error) {
	return meter.Again(ctx, func(cmd *exec.Cmd) error { return start(cmd, core) }, args...)
}

// write makes the far end write what it knows of its calls to a file.
func write(far *meter.Part, dir, name string) (string, error) {
	file := filepath.Join(dir, name)
	if err := far.Order("write", file); err != nil {
		return file, err
	}
	return file, far.Expect("written")
}

// measure runs a far end and one calling program against it.
func measure(ctx context.Context, o options, dir string, run driver) (outcome, error) {
	far, err := again(ctx, farCore, "part-far", "--seed", fmt.Sprint(o.seed))
	if err != nil {
		return outcome{}, err
	}
	host, err := far.Line()
	if err != nil {
		return outcome{}, err
	}
	out, err := run(ctx, o, host, dir, far)
	if endErr := far.End(); err == nil {
		err = endErr
	}
	return out, err
}

func nearPart(ctx context.Context, o options, host, dir string, far *meter.Part) (outcome, error) {
	return ownPart(ctx, "ringtrue", "part-near", o, host, dir, far)
}

func barePart(ctx context.Context, o options, host, dir string, far *meter.Part) (outcome, error) {
	o.profile = ""
	return ownPart(ctx, "bare loop", "part-bare", o, host, dir, far)
}

// ownPart runs a calling program that is a part of this one.
func ownPart(ctx context.Context, title, name string, o options, host, dir string, far *meter.Part) (outcome, error) {
	out := outcome{name: title}
	p, err := again(ctx, callingCore, name, "--far", host, "--calls", fmt.Sprint(o.calls), "--seconds", fmt.Sprint(o.seconds),
		"--rate", fmt.Sprint(o.rate), "--seed", fmt.Sprint(o.seed), "--profile", o.profile, "--overload", fmt.Sprint(o.overload), "--trace="+strconv.FormatBool(o.trace))
	if err != nil {
		return out, err
	}
	if err := p.Expect("up"); err != nil {
		return out, err
	}
	used, theirs, machine := p.CPU(), far.CPU(), meter.Now()
	begun := time.Now()
	if err := p.Expect("peak"); err != nil {
		return out, err
	}
	used, theirs = p.CPU()-used, far.CPU()-theirs
	out.others = meter.Now().Since(machine).Others(used + theirs)
	out.steady = used / (time.Since(begun).Minutes() * float64(o.calls))
	if err := p.Expect("down"); err != nil {
		return out, err
	}
	file, err := write(far, dir, name)
	if err != nil {
		return out, err
	}
	if err := p.Order("compare", file); err != nil {
		return out, err
	}
	line, err := p.Line()
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(line), &out.result); err != nil {
		return out, err
	}
	if out.Minutes > 0 {
		out.whole = (out.User + out.System) / out.Minutes
	}
	return out, p.End()
}

// sippPart runs sipp. What it sent is derived from what arrived, because it keeps no record itself.
func sippPart(ctx context.Context, o options, host, dir string, far *meter.Part) (outcome, error) {
	out := outcome{name: "sipp"}
	cmd, err := sippCommand(ctx, o, host, dir)
	if err != nil {
		return out, err
	}
	if err := start(cmd, callingCore); err != nil {
		return out, err
	}
	wait(time.Now().Add(o.ramp() + time.Second))
	used, begun := meter.CPU(cmd.Process.Pid), time.Now()
	wait(begun.Add(time.Duration(o.seconds)*time.Second - 2*time.Second))
	used = meter.CPU(cmd.Process.Pid) - used
	out.steady = used / (time.Since(begun).Minutes() * float64(o.calls))
	if err := cmd.Wait(); err != nil {
		return out, fmt.Errorf("sipp: %w", err)
	}
	out.User, out.System = cmd.ProcessState.UserTime().Seconds(), cmd.ProcessState.SystemTime().Seconds()
	file, err := write(far, dir, "part-sipp")
	if err != nil {
		return out, err
	}
	if err := out.fromSequence(file); err != nil {
		return out, err
	}
	out.whole = (out.User + out.System) / out.Minutes
	return out, nil
}

// fromSequence counts a peer's frames by their timestamps.
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
		due, came := spanned(f.Got)
		r.Due += due
		r.Lost += due - came
		r.Minutes += float64(f.Got[len(f.Got)-1].At-f.Got[0].At) / 60e9
	}
	if r.Minutes == 0 {
		return fmt.Errorf("the far end heard nothing (%s)", strings.TrimSpace(file))
	}
	return nil
}

// spanned returns how many frames there are from the first to the last according to their
// timestamps, and how many of them came. Losses before the first and after the last are unknown.
func spanned(got []arrival) (frames, came int) {
	low, high := 0, 0
	seen := map[int]bool{}
	for _, a := range got {
		number := int(int32(a.Stamp-got[0].Stamp)) / frameSize
		low, high, seen[number] = min(low, number), max(high, number), true
	}
	return high - low + 1, len(seen)
}
