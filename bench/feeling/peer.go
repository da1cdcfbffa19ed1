package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// vader is the program bench/peers/vader at work.
type vader struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startVader builds and starts it.
func startVader(ctx context.Context) (*vader, error) {
	root, err := projectRoot()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-C", filepath.Join(root, "bench", "peers"), "./vader")
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
	v := &vader{cmd, in, bufio.NewReader(out)}
	for range 20 { // it reads its tables at first
		if _, _, err := v.ask("this is good"); err != nil {
			v.stop()
			return nil, fmt.Errorf("it does not start: %w", err)
		}
	}
	return v, nil
}

// ask returns the compound score of a text, and how long it took.
func (v *vader) ask(text string) (float64, time.Duration, error) {
	if _, err := fmt.Fprintln(v.in, strings.ReplaceAll(text, "\n", " ")); err != nil {
		return 0, 0, err
	}
	var score float64
	var took int64
	line, err := v.out.ReadString('\n')
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(line, &score, &took)
	return score, time.Duration(took), err
}

func (v *vader) stop() {
	v.in.Close()
	_ = v.cmd.Wait()
}

// projectRoot finds the project from wherever in it the command runs.
func projectRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "bench", "peers", "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("run it inside the project")
		}
		dir = filepath.Dir(dir)
	}
}
