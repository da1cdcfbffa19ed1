// Package peer runs the programs of bench/peers, which contain other people's code and are a module
// of their own, for the benchmarks that compare with them: bench/feeling, bench/timing and
// bench/ingest.
package peer

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Root finds the project's folder from anywhere inside it.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(peersOf(dir), "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("run it inside the project: bench/peers is not found")
		}
		dir = filepath.Dir(dir)
	}
}

// Dir returns the folder bench/peers.
func Dir() (string, error) {
	root, err := Root()
	return peersOf(root), err
}

func peersOf(root string) string { return filepath.Join(root, "bench", "peers") }

// Program is a running peer, which answers on Out to what it is asked on In.
type Program struct {
	In  io.WriteCloser
	Out *bufio.Reader
	cmd *exec.Cmd
}

// Start builds and starts the program with this name, with env added to this process's environment.
func Start(ctx context.Context, name string, env ...string) (*Program, error) {
	dir, err := Dir()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-C", dir, "./"+name)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Program{In: in, Out: bufio.NewReader(out), cmd: cmd}, nil
}

// Stop closes the program's input and waits until it has ended.
func (p *Program) Stop() {
	_ = p.In.Close()
	_ = p.cmd.Wait()
}
