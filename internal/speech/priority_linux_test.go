package speech

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// standIn replaces every program with a shell script and returns engines that use it. $STATE is a
// folder of the test's own.
func standIn(t *testing.T, script string, change func(*Options)) (e *Engines, state string) {
	t.Helper()
	state = t.TempDir()
	path := filepath.Join(state, "program")
	text := "#!/bin/sh\nSTATE=" + state + "\n" + script
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: t.TempDir(), LookPath: func(string) (string, error) { return path, nil }}
	if change != nil {
		change(&o)
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e, state
}

// waitFor polls until the condition holds, because programs run in real time.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// startedPid returns the process id that a stand-in has written into the folder.
func startedPid(t *testing.T, state string) int {
	t.Helper()
	pid := 0
	waitFor(t, "the program", func() bool {
		text, _ := os.ReadFile(filepath.Join(state, "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	return pid
}

// scheduling reads the niceness and scheduling policy of a process from the kernel.
func scheduling(t *testing.T, pid int) (nice int, policy uint32) {
	t.Helper()
	attr, err := unix.SchedGetAttr(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	prio, err := unix.Getpriority(unix.PRIO_PROCESS, pid)
	if err != nil {
		t.Fatal(err)
	}
	return 20 - prio, attr.Policy // the bare system call returns 20 minus the niceness
}

const schedIdle = 5 // SCHED_IDLE of sched(7)

func gone(pid int) bool { return unix.Kill(pid, 0) != nil }

func TestProgramsStepBackBehindTheMediaLoop(t *testing.T) {
	t.Parallel()
	const waits = "echo $$ > $STATE/pid.new; mv $STATE/pid.new $STATE/pid; exec sleep 30\n"
	tests := map[string]struct {
		start  func(ctx context.Context, e *Engines)
		nice   int
		policy uint32
	}{
		"synthesis": {func(ctx context.Context, e *Engines) { _, _ = e.Mouth().Say(ctx, scenario.Persona{}, "", "Hello.") }, 10, unix.SCHED_NORMAL},
		"ears": {func(ctx context.Context, e *Engines) {
			ears, err := e.NewEars(ctx, EarsOptions{Rate: 8000})
			if err == nil {
				<-ctx.Done()
				ears.Close()
			}
		}, 10, unix.SCHED_NORMAL},
		"review": {func(ctx context.Context, e *Engines) { _, _ = e.Transcriber().Transcribe(ctx, oneSecondOfSpeech()) }, 19, schedIdle},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, state := standIn(t, waits, nil)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); test.start(ctx, e) }()
			pid := startedPid(t, state)
			waitFor(t, "the priority", func() bool { nice, policy := scheduling(t, pid); return nice == test.nice && policy == test.policy })
			cancel()
			<-ended
			waitFor(t, "the program's end", func() bool { return gone(pid) })
		})
	}
}

// TestThePriorityIsInEffectFromTheFirstMoment checks a real program immediately after its start.
func TestThePriorityIsInEffectFromTheFirstMoment(t *testing.T) {
	t.Parallel()
	for prio, want := range map[priority]struct {
		nice   int
		policy uint32
	}{prioLive: {10, unix.SCHED_NORMAL}, prioIdle: {19, schedIdle}} {
		cmd := exec.Command("sleep", "30")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lowerPriority(cmd.Process.Pid, prio)
		nice, policy := scheduling(t, cmd.Process.Pid)
		if nice != want.nice || policy != want.policy {
			t.Errorf("niceness %d and policy %d, want %+v", nice, policy, want)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}
