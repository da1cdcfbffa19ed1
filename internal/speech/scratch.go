package speech

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scratchPrefix is the prefix of all our temporary directories.
const scratchPrefix = "ringtrue-speech-"

// scratchTries bounds how often creating a directory is repeated because a sweep removed it
// before it was locked.
const scratchTries = 10

// workDir creates a private directory for one task; done removes it. The directory is locked
// while in use. The lock ends with the process, which lets a sweep distinguish the directories
// of dead processes from those in use.
func (p *programs) workDir() (dir string, done func(), err error) {
	for range scratchTries {
		dir, err = os.MkdirTemp(p.dir, scratchPrefix)
		if err != nil {
			return "", nil, p.noFolder(err)
		}
		if lock, ok := lockFolder(dir); ok {
			return dir, func() {
				_ = os.RemoveAll(dir)
				_ = lock.Close()
			}, nil
		}
	}
	return "", nil, fmt.Errorf("make a temporary folder: %s was removed", dir)
}

// noFolder returns the error for a temporary directory that cannot be created, with a hint
// where it would be.
func (p *programs) noFolder(err error) error {
	if p.dir == "" {
		return fmt.Errorf("make a temporary folder where the environment says (TMPDIR): %w", err)
	}
	return fmt.Errorf("make a temporary folder: %w", err)
}

// sweep removes the directories of processes that no longer exist.
func (p *programs) sweep() {
	if !canLock {
		return
	}
	parent := p.dir
	if parent == "" {
		parent = os.TempDir()
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // the error is reported when the directory is needed
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if lock, ok := lockFolder(dir); ok {
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
}

// Sweep removes the temporary files left behind by killed processes. Those of running ones stay.
func (e *Engines) Sweep() { e.programs.sweep() }
