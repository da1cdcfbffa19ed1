package foreign

import (
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain runs more tests at a time than there are processors, since calls in real time mostly
// wait, and finally checks that nothing is left.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "10"); err != nil {
		panic(err)
	}
	free("udp", 0) // the runtime opens what it needs for the network once
	before := footprint()
	code := m.Run()
	if left := leftovers(before); left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, left)
		code = 1
	}
	os.Exit(code)
}

// holding is what this process holds of things that a call could leave behind.
type holding struct{ goroutines, files int }

func footprint() holding {
	entries, _ := os.ReadDir("/proc/self/fd")
	return holding{goroutines: runtime.NumGoroutine(), files: len(entries)}
}

// leftovers waits until the process holds no more than before, and returns a description of what is
// left if that never happens.
func leftovers(before holding) string {
	var now holding
	for range 1500 {
		now = footprint()
		if now.goroutines <= before.goroutines && now.files <= before.files {
			return ""
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<17)
	return fmt.Sprintf("before: %+v, now: %+v\n%s", before, now, buf[:runtime.Stack(buf, true)])
}

// program finds a foreign program.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed: make setup-test", name)
	}
	return path
}

// ports hands out ports that nobody listens on, each once, below the range that the system
// allocates from.
var ports struct {
	sync.Mutex
	next int
}

// freePorts returns the first of n adjacent ports, even, free over UDP and TCP.
func freePorts(t testing.TB, n int) int {
	t.Helper()
	ports.Lock()
	defer ports.Unlock()
	if ports.next == 0 {
		ports.next = 20000 + os.Getpid()%500*20
	}
	for range 2000 {
		first := ports.next
		ports.next += n + n%2
		if ports.next > 32000 {
			ports.next = 20000
		}
		if allFree(first, n) {
			return first
		}
	}
	t.Fatal("no free ports")
	return 0
}

func allFree(first, n int) bool {
	for port := first; port < first+n; port++ {
		if !free("udp", port) || !free("tcp", port) {
			return false
		}
	}
	return true
}

// free reports whether a port of the loopback can be bound.
func free(network string, port int) bool {
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	if network == "tcp" {
		l, err := net.Listen("tcp4", addr)
		if err != nil {
			return false
		}
		l.Close()
		return true
	}
	c, err := net.ListenPacket("udp4", addr)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// comesUp waits until a started program has bound the port; it returns false if the program ended
// first or never did so. It reads the kernel's table, because binding the port to try it might take
// it away from the program at that very moment.
func comesUp(network string, port int, ended <-chan struct{}) bool {
	for range 3000 {
		if bound(network, port) {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

// bound reports whether a port of this machine is bound, according to the kernel's table.
func bound(network string, port int) bool {
	table, err := os.ReadFile("/proc/net/" + network)
	if err != nil {
		return !free(network, port)
	}
	const listening = "0A"
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if len(fields) > 3 && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) && (network == "udp" || fields[3] == listening) {
			return true
		}
	}
	return false
}
