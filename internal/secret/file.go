package secret

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the name of the key's file in the data folder.
const File = "secret.key"

// FromFolder reads the key of a data folder, or draws one and keeps it there,
// readable by the owner alone. Two processes that begin at once end with the same
// key. made says that it was not there before.
func FromFolder(dir string, random io.Reader) (k Key, made bool, err error) {
	path := filepath.Join(dir, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if made, err = draw(path, random); err != nil {
			return Key{}, false, fmt.Errorf("make the secret key: %w", err)
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return Key{}, false, fmt.Errorf("read the secret key: %w", err)
	}
	if k, err = ParseKey(string(text)); err != nil {
		return Key{}, false, fmt.Errorf("%s: %w", path, err)
	}
	return k, made, nil
}

// draw writes a new key beside the path and links it there, so that nobody ever
// reads half of one and the first of several stays.
func draw(path string, random io.Reader) (made bool, err error) {
	raw := make([]byte, keyBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return false, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), File+".*") // 0600
	if err != nil {
		return false, err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.WriteString(hex.EncodeToString(raw) + "\n")
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return false, err
	}
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}
