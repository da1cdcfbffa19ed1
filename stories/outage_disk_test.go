package stories

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// onSmallDisk starts a service in a mount namespace of its own, in which folder
// is a file system of the given size. It returns the service and the folder as
// it can be reached from outside.
func (o *outage) onSmallDisk(t *testing.T, folder, size string, flags ...string) (p *process, inside string) {
	t.Helper()
	must(t, os.MkdirAll(folder, 0o755))
	// A user namespace of its own lets one mount who is not root.
	front := []string{"unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"`, "sh", size, folder}
	p = o.begin(t, front, flags...)
	p.await(t)
	return p, fmt.Sprintf("/proc/%d/root%s", p.cmd.Process.Pid, folder)
}

// fill writes until the disk is full and returns how to free it again.
func fill(t *testing.T, folder string) (free func()) {
	t.Helper()
	ballast := filepath.Join(folder, "ballast")
	f, err := os.Create(ballast)
	must(t, err)
	block := make([]byte, 1<<16)
	for len(block) > 0 {
		if _, err = f.Write(block); err != nil {
			block = block[:len(block)/2] // the last bytes too
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	must(t, f.Close())
	return func() { must(t, os.Remove(ballast)) }
}

// recordings lists the files of recordings, whole and half.
func recordings(t *testing.T, folder string) (whole, half []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
		case strings.HasSuffix(path, ".wav"):
			whole = append(whole, path)
		case d.Name() != "ballast":
			half = append(half, path)
		}
		return err
	})
	must(t, err)
	return whole, half
}

// TestDiskIsFull fills the disk that holds database and recordings while calls
// are on the line: requests are told so, nothing is lost, and everything goes on
// by itself once there is room again.
func TestDiskIsFull(t *testing.T) {
	t.Parallel()
	o := newOutage(t, "calls_per_second=5&concurrent_calls=3")
	data := filepath.Join(t.TempDir(), "data")
	p, inside := o.onSmallDisk(t, data, "24m", "--data", data)
	o.use(t, p)
	o.run(t, otherNumber, 6, 6000, nil)
	o.awaitMiddle(t, 3, 6*time.Second, "")
	free := fill(t, inside)
	before := len(o.far.seen(""))
	asking := o.pester(p)
	eventually(t, patience, "somebody is told", func() bool {
		asking.mu.Lock()
		defer asking.mu.Unlock()
		return asking.answers[http.StatusServiceUnavailable] > 0
	})
	eventually(t, patience, "the calls end on the line", func() bool { return len(o.far.up()) == 0 })
	time.Sleep(2 * time.Second) // their ends cannot be stored meanwhile
	if n := len(o.far.seen("")) - before; n != 0 {
		t.Errorf("%d calls were placed although not even the ends of those before could be stored", n)
	}
	if got := status(p.url() + "/healthz"); got != http.StatusOK {
		t.Errorf("/healthz answers %d", got)
	}
	if got := status(p.url() + "/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d", got)
	}
	if code, _, text := o.ask("GET", p.url()+"/api/rest/agents", ""); code != http.StatusOK {
		t.Errorf("what is stored cannot be read: %d %s", code, text)
	}
	free()
	eventually(t, patience, "the service is ready again", func() bool { return status(p.url()+"/readyz") == http.StatusOK })
	if n := o.whole(t, o.ended(t)); n != 0 {
		t.Errorf("%d calls were placed twice", n)
	}
	asking.end(t, o)
	if asking.answers[http.StatusInternalServerError] > 0 || asking.answers[0] > 0 {
		t.Errorf("answers by status: %v", asking.answers)
	}
	whole, half := recordings(t, filepath.Join(inside, "recordings"))
	if len(whole) != 6 || len(half) > 0 {
		t.Errorf("%d recordings, and what nobody finished: %v", len(whole), half)
	}
}

// TestRecordingsAreFull leaves the database room and the recordings none: the calls
// on the line are void and say why, and later ones wait until there is room.
func TestRecordingsAreFull(t *testing.T) {
	t.Parallel()
	o := newOutage(t, "calls_per_second=5&concurrent_calls=3")
	data := t.TempDir()
	folder := filepath.Join(data, "recordings")
	p, inside := o.onSmallDisk(t, folder, "8m", "--data", data)
	o.use(t, p)
	free := fill(t, inside)
	o.run(t, otherNumber, 3, 1000, nil)
	for _, c := range o.ended(t) {
		if c.Status != "ENDED" || word(c.Verdict) != "void" || c.RecordingURL != nil || !strings.Contains(c.VerdictReason, "no room left for recordings") {
			t.Errorf("call %s: %s %s, %q", c.ID, c.Status, word(c.Verdict), c.VerdictReason)
		}
	}
	if whole, half := recordings(t, inside); len(whole)+len(half) > 0 {
		t.Errorf("files were left behind: %v %v", whole, half)
	}
	clear(o.experiments)
	before := len(o.far.seen(""))
	o.run(t, otherNumber, 2, 1000, nil)
	eventually(t, patience, "the log says that a call waits", func() bool {
		return strings.Contains(p.log.String(), "a call waits until recordings can be kept again")
	})
	if n := len(o.far.seen("")) - before; n != 0 {
		t.Errorf("%d calls were placed although no recording can be kept", n)
	}
	free()
	if n := o.whole(t, o.ended(t)); n != 0 {
		t.Errorf("%d calls were placed twice", n)
	}
}
