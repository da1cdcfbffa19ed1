//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// lockData keeps the data folder for this process until the process ends, however it ends. A second
// service on the same database file would take the calls of the first for dead. If the file is a
// link, its target is locked as well.
func lockData(ctx context.Context, folder string, undo *cleanups) error {
	if err := dataFolder(folder); err != nil {
		return err
	}
	held, err := lockFile(ctx, filepath.Join(folder, lockName), "in the data folder "+folder, undo)
	if err != nil {
		return err
	}
	file := sqlite.BehindLinks(databasePath(folder))
	at := lockOf(file)
	if there, err := os.Stat(at); err == nil && os.SameFile(there, held) {
		return nil
	}
	_, err = lockFile(ctx, at, "on the database "+file, undo)
	return err
}

const lockName = "serve.lock"

// lockOf is the lock file of a database file: that of the folder for a file with the usual name,
// and otherwise one beside the file, because a folder may hold several.
func lockOf(file string) string {
	if file == databasePath(filepath.Dir(file)) {
		return filepath.Join(filepath.Dir(file), lockName)
	}
	return file + "-serve"
}

// lockFile locks the file at a path; where says where another service works that has it.
func lockFile(ctx context.Context, path, where string, undo *cleanups) (fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the operator names the folder
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := lockPatiently(ctx, f); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, problem.New(problem.Conflict, "another service works %s", where).
				WithHint("stop it, give this one a folder of its own with --data, or let both share a PostgreSQL with --database")
		}
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	undo.push("data folder", func(context.Context) error { return f.Close() })
	return f.Stat()
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
