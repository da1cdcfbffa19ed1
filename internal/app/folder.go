package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// dataFolder makes the data folder and missing ones above it, and syncs their names to disk: what
// is synced inside a folder is lost if the folder's own name is.
func dataFolder(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	var above []string
	for at := folder; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		above = append(above, filepath.Dir(at))
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	for _, at := range above {
		if err := keepNames(at); err != nil {
			return err
		}
	}
	return nil
}

// keepNames syncs the names of a folder's entries to disk. For a folder that may not be read, that
// is left to the system.
func keepNames(folder string) error {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync a folder: %w", err)
	}
	return nil
}

// writable checks that recordings can be stored in a folder; without them every call would be void.
// A full disk does not keep the service from starting: it waits for room.
func writable(folder string) error {
	err := takesFiles(folder)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("write to the folder of the recordings: %w", err)
	}
	return nil
}

// takesFiles checks that something can be stored in a folder. Its error names the folder.
func takesFiles(folder string) error {
	f, err := os.CreateTemp(folder, ".probe-*")
	if err == nil {
		unnamed := os.Remove(f.Name()) // first: whoever is killed leaves nothing
		_, err = f.Write(make([]byte, 1<<16))
		err = errors.Join(err, f.Close(), unnamed)
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		at.Path = folder
	}
	return err
}

// explained adds what an operator can do about a failure in the data folder, of which the system
// only says what failed.
func explained(data string, err error) error {
	var at *fs.PathError
	if problem.As(err) != nil || !errors.As(err, &at) || !onTheWay(data, at.Path) {
		return err
	}
	trouble := func(message, hint string) error {
		return problem.New(problem.Unavailable, "the data folder %s %s", data, message).WithHint("%s", hint).Because(err)
	}
	const elsewhere = ", or give another folder with --data DIR"
	switch {
	case errors.Is(err, fs.ErrPermission):
		return trouble("may not be written by the user that runs this", "let that user read and write it and all that is in it (chown -R)"+elsewhere+"; in a container, mount a volume that is that user's")
	case errors.Is(err, syscall.EROFS):
		return trouble("is on a file system that is mounted read-only", "mount it for writing"+elsewhere)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return trouble("has no room left", "free space on its disk"+elsewhere)
	case errors.Is(err, syscall.ENOTDIR):
		return trouble("cannot be made: a file stands where it is to be, or above it", "move the file away"+elsewhere)
	}
	return err
}

// onTheWay reports whether a path is the data folder, or lies in it or above it.
func onTheWay(data, path string) bool {
	data, err := filepath.Abs(data)
	if err != nil {
		return false
	}
	path, err = filepath.Abs(path)
	return err == nil && (isBelow(data, path) || isBelow(path, data))
}

func isBelow(folder, path string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
