package crashloop

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// maxWAV bounds the size of a recording that is read.
const maxWAV = 64 << 20

// checkFiles compares the recordings with their rows, and looks for unreferenced files.
func (w *world) checkFiles(t *tables) error {
	spoken := map[string]bool{}
	root := filepath.Join(w.data, "recordings")
	for _, c := range t.calls {
		if c.recording == nil {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(c.recording.Key))
		spoken[path] = true
		if err := matches(path, c.recording); err != nil {
			w.figures.Lost++
			w.finding("the recording of call %s: %v", c.id, err)
			continue
		}
		w.figures.Recordings++
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !spoken[path] {
			w.orphan(path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	left, err := os.ReadDir(w.temp)
	for _, entry := range left {
		w.orphan(filepath.Join(w.temp, entry.Name()))
	}
	return err
}

// checkLogs searches the output of the processes for what no test of their work shows: panics,
// recovered or not, and data races if the binary was built with the race detector.
func (w *world) checkLogs() error {
	logs, err := filepath.Glob(filepath.Join(w.folder, "*.log"))
	for _, path := range logs {
		text, more := os.ReadFile(path)
		err = errors.Join(err, more)
		for _, bad := range []string{"WARNING: DATA RACE", "panic: ", "fatal error: ", "panicked"} {
			if n := bytes.Count(text, []byte(bad)); n > 0 {
				w.finding("%s says %q %d times", path, bad, n)
			}
		}
	}
	return err
}

func (w *world) orphan(path string) {
	w.figures.Orphans++
	w.finding("nothing speaks of %s any more", path)
}

// matches reads a recording and compares it with its row.
func matches(path string, rec *call.Recording) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if int64(len(data)) != rec.Bytes || hex.EncodeToString(sum[:]) != rec.SHA256 {
		return fmt.Errorf("it has %d bytes with another digest; the row says %d", len(data), rec.Bytes)
	}
	wav, err := audio.ReadWAV(bytes.NewReader(data), maxWAV)
	if err != nil {
		return err
	}
	if len(wav.Channels) != 2 || wav.Rate != rec.Rate || int64(len(wav.Channels[0])) != rec.Samples {
		return fmt.Errorf("it has %d channels at %d Hz", len(wav.Channels), wav.Rate)
	}
	return nil
}
