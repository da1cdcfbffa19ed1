package speech

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scratchPrefix begins the name of every temporary folder of ours.
const scratchPrefix = "ringtrue-speech-"

// scratchTries bounds how often a folder is made that a sweep takes away again
// before it is locked.
const scratchTries = 10

// workDir makes a private folder for one task; done removes it. The folder is
// locked for as long as it is used: the lock goes with the process, so that a
// sweep can tell what a dead one has left from what is at work.
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
	return "", nil, fmt.Errorf("make a temporary folder: %s was taken away", dir)
}

// noFolder says why there is no temporary folder, and who says where it would be.
func (p *programs) noFolder(err error) error {
	if p.dir == "" {
		return fmt.Errorf("make a temporary folder where the environment says (TMPDIR): %w", err)
	}
	return fmt.Errorf("make a temporary folder: %w", err)
}

// sweep removes the folders of processes that are no more.
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
		return // whoever needs the folder will say so
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

// Sweep removes the temporary files that processes which were killed have left
// behind. Those of living ones stay.
func (e *Engines) Sweep() { e.sphinxPrograms().sweep() }
