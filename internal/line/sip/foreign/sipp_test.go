package foreign

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// sipp is a running sipp that follows one scenario for one call, unless told otherwise.
type sipp struct {
	t         testing.TB
	cmd       *exec.Cmd
	dir       string
	addr      string
	transport sip.Transport
	out       bytes.Buffer
	// ended is closed once sipp has ended, with err.
	ended chan struct{}
	err   error
}

// setting says how sipp is started.
type setting struct {
	transport sip.Transport
	// to is the address to call; the zero value waits to be called.
	to netip.AddrPort
	// calls is the number of calls, 1 if 0.
	calls int
	// echo sends received RTP back; sounds are mu-law files, by name, that steps may play.
	echo   bool
	sounds map[string][]byte
	extra  []string
}

// start runs the steps in a sipp of their own and waits until it listens. If another program takes
// the chosen ports first, others are tried.
func start(t testing.TB, s setting, steps ...step) *sipp {
	t.Helper()
	for {
		p, first := launch(t, s, steps)
		if comesUp(string(p.transport), first, p.ended) {
			return p
		}
		if p.lostPort() {
			continue
		}
		p.finish()
		if !s.to.IsValid() {
			t.Fatalf("sipp does not listen: %s", p.out.String())
		}
		return p // it had called and finished before we looked
	}
}

// lostPort reports whether sipp gave up because its port was taken.
func (p *sipp) lostPort() bool {
	select {
	case <-p.ended:
		return p.err != nil && strings.Contains(p.out.String()+p.read("errors.log"), "Address already in use")
	default:
		return false
	}
}

// launch starts sipp and returns it with its first port.
func launch(t testing.TB, s setting, steps []step) (*sipp, int) {
	t.Helper()
	path := program(t, "sipp")
	if s.transport == "" {
		s.transport = sip.UDP
	}
	p := &sipp{t: t, dir: t.TempDir(), ended: make(chan struct{}), transport: s.transport}
	for name, data := range s.sounds {
		p.write(name, data)
	}
	p.write("scenario.xml", scenario(steps))
	first := freePorts(t, 12)
	p.addr = fmt.Sprintf("127.0.0.1:%d", first)
	args := []string{
		"-sf", "scenario.xml", "-i", "127.0.0.1", "-mi", "127.0.0.1", "-p", fmt.Sprint(first),
		"-mp", fmt.Sprint(first + 2),
		"-m", fmt.Sprint(max(s.calls, 1)), "-l", fmt.Sprint(max(s.calls, 1)), "-r", "100", "-nostdin", "-timeout", "100s", "-timeout_error",
		"-trace_msg", "-message_file", "messages.log", "-trace_err", "-error_file", "errors.log",
		"-cid_str", fmt.Sprintf("%%u-%d@127.0.0.1", first), "-default_behaviors", "all,-bye,-abortunexp",
	}
	if s.transport == sip.TCP {
		args = append(args, "-t", "t1")
	}
	if s.echo {
		args = append(args, "-rtp_echo")
	}
	args = append(args, s.extra...)
	if s.to.IsValid() {
		args = append(args, s.to.String())
	}
	p.cmd = exec.CommandContext(t.Context(), path, args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.dir, &p.out, &p.out
	p.cmd.Env = append(os.Environ(), "TERM=dumb")
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, first
}

func (p *sipp) write(name string, data []byte) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// finish waits for the end of the scenario and fails the test unless every call went through it as
// written.
func (p *sipp) finish() {
	p.t.Helper()
	select {
	case <-p.ended:
		if p.err != nil {
			p.t.Errorf("sipp: %v\n%s\n%s\n%s", p.err, p.said(), p.read("errors.log"), p.read("messages.log"))
		}
	case <-time.After(2 * time.Minute):
		p.t.Errorf("sipp never ended\n%s", p.read("messages.log"))
	}
}

func (p *sipp) read(name string) string {
	b, _ := os.ReadFile(filepath.Join(p.dir, name))
	return string(b)
}

// said returns the end of what sipp printed.
func (p *sipp) said() string {
	text := p.out.String()
	return text[max(0, len(text)-2000):]
}

var message = regexp.MustCompile(`(?m)^(?:UDP|TCP) message (received|sent)[^\n]*\n\n([^\r\n]*)`)

// got lists the start lines that sipp received.
func (p *sipp) got() []string {
	var lines []string
	for _, m := range message.FindAllStringSubmatch(p.read("messages.log"), -1) {
		if m[1] == "received" {
			lines = append(lines, m[2])
		}
	}
	return lines
}

// count returns how many messages came whose start line has this prefix.
func (p *sipp) count(prefix string) int {
	n := 0
	for _, l := range p.got() {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// trunk returns the trunk that leads to sipp.
func (p *sipp) trunk() sip.Trunk {
	return sip.Trunk{Name: "foreign", Host: p.addr, Transport: p.transport}
}
