package stories

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// systemCall is one line, or two, of a trace. A call that blocks is told of
// twice: when it begins and when it has ended.
type systemCall struct {
	begun, ended int // lines
	name, args   string
}

// readTrace reads what `strace -f -yy -o FILE` writes.
func readTrace(r io.Reader) ([]*systemCall, error) {
	whole := regexp.MustCompile(`^(\d+) +(\w+)\((.*)$`)
	rest := regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)$`)
	var calls []*systemCall
	open := map[string]*systemCall{} // by thread
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if m := rest.FindStringSubmatch(lines.Text()); m != nil && open[m[1]] != nil {
			open[m[1]].ended = n
			open[m[1]].args += m[3]
			delete(open, m[1])
			continue
		}
		m := whole.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		c := &systemCall{begun: n, ended: n, name: m[2], args: m[3]}
		calls = append(calls, c)
		if strings.HasSuffix(c.args, "<unfinished ...>") {
			c.ended = 1 << 30 // should the trace end before the call does
			open[m[1]] = c
		}
	}
	return calls, lines.Err()
}

// on reports whether the call's file has a name with this end.
func (c *systemCall) on(end string) bool {
	_, after, ok := strings.Cut(c.args, "<")
	name, _, closed := strings.Cut(after, ">")
	return ok && closed && strings.HasSuffix(name, end)
}

func (c *systemCall) failed() bool { return strings.Contains(c.args, ") = -1") }

func (c *systemCall) writes() bool { return strings.Contains(c.name, "write") && !c.failed() }

func (c *systemCall) syncs() bool {
	return (c.name == "fsync" || c.name == "fdatasync") && !c.failed()
}

// after finds the first call that begins behind a line and fits.
func after(calls []*systemCall, line int, fits func(*systemCall) bool) *systemCall {
	for _, c := range calls {
		if c.begun > line && fits(c) {
			return c
		}
	}
	return nil
}

// writeAheadLog is where SQLite writes what a transaction changes. There is one
// writer, which writes all of a transaction in a row and then syncs: so the
// first sync that begins after a word of a transaction was written is its own.
const writeAheadLog = "ringtrue.db-wal"

// syncedAt returns the line at which the transaction that writes the marker is
// on disk.
func syncedAt(calls []*systemCall, marker string) (int, error) {
	written := after(calls, 0, func(c *systemCall) bool {
		return c.writes() && c.on(writeAheadLog) && strings.Contains(c.args, marker)
	})
	if written == nil {
		return 0, fmt.Errorf("%s was never written to the database", marker)
	}
	synced := after(calls, written.ended, func(c *systemCall) bool { return c.syncs() && c.on(writeAheadLog) })
	if synced == nil {
		return 0, fmt.Errorf("%s was written and never synced", marker)
	}
	return synced.ended, nil
}

// checkAnswer looks whether the answer to the request left after the
// transaction with the marker was on disk.
func checkAnswer(calls []*systemCall, requestID, marker string) error {
	answer := after(calls, 0, func(c *systemCall) bool {
		return c.writes() && strings.Contains(c.args, `"HTTP/1.1 2`) && strings.Contains(c.args, "X-Request-Id: "+requestID+`\r\n`)
	})
	if answer == nil {
		return fmt.Errorf("request %s was not answered 2xx", requestID)
	}
	synced, err := syncedAt(calls, marker)
	if err != nil {
		return err
	}
	if synced >= answer.begun {
		return fmt.Errorf("request %s was answered in line %d, its transaction was on disk in line %d", requestID, answer.begun, synced)
	}
	return nil
}

// checkName looks whether the name that a file or folder was given was on disk
// before the answer to the request left.
func checkName(calls []*systemCall, path, requestID string) error {
	answer := after(calls, 0, func(c *systemCall) bool {
		return c.writes() && strings.Contains(c.args, "X-Request-Id: "+requestID+`\r\n`)
	})
	named := after(calls, 0, func(c *systemCall) bool {
		made := strings.HasPrefix(c.name, "mkdir") || strings.HasPrefix(c.name, "link")
		return made && !c.failed() && strings.Contains(c.args, `"`+path+`"`)
	})
	if answer == nil || named == nil {
		return fmt.Errorf("%s: named %v, request %s answered %v", path, named != nil, requestID, answer != nil)
	}
	synced := after(calls, named.ended, func(c *systemCall) bool { return c.syncs() && c.on(filepath.Dir(path)) })
	if synced == nil || synced.ended >= answer.begun {
		return fmt.Errorf("%s was named in line %d, and its folder not synced before the answer in line %d", path, named.begun, answer.begun)
	}
	return nil
}

