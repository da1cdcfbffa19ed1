// Package blob keeps recordings outside the database, by key. Packages
// experiment, review and archive see it through their Recordings ports, package
// app opens it. What is kept lies in a folder today; the address is a URL so
// that other places can join.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Bucket is where recordings lie. Keys are relative paths of plain segments,
// "ws_…/call_…/1.wav"; any other key is an error. What is not there is a
// problem.NotFound.
type Bucket interface {
	// Keep stores the tape as a two-channel WAV and describes it. When it
	// returns, the recording is on disk under its whole name, or not at all.
	Keep(ctx context.Context, key string, t *leg.Tape) (call.Recording, error)
	// Ready says why a tape cannot be kept now, when the last one could not be; nil when there is room for it.
	Ready() error
	// KeepSound stores both sides of a recording that was fetched in the same way.
	KeepSound(ctx context.Context, key string, rate int, caller, agent []int16) (call.Recording, error)
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// OpenRange reads length bytes from offset; length -1 means to the end.
	OpenRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes a recording, and what was begun of it by a process that is
	// no more; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// DeleteAll removes what lies in a folder of recordings, whole and begun; none is no error.
	DeleteAll(ctx context.Context, folder string) error
	Close() error
}

const (
	folderMode = 0o700
	maxKey     = 512
	// begunSuffix ends the name of a file that is still being written.
	begunSuffix = ".tmp"
)

// Open opens the bucket at address, a folder's path or file:// URL, and makes
// the folder when there is none.
func Open(address string) (Bucket, error) {
	folder := address
	if u, err := url.Parse(address); err == nil && u.Scheme != "" {
		if u.Scheme != "file" || (u.Host != "" && u.Host != "localhost") {
			return nil, problem.New(problem.Unavailable, "recordings cannot be kept at %s", u.Redacted()).
				WithHint("Give a folder, or a URL like file:///var/lib/ringtrue/recordings.")
		}
		folder = u.Path
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("folder of the recordings: %w", err)
	}
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return nil, fmt.Errorf("folder of the recordings: %w", err)
	}
	if err := syncAbove(folder); err != nil {
		return nil, fmt.Errorf("folder of the recordings: %w", err)
	}
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{
		DirFileMode: folderMode,
		// Beside the final place, because a rename works only within a file system.
		NoTempDir: true,
		Metadata:  fileblob.MetadataDontWrite,
	})
	if err != nil {
		return nil, fmt.Errorf("folder of the recordings: %w", err)
	}
	return &files{folder: folder, bucket: bucket}, nil
}

// files is the Bucket in a folder.
type files struct {
	folder string
	bucket *blob.Bucket
	// refused is the last tape that could not be kept; nil once there has been room for it.
	refused atomic.Pointer[refused]
}

func (f *files) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	return f.OpenRange(ctx, key, 0, -1)
}

func (f *files) OpenRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	r, err := f.bucket.NewRangeReader(ctx, key, offset, length, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, problem.Missing("recording", key).Because(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open a recording: %w", err)
	}
	return r, nil
}

func (f *files) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	gone, err := f.deleteBegun(key)
	if err != nil {
		return err
	}
	switch err := f.bucket.Delete(ctx, key); {
	case err == nil:
		gone = true
	case gcerrors.Code(err) != gcerrors.NotFound:
		return fmt.Errorf("delete a recording: %w", err)
	}
	if !gone {
		return nil
	}
	return f.syncFolders(key)
}

// deleteBegun removes what a process that died in the middle of Keep has left
// beside the place of the recording.
func (f *files) deleteBegun(key string) (gone bool, err error) {
	path := filepath.Join(f.folder, filepath.FromSlash(key))
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("look for the beginnings of a recording: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+".") || !strings.HasSuffix(e.Name(), begunSuffix) {
			continue
		}
		if err := os.Remove(filepath.Join(filepath.Dir(path), e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return true, fmt.Errorf("delete the beginning of a recording: %w", err)
		}
		gone = true
	}
	return gone, nil
}

func (f *files) DeleteAll(_ context.Context, folder string) error {
	if err := checkKey(folder); err != nil {
		return err
	}
	path := filepath.Join(f.folder, filepath.FromSlash(folder))
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("delete a folder of recordings: %w", err)
	}
	return f.syncFolders(folder)
}

func (f *files) Close() error { return f.bucket.Close() }

// syncFolders puts the names on the way to the key on disk, the lowest first.
func (f *files) syncFolders(key string) error {
	path := filepath.Join(f.folder, filepath.FromSlash(key))
	for path != f.folder && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if err := syncFolder(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("sync a folder: %w", err)
		}
	}
	return nil
}

// syncAbove puts the names of a folder and of the one that holds it on disk:
// both may just have been made. What may not be read was not made by us.
func syncAbove(folder string) error {
	for range 2 {
		folder = filepath.Dir(folder)
		if err := syncFolder(folder); err != nil && !errors.Is(err, os.ErrPermission) {
			return err
		}
	}
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// checkKey refuses whatever could leave the folder, hide in it, or be taken
// for a file that is still being written.
func checkKey(key string) error {
	if key == "" || len(key) > maxKey || strings.HasSuffix(key, begunSuffix) {
		return fmt.Errorf("recording key %q is not allowed", key)
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || segment[0] == '.' || strings.ContainsFunc(segment, strange) {
			return fmt.Errorf("recording key %q is not allowed", key)
		}
	}
	return nil
}

func strange(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
	return !plain
}
