package stories

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestTheTerminalIsClosed tells a service that its terminal is gone, as the shell and then
// the kernel do: it ends as when it is told to, and not in the middle of a call; unless it was
// told to outlive the terminal.
func TestTheTerminalIsClosed(t *testing.T) {
	t.Parallel()
	binary := build(t)
	// Tests that were started with nohup would hand that on; what is caught here is not.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	tellsAgain(t, startAlone(t, binary), syscall.SIGHUP)
	outlives := startAlone(t, "nohup", binary)
	must(t, outlives.cmd.Process.Signal(syscall.SIGHUP))
	time.Sleep(500 * time.Millisecond)
	if got := status(outlives.url() + "/healthz"); got != 200 {
		t.Errorf("with nohup it answers %d", got)
	}
}

// TestWhoIsToldTwiceEndsOnce tells a service to end and tells it again at once, as timeout(1) does, which tells the process and
// its group.
func TestWhoIsToldTwiceEndsOnce(t *testing.T) {
	t.Parallel()
	tellsAgain(t, startAlone(t, build(t)), syscall.SIGTERM)
}

// tellsAgain sends a signal several times: the service ends as when it comes once.
func tellsAgain(t *testing.T, p *process, s syscall.Signal) {
	t.Helper()
	for range 5 {
		must(t, p.cmd.Process.Signal(s))
		time.Sleep(time.Millisecond)
	}
	if state := p.ended(t); state.ExitCode() != 0 {
		t.Errorf("it ended with %v:\n%s", state, p.log.String())
	}
}

// TestNobodyReadsTheLog takes away whoever reads what the service says: it goes on.
func TestNobodyReadsTheLog(t *testing.T) {
	t.Parallel()
	binary := build(t)
	reads, writes, err := os.Pipe()
	must(t, err)
	port, err := freePort()
	must(t, err)
	p := &process{address: "127.0.0.1:" + port, log: &output{}}
	p.cmd = exec.Command(binary, "--log-level=info", "serve", "--data", t.TempDir(), "--listen", p.address, "--no-media")
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = bare(), writes, writes
	must(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	must(t, writes.Close())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = io.CopyN(io.Discard, reads, 200)
		_ = reads.Close()
	}()
	p.await(t)
	<-gone
	for range 3 { // each of them is told to the log
		if got := status(p.url() + "/api/rest/agents"); got != 401 {
			t.Errorf("without a reader of its log it answers %d", got)
		}
	}
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if state := p.ended(t); state.ExitCode() != 0 {
		t.Errorf("it ended with %v", state)
	}
}

// startAlone starts a service on SQLite by a command line that begins with front.
func startAlone(t *testing.T, front ...string) *process {
	t.Helper()
	port, err := freePort()
	must(t, err)
	line := append(front[:len(front):len(front)], "--log-level=warn", "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:"+port, "--no-media")
	p := start(t, line[0], line[1:]...)
	p.address = "127.0.0.1:" + port
	p.await(t)
	return p
}

// ended waits for the end of the process.
func (p *process) ended(t *testing.T) *os.ProcessState {
	t.Helper()
	over := make(chan *os.ProcessState, 1)
	go func() {
		state, _ := p.cmd.Process.Wait()
		over <- state
	}()
	select {
	case state := <-over:
		return state
	case <-time.After(patience):
		t.Fatal("the process does not end")
		return nil
	}
}