// checkRecording looks whether a recording was written, synced, named, and its
// name synced in every folder on the way (path is of folders below the data
// folder and ends with the file), all before the database was told of it.
func checkRecording(calls []*systemCall, path ...string) error {
	name := path[len(path)-1]
	told := after(calls, 0, func(c *systemCall) bool {
		return c.writes() && c.on(writeAheadLog) && strings.Contains(c.args, name)
	})
	named := after(calls, 0, func(c *systemCall) bool {
		return strings.HasPrefix(c.name, "rename") && !c.failed() && strings.Contains(c.args, name+`"`)
	})
	if told == nil || named == nil {
		return fmt.Errorf("recording %s: named %v, told to the database %v", name, named != nil, told != nil)
	}
	var begun []*systemCall
	for _, c := range calls {
		if c.writes() && strings.Contains(strings.SplitN(c.args, ">", 2)[0], name+".") {
			begun = append(begun, c)
		}
	}
	if len(begun) == 0 {
		return fmt.Errorf("recording %s was never written", name)
	}
	synced := after(calls, begun[len(begun)-1].ended, func(c *systemCall) bool {
		return c.syncs() && strings.Contains(c.args, name+".")
	})
	if synced == nil || synced.ended >= named.begun {
		return fmt.Errorf("recording %s was named in line %d and not on disk before", name, named.begun)
	}
	for i := range path[:len(path)-1] {
		folder := "/" + strings.Join(path[:len(path)-1-i], "/")
		s := after(calls, named.ended, func(c *systemCall) bool { return c.syncs() && c.on(folder) })
		if s == nil || s.ended >= told.begun {
			return fmt.Errorf("recording %s: the folder %s was not synced before the database was told", name, folder)
		}
	}
	return nil
}

// The traces below are what the checks above must tell apart.
const (
	soundTrace = `10 pwrite64(9</d/ringtrue.db-wal>, "\0\0\6", 24, 100) = 24
10 pwrite64(9</d/ringtrue.db-wal>, "name marker-1 more", 4096, 124) = 4096
10 fsync(9</d/ringtrue.db-wal> <unfinished ...>
11 write(17<TCP:[127.0.0.1:1->127.0.0.1:2]>, "HTTP/1.1 200 OK\r\nX-Request-Id: other\r\n\r\n", 50) = 50
10 <... fsync resumed>)             = 0
10 pwrite64(9</d/ringtrue.db-wal>, "of the next transaction", 4096, 124) = 4096
11 write(17<TCP:[127.0.0.1:1->127.0.0.1:2]>, "HTTP/1.1 201 Created\r\nX-Request-Id: sync-1\r\n\r\n", 50) = 50
`
	soundRecording = `10 write(8</d/recordings/ws_1/call_1/att_1.wav.ab.tmp>, "RIFF", 4) = 4
10 write(8</d/recordings/ws_1/call_1/att_1.wav.ab.tmp>, "more", 4) = 4
10 fsync(8</d/recordings/ws_1/call_1/att_1.wav.ab.tmp>) = 0
10 renameat(AT_FDCWD</d>, "/d/recordings/ws_1/call_1/att_1.wav.ab.tmp", AT_FDCWD</d>, "/d/recordings/ws_1/call_1/att_1.wav") = 0
10 fsync(8</d/recordings/ws_1/call_1>) = 0
10 fsync(8</d/recordings/ws_1>) = 0
10 fsync(8</d/recordings>) = 0
10 pwrite64(9</d/ringtrue.db-wal>, "{\"key\":\"ws_1/call_1/att_1.wav\"", 4096, 124) = 4096
10 fsync(9</d/ringtrue.db-wal>) = 0
`
)

func TestTraceTellsRightFromWrong(t *testing.T) {
	t.Parallel()
	check := func(trace string, f func([]*systemCall) error) error {
		calls, err := readTrace(strings.NewReader(trace))
		if err != nil {
			t.Fatal(err)
		}
		return f(calls)
	}
	answer := func(c []*systemCall) error { return checkAnswer(c, "sync-1", "marker-1") }
	recording := func(c []*systemCall) error {
		return checkRecording(c, "recordings", "ws_1", "call_1", "att_1.wav")
	}
	if err := check(soundTrace, answer); err != nil {
		t.Errorf("a sound trace: %v", err)
	}
	if err := check(soundRecording, recording); err != nil {
		t.Errorf("a sound recording: %v", err)
	}
	lines := func(trace string, order ...int) string {
		of, out := strings.SplitAfter(trace, "\n"), ""
		for _, n := range order {
			out += of[n-1]
		}
		return out
	}
	for name, trace := range map[string]string{
		"never synced":         lines(soundTrace, 1, 2, 4, 6, 7),
		"answered too early":   lines(soundTrace, 1, 2, 7, 3, 5),
		"answered in the sync": lines(soundTrace, 1, 2, 3, 7, 5),
		"synced too early":     lines(soundTrace, 3, 5, 1, 2, 7),
		"the sync failed":      strings.Replace(soundTrace, "resumed>)             = 0", "resumed>) = -1 EIO", 1),
		"the wrong file":       strings.Replace(soundTrace, "fsync(9</d/ringtrue.db-wal>", "fsync(9</d/ringtrue.db>", 1),
		"never written":        lines(soundTrace, 1, 3, 5, 7),
		"never answered":       lines(soundTrace, 1, 2, 3, 5),
	} {
		if check(trace, answer) == nil {
			t.Errorf("%s: nothing was found", name)
		}
	}
	for name, order := range map[string][]int{
		"file not synced":     {1, 2, 4, 5, 6, 7, 8, 9},
		"written after sync":  {1, 3, 2, 4, 5, 6, 7, 8, 9},
		"named before sync":   {1, 2, 4, 3, 5, 6, 7, 8, 9},
		"folder not synced":   {1, 2, 3, 4, 6, 7, 8, 9},
		"parent not synced":   {1, 2, 3, 4, 5, 7, 8, 9},
		"folder before name":  {1, 2, 3, 5, 6, 7, 4, 8, 9},
		"database told first": {8, 1, 2, 3, 4, 5, 6, 7, 9},
	} {
		if check(lines(soundRecording, order...), recording) == nil {
			t.Errorf("%s: nothing was found", name)
		}
	}
}
