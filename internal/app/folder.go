package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// dataFolder makes the data folder and those above it where they are missing,
// and puts their names on disk: what is synced in a folder whose own name is
// lost is lost with it.
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

// keepNames puts the names of what was made in a folder on disk. What may not be
// read is left to the system.
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
