//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// lockData keeps the data folder for this process alone, until it ends in
// whatever way: on a database file a second service would take the calls of
// the first for dead.
func lockData(ctx context.Context, folder string, undo *cleanups) error {
	if err := dataFolder(folder); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, "serve.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("lock the data folder: %w", err)
	}
	if err := lockPatiently(ctx, f); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return problem.New(problem.Conflict, "another service works in the data folder %s", folder).
				WithHint("stop it, give this one a folder of its own with --data, or let both share a PostgreSQL with --database")
		}
		return fmt.Errorf("lock the data folder: %w", err)
	}
	undo.push("data folder", func(context.Context) error { return f.Close() })
	return nil
}

// How long, and how often, the lock of the data folder is asked for. A process
// that was killed while it started a program leaves the lock to that program
// for the moment until it has begun; on a busy machine a restart can be quicker.
const (
	lockPatience = 2 * time.Second
	lockStep     = 50 * time.Millisecond
)

func lockPatiently(ctx context.Context, f *os.File) error {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	again := time.NewTicker(lockStep)
	defer again.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-again.C:
		}
	}
}
