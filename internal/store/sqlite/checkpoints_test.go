package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogIsBroughtIntoTheFile writes more than the write-ahead log may hold: it
// is brought over beside the writer, and does not grow without end. No time passes
// but where it sleeps, however long the disk takes.
func TestLogIsBroughtIntoTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	synctest.Test(t, func(t *testing.T) {
		db := open(t, path).DB()
		const megabyte = 1 << 20
		size := func(path string) int64 {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			return info.Size()
		}
		write := func(n int) {
			for range n {
				if _, err := db.ExecContext(t.Context(), `INSERT INTO payloads (owner, kind, body) VALUES (lower(hex(randomblob(16))), $1, zeroblob($2))`, "x", megabyte); err != nil {
					t.Fatal(err)
				}
			}
		}
		write(9) // too little for the writer to do it
		for range 5 {
			time.Sleep(100 * time.Millisecond) // the rest is what comes after a rush that lasts
			write(1)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if size(path) < 14*megabyte {
			t.Fatalf("the file has %d bytes, the log %d", size(path), size(path+"-wal"))
		}
		write(120)
		if log := size(path + "-wal"); log > 90*megabyte {
			t.Errorf("the log has %d bytes", log)
		}
	})
}
