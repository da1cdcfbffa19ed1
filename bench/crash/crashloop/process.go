package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// process is a running ringtrue. Its output goes to a file.
type process struct {
	cmd   *exec.Cmd
	begun time.Time
	log   *os.File
	ended chan struct{}
	// told is when it was asked to stop, killed when it was killed, and died when it was certainly
	// dead; zero if that did not happen.
	told, killed, died time.Time
}

// start runs the binary with its output appended to a file of the world and its temporary files in
// temp.
func (w *world) start(output, temp string, args ...string) (*process, error) {
	log, err := os.OpenFile(filepath.Join(w.folder, output), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(context.Background(), w.o.Binary, args...), log: log, ended: make(chan struct{})}
	p.cmd.Env = append(bare(), "TMPDIR="+temp)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.begun = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the service: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
		_ = log.Close()
	}()
	return p, nil
}

// bare returns the environment without the operator's own settings.
func bare() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "RINGTRUE_") && !strings.HasPrefix(v, "TMPDIR=") {
			env = append(env, v)
		}
	}
	return env
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill ends the process as a crash would; it returns false if it had already ended by itself.
func (p *process) kill() bool {
	if p.over() {
		return false
	}
	p.killed = time.Now()
	_ = p.cmd.Process.Kill()
	<-p.ended
	p.died = time.Now()
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		p.killed, p.died = time.Time{}, time.Time{}
	}
	return !p.killed.IsZero()
}

// stop asks the process to stop and waits for it.
func (p *process) stop(patience time.Duration) error {
	if p.over() {
		return nil
	}
	p.told = time.Now()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		p.kill()
		return fmt.Errorf("process %d did not end within %s of being asked to", p.pid(), patience)
	}
}

// ready waits until the service answers; it returns false if the process ends first.
func (p *process) ready(ctx context.Context, url string) bool {
	web := &http.Client{Timeout: time.Second}
	for ctx.Err() == nil && !p.over() {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", http.NoBody)
		if err != nil {
			return false
		}
		resp, err := web.Do(req)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return true
			}
		}
		pause(ctx, 5*time.Millisecond)
	}
	return false
}

// The ports of services are below those that systems assign to connections, so that nobody takes
// one while the service is dead.
const (
	firstPort = 15000
	ports     = 16000
)

// freePort finds an address that nobody listens on.
func freePort() (string, error) {
	var listen net.ListenConfig
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(ports))
		l, err := listen.Listen(context.Background(), "tcp", address)
		if err == nil {
			return address, l.Close()
		}
	}
	return "", errors.New("no port is free")
}

// sipAddress returns the address at which a practice agent answers calls, from its output.
func (p *process) sipAddress(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for ctx.Err() == nil && !p.over() {
		text, err := os.ReadFile(p.log.Name())
		if err != nil {
			return "", err
		}
		var ready struct {
			SIP string `json:"sip"`
		}
		for line := range strings.Lines(string(text)) {
			if json.Unmarshal([]byte(line), &ready) == nil && ready.SIP != "" {
				return ready.SIP, nil
			}
		}
		pause(ctx, 20*time.Millisecond)
	}
	return "", fmt.Errorf("the practice agent takes no calls: see %s", p.log.Name())
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
