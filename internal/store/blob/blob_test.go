package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/blob"
)

func open(t *testing.T, folder string) blob.Bucket {
	t.Helper()
	b, err := blob.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// aTape has the caller in the first three quarters and the agent in the last half.
func aTape() *leg.Tape {
	t := leg.NewTape(time.Hour)
	t.Begin(8000)
	for i := range int64(60_000) {
		t.Write(leg.CallerChannel, i, []int16{int16(i % 1000)})
	}
	for i := int64(40_000); i < 80_000; i++ {
		t.Write(leg.AgentChannel, i, []int16{int16(-i % 777)})
	}
	return t
}

func read(t *testing.T, r io.ReadCloser, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestKeptTapeComesBack(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "folder")
	b, tape := open(t, folder), aTape()
	const key = "ws_1/call_1/att_1.wav"
	rec, err := b.Keep(t.Context(), key, tape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Open(t.Context(), key)
	data := read(t, r, err)
	sum := sha256.Sum256(data)
	if rec.Key != key || rec.Type != "audio/wav" || rec.Rate != 8000 || rec.Samples != 80_000 ||
		rec.Bytes != int64(len(data)) || rec.SHA256 != hex.EncodeToString(sum[:]) ||
		rec.CallerCoverage != 0.75 || rec.AgentCoverage != 0.5 {
		t.Errorf("recording %+v, file of %d bytes", rec, len(data))
	}
	wav, err := audio.ReadWAV(bytes.NewReader(data), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for channel, pcm := range wav.Channels {
		want := tape.Channel(channel)
		if len(pcm) != len(want) {
			t.Fatalf("channel %d: %d samples", channel, len(pcm))
		}
		for i := range pcm {
			if pcm[i] != want[i] {
				t.Fatalf("channel %d differs at %d", channel, i)
			}
		}
	}
	for _, span := range []struct{ from, length int64 }{{0, 4}, {100, 1000}, {rec.Bytes - 3, -1}, {rec.Bytes - 3, 100}, {5, 0}} {
		r, err := b.OpenRange(t.Context(), key, span.from, span.length)
		want := data[span.from:]
		if span.length >= 0 {
			want = want[:min(span.length, int64(len(want)))]
		}
		if got := read(t, r, err); !bytes.Equal(got, want) {
			t.Errorf("range %v: %d bytes, want %d", span, len(got), len(want))
		}
	}
	again, err := b.Keep(t.Context(), key, tape)
	if err != nil || again != rec {
		t.Errorf("kept again: %+v, %v", again, err)
	}
	onlyFile(t, folder, key)
}

func onlyFile(t *testing.T, folder, key string) {
	t.Helper()
	var files []string
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0] != key {
		t.Errorf("files: %v", files)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	b := open(t, "file://"+t.TempDir())
	if _, err := b.Keep(t.Context(), "a/b.wav", aTape()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is not there any more
		if err := b.Delete(t.Context(), "a/b.wav"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Open(t.Context(), "a/b.wav"); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v", err)
		}
	}
}

// TestDeleteTakesWhatWasBegun removes a recording's beginnings, as a process
// that was killed leaves them, and nothing of its neighbours.
func TestDeleteTakesWhatWasBegun(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a [strange] folder")
	b := open(t, folder)
	if err := os.MkdirAll(filepath.Join(folder, "ws", "call"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.wav", "1.wav.18e9f.tmp", "1.wav.2.tmp", "2.wav", "11.wav.3.tmp", "2.wav.4.tmp"} {
		if err := os.WriteFile(filepath.Join(folder, "ws", "call", name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Delete(t.Context(), "ws/call/1.wav"); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(folder, "ws", "call"))
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if err != nil || strings.Join(left, " ") != "11.wav.3.tmp 2.wav 2.wav.4.tmp" {
		t.Errorf("left are %q, %v", left, err)
	}
	if err := b.Delete(t.Context(), "ws/no-call/1.wav"); err != nil {
		t.Errorf("of a call without a folder: %v", err)
	}
}

// TestKeepTakesWhatWasBegun keeps a recording again of which a process that was
// killed has left the beginning.
func TestKeepTakesWhatWasBegun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, folder)
	if err := os.MkdirAll(filepath.Join(folder, "ws", "call"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.wav.18e9f.tmp", "2.wav"} {
		if err := os.WriteFile(filepath.Join(folder, "ws", "call", name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.KeepSound(t.Context(), "ws/call/1.wav", 8000, []int16{1}, []int16{2}); err != nil {
		t.Fatal(err)
	}
	if left := names(t, filepath.Join(folder, "ws", "call")); left != "1.wav 2.wav" {
		t.Errorf("left are %q", left)
	}
}

func TestDeleteAllTakesAFolderAndNoOther(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, folder)
	for _, key := range []string{"ws/call/1.wav", "ws/call/2.wav", "ws/call2/1.wav"} {
		if _, err := b.Keep(t.Context(), key, aTape()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "ws", "call", "3.wav.7.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing
		if err := b.DeleteAll(t.Context(), "ws/call"); err != nil {
			t.Fatal(err)
		}
	}
	if left := names(t, filepath.Join(folder, "ws")); left != "call2" {
		t.Errorf("left are %q", left)
	}
	for _, folder := range []string{"", ".", "..", "ws/../ws", "/", "ws/call2/"} {
		if err := b.DeleteAll(t.Context(), folder); err == nil {
			t.Errorf("%q is taken for a folder of recordings", folder)
		}
	}
}

// names are those in a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestWhatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, folder)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Keep(ctx, "a.wav", aTape()); err == nil {
		t.Error("kept after the end")
	}
	if _, err := b.Keep(t.Context(), "a.wav", leg.NewTape(time.Second)); err == nil {
		t.Error("kept a tape that was never begun")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// TestReadyAgainOnceATapeFits: after a tape was refused, nothing is ready until there is a place for it.
func TestReadyAgainOnceATapeFits(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, folder)
	inTheWay := filepath.Join(folder, "ws_1")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Ready(); err != nil {
		t.Errorf("not ready although nothing was refused: %v", err)
	}
	if _, err := b.Keep(t.Context(), "ws_1/call_1/1.wav", aTape()); err == nil {
		t.Fatal("kept below a file")
	}
	if err := b.Ready(); err == nil {
		t.Error("ready although the tape would be refused again")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := b.Ready(); err != nil {
		t.Errorf("not ready although there is a place now: %v", err)
	}
	if left := names(t, filepath.Join(inTheWay, "call_1")); left != "" {
		t.Errorf("trying has left %s", left)
	}
}

func TestOtherPlacesAreRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"s3://bucket/x", "https://user:hunter2@host/", "file://otherhost/x"} {
		_, err := blob.Open(address)
		if p := problem.As(err); p == nil || p.Hint == "" || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func FuzzKey(f *testing.F) {
	for _, key := range []string{
		"", "/", "..", "../x", "a/../../x", "/etc/passwd", "a//b", "a/", ".hidden", "a\x00b", "a\\b", "x.tmp",
		"é", "C:x", "a b", strings.Repeat("a", 600), "ws_1/call_2/att_3.wav",
	} {
		f.Add(key)
	}
	root := f.TempDir()
	b, err := blob.Open(filepath.Join(root, "inside"))
	if err != nil {
		f.Fatal(err)
	}
	tape := leg.NewTape(time.Second)
	tape.Begin(8000)
	tape.Write(leg.CallerChannel, 0, []int16{1})
	f.Fuzz(func(t *testing.T, key string) {
		_, err := b.Keep(t.Context(), key, tape)
		if err == nil {
			if r, err := b.Open(t.Context(), key); err != nil {
				t.Errorf("%q was kept and is not there: %v", key, err)
			} else {
				_ = r.Close()
			}
			if err := b.Delete(t.Context(), key); err != nil {
				t.Errorf("%q: %v", key, err)
			}
		}
		entries, err := os.ReadDir(root)
		if err != nil || len(entries) != 1 {
			t.Errorf("%q left the folder: %v, %v", key, entries, err)
		}
	})
}
