package fetch_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

// raw serves whatever f writes after the request's head.
func raw(t testing.TB, f func(c net.Conn)) string {
	t.Helper()
	return listen(t, func(c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			f(c)
		}
	})
}

// ended is the time within which even a busy machine must have ended an endless
// transfer.
const ended = 30 * time.Second

func TestHostileServers(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\n"
	silence := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	for name, x := range map[string]struct {
		answer func(c net.Conn)
		reason fetch.Reason
	}{
		"an endless body": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"\r\n")
			for {
				if _, err := c.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}, fetch.TooLarge},
		"an endless chunked body": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"Transfer-Encoding: chunked\r\n\r\n")
			for {
				if _, err := fmt.Fprintf(c, "8000\r\n%s\r\n", strings.Repeat("x", 0x8000)); err != nil {
					return
				}
			}
		}, fetch.TooLarge},
		"a length beyond the limit": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"Content-Length: 999999999999\r\n\r\nx")
			silence(c)
		}, fetch.TooLarge},
		"a length that is not kept": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"Content-Length: 1000\r\n\r\nonly this")
		}, fetch.Broken},
		"two lengths":        {func(c net.Conn) { _, _ = io.WriteString(c, head+"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx") }, fetch.Unreachable},
		"a negative length":  {func(c net.Conn) { _, _ = io.WriteString(c, head+"Content-Length: -5\r\n\r\nxx") }, fetch.Unreachable},
		"headers for ever":   {func(c net.Conn) { writeForEver(c, head, "X-More: "+strings.Repeat("y", 1000)+"\r\n") }, fetch.Unreachable},
		"one endless header": {func(c net.Conn) { writeForEver(c, head+"X-Long: ", strings.Repeat("z", 1000)) }, fetch.Unreachable},
		"1xx for ever":       {func(c net.Conn) { writeForEver(c, "", "HTTP/1.1 103 Early Hints\r\n\r\n") }, fetch.Unreachable},
		"no answer":          {silence, fetch.Slow},
		"half a head":        {func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-"); silence(c) }, fetch.Slow},
		"silence in the body": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"Content-Length: 100\r\n\r\nbegins")
			silence(c)
		}, fetch.Slow},
		"not HTTP":   {func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9\r\n") }, fetch.Unreachable},
		"hanging up": {func(net.Conn) {}, fetch.Unreachable},
		"gzip although nobody asked": {func(c net.Conn) {
			_, _ = io.WriteString(c, head+"Content-Encoding: gzip\r\n\r\n")
			z := gzip.NewWriter(c)
			for range 100 {
				_, _ = z.Write(make([]byte, 1<<20))
			}
			_ = z.Close()
		}, fetch.Answer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			port := raw(t, x.answer)
			// On a busy machine, even a server with much to send may seem silent for a while,
			// so only the tests of silent servers use a short limit.
			idle := 2 * ended
			if x.reason == fetch.Slow {
				idle = 150 * time.Millisecond
			}
			c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Idle: idle})
			began := time.Now()
			_, err := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, MaxBytes: 4 << 20, Tries: 2})
			if reason(err) != x.reason {
				t.Errorf("%v, want %s", err, x.reason)
			}
			if took := time.Since(began); took > ended {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func writeForEver(c net.Conn, head, piece string) {
	_, _ = io.WriteString(c, head)
	for {
		if _, err := io.WriteString(c, piece); err != nil {
			return
		}
	}
}

// A server that sends a byte now and then is ended by the timeout of the whole
// request.
func TestSlowlorisEnds(t *testing.T) {
	t.Parallel()
	port := raw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
		for {
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond) // real time, like the client's clock
		}
	})
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Idle: 2 * ended})
	began := time.Now()
	_, err := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Timeout: 400 * time.Millisecond})
	if reason(err) != fetch.Slow || time.Since(began) > ended {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}

func TestNoBodyIsLeftBehind(t *testing.T) {
	t.Parallel()
	port := raw(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") })
	dir := t.TempDir()
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Dir: dir})
	if _, err := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port}); err == nil {
		t.Fatal("a body that is not whole was given")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%d files are left: %v", len(left), err)
	}
}

// A crash while a body is read leaves no file behind, because the file has no
// name.
func TestABodyHasNoName(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open keeps its name there")
	}
	port := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sound") })
	dir := t.TempDir()
	body, err := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Dir: dir}).Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%d files have a name: %v", len(left), err)
	}
	if text, err := io.ReadAll(body); err != nil || string(text) != "sound" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if err := body.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"http://host/", "https://[::1]:80/x?y#z", "http://a@b@c/", "http://host:80:90/", "HTTP://1.2.3.4%2f/", "http:\\\\host", "http://[fe80::1%eth0]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := fetch.Parse(address)
		if err != nil {
			return
		}
		if fetch.Host(u) == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q passed", address)
		}
	})
}
