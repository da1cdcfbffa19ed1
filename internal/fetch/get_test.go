package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

func TestABrokenConnectionIsTakenUpWhereItBroke(t *testing.T) {
	t.Parallel()
	whole := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	var sent atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		at := 0
		if s := r.Header.Get("Range"); s != "" && r.Header.Get("If-Range") == `"one"` {
			_, _ = fmt.Sscanf(s, "bytes=%d-", &at)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(whole)-1, len(whole)))
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(whole)-at))
		if at > 0 {
			w.WriteHeader(http.StatusPartialContent)
		}
		n, _ := w.Write(whole[at:min(at+300_000, len(whole))])
		sent.Add(int64(n))
		if at+300_000 < len(whole) {
			panic(http.ErrAbortHandler)
		}
	})
	dir := t.TempDir()
	body, err := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Dir: dir}).Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(body)
	if err != nil || !bytes.Equal(got, whole) || body.Resumed == 0 || body.Size != int64(len(whole)) {
		t.Errorf("%d of %d bytes, resumed %d times: %v", len(got), len(whole), body.Resumed, err)
	}
	if sent.Load() > int64(len(whole))*3/2 {
		t.Errorf("%d bytes were sent for %d", sent.Load(), len(whole))
	}
	if err := body.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%d files are still there: %v", len(left), err)
	}
}

// A server that sends parts of its current body, whatever was asked for, must not lead to a mixture
// of two recordings. A length that is too large on every try must not cost the bytes received, if
// Cut is set.
func TestALengthThatIsTooLarge(t *testing.T) {
	t.Parallel()
	const whole = "the whole of it"
	for name, x := range map[string]struct {
		part     func(w http.ResponseWriter)
		differs  bool
		cut, had bool
	}{
		"without a tag":           {nil, false, true, true},
		"no part":                 {func(w http.ResponseWriter) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) }, false, true, true},
		"another place each time": {nil, true, false, false},
		"an empty part": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-99/100", len(whole)))
			w.Header().Set("Content-Length", fmt.Sprint(100-len(whole)))
			w.WriteHeader(http.StatusPartialContent)
		}, false, true, true},
		"its own length": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(whole)))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}, false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			port := serve(t, func(w http.ResponseWriter, r *http.Request) {
				n := int(asked.Add(1))
				if x.part != nil {
					w.Header().Set("ETag", `"one"`)
				}
				if r.Header.Get("Range") != "" {
					x.part(w)
					return
				}
				w.Header().Set("Content-Length", "100")
				if x.differs {
					_, _ = io.WriteString(w, whole[n:])
				} else {
					_, _ = io.WriteString(w, whole)
				}
			})
			for _, wanted := range []bool{true, false} {
				asked.Store(0)
				body, err := client(t, nil, "127.0.0.1").Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 2, Cut: wanted})
				if had := x.had && (wanted || !x.cut); had != (err == nil) || err != nil && reason(err) != fetch.Broken {
					t.Errorf("cut %v: %v", wanted, err)
				}
				if asked.Load() > 5 {
					t.Errorf("asked %d times", asked.Load())
				}
				if err != nil {
					continue
				}
				got, err := io.ReadAll(body)
				if err != nil || string(got) != whole || body.Cut != x.cut {
					t.Errorf("%q, cut %v: %v", got, body.Cut, err)
				}
				_ = body.Close()
			}
		})
	}
}

func TestAPartUnderAnotherTagIsNotJoined(t *testing.T) {
	t.Parallel()
	for name, tags := range map[string][2]string{"ETag": {`"one"`, `"two"`}, "Last-Modified": {"Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"}} {
		var asked atomic.Int64
		port := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				w.Header().Set(name, tags[0])
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, strings.Repeat("a", 500))
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			}
			w.Header().Set(name, tags[1])
			body := strings.Repeat("b", 1000)
			if r.Header.Get("Range") != "" {
				w.Header().Set("Content-Range", "bytes 500-999/1000")
				w.WriteHeader(http.StatusPartialContent)
				body = body[500:]
			}
			_, _ = io.WriteString(w, body)
		})
		got, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
		if err != nil || string(got) != strings.Repeat("b", 1000) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

// A part that was asked for with If-Range need not say again when the body was last changed. It may
// break off as well, and is then taken up once more.
func TestAPartWithoutATagMayBreakOffToo(t *testing.T) {
	t.Parallel()
	const whole, each = "0123456789abcdefghij", 4
	var anew atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		from := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(whole)-1, len(whole)))
			w.Header().Set("Content-Length", strconv.Itoa(len(whole)-from))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			anew.Add(1)
			w.Header().Set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
			w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		}
		_, _ = io.WriteString(w, whole[from:min(from+each, len(whole))])
		_ = http.NewResponseController(w).Flush()
		if from+each < len(whole) {
			panic(http.ErrAbortHandler)
		}
	})
	got, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 2})
	if err != nil || string(got) != whole || anew.Load() != 1 {
		t.Errorf("%q after %d beginnings: %v", got, anew.Load(), err)
	}
}

// Bytes beyond the end of the announced part do not belong to the body.
func TestAPartIsNoLongerThanItSays(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("0123456789", 100)
	for name, says := range map[string]string{
		"up to the end": "bytes 500-999/1000", "of no length": "bytes 500-999/*", "of no length anywhere": "bytes 500-999/*", "up to somewhere": "bytes 500-899/1000",
	} {
		port := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"one"`)
			switch r.Header.Get("Range") {
			case "":
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, whole[:500])
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			case "bytes=500-":
				w.Header().Set("Content-Range", says)
				w.WriteHeader(http.StatusPartialContent)
				if name == "of no length anywhere" {
					_ = http.NewResponseController(w).Flush() // then there is no Content-Length either
				}
				_, _ = io.WriteString(w, whole[500:]+strings.Repeat("x", 1000))
			default:
				w.Header().Set("Content-Range", "bytes 900-999/1000")
				w.WriteHeader(http.StatusPartialContent)
				_, _ = io.WriteString(w, whole[900:])
			}
		})
		got, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
		if err != nil || string(got) != whole {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// Some servers announce the missing part but send the whole body.
func TestAllOfABodyUnderTheHeadOfAPartIsNotJoined(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("0123456789", 99) + "behind it."
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		if r.Header.Get("Range") == "" {
			_, _ = io.WriteString(w, whole[:505])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Range", "bytes 505-999/1000")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, whole)
	})
	got, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
	if err != nil || string(got) != whole {
		t.Errorf("%q %v", got, err)
	}
}

// A file that changed between two tries must not be joined from halves.
func TestAPartOfAnotherFileIsNotJoined(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
		body := strings.Repeat(string(rune('a'+n-1)), 1000)
		w.Header().Set("Content-Length", "1000")
		if n < 3 {
			_, _ = io.WriteString(w, body[:500])
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, body)
	})
	got, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
	if err != nil || string(got) != strings.Repeat("c", 1000) {
		t.Errorf("%q %v", got, err)
	}
}

func TestCredentialsGoToTheirHostAlone(t *testing.T) {
	t.Parallel()
	var first, same, other http.Header
	var otherQuery string
	otherPort := serve(t, func(w http.ResponseWriter, r *http.Request) {
		other, otherQuery = r.Header.Clone(), r.URL.RawQuery
		_, _ = io.WriteString(w, "sound")
	})
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a" {
			first = r.Header.Clone()
			if r.URL.Query().Get("token") != "q-secret" || r.URL.Query().Get("x") != "1" {
				t.Errorf("query %s", r.URL.RawQuery)
			}
			http.Redirect(w, r, "/b", http.StatusFound)
			return
		}
		same = r.Header.Clone()
		http.Redirect(w, r, "http://other.example:"+otherPort+"/c", http.StatusFound)
	})
	hosts := names{"own.example": {"127.0.0.1"}, "other.example": {"127.0.0.1"}}
	got, res, err := client(t, hosts, ".example").Bytes(t.Context(), fetch.Request{
		URL: "http://user:pass@own.example:" + port + "/a?x=1", Header: http.Header{"X-Api-Key": {"h-secret"}}, Query: url.Values{"token": {"q-secret"}},
	})
	if err != nil || string(got) != "sound" || res.Host != "other.example" {
		t.Fatalf("%q from %q: %v", got, res.Host, err)
	}
	if first.Get("X-Api-Key") != "h-secret" || same.Get("X-Api-Key") != "h-secret" || first.Get("Authorization") == "" {
		t.Error("the host itself did not get its credentials")
	}
	if all := fmt.Sprint(other, otherQuery); strings.Contains(all, "secret") || other.Get("Authorization") != "" || other.Get("Cookie") != "" || other.Get("Referer") != "" {
		t.Errorf("another host got %s", all)
	}
}

// A POST body is sent again after a redirect within its origin, and to nobody else.
func TestABodyIsSentToItsHostAlone(t *testing.T) {
	t.Parallel()
	var port, away string
	told := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s", r.Method, body)
	}
	port = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/self":
			http.Redirect(w, r, "/end", http.StatusTemporaryRedirect)
		case "/away":
			http.Redirect(w, r, "http://away.example:"+away+"/", http.StatusTemporaryRedirect)
		default:
			told(w, r)
		}
	})
	away = serve(t, told)
	c := client(t, names{"own.example": {"127.0.0.1"}, "away.example": {"127.0.0.1"}}, ".example")
	for path, want := range map[string]string{"/end": "POST secret", "/self": "POST secret", "/away": "GET "} {
		got, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://own.example:" + port + path, Body: []byte("secret")})
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// Credentials are sent again after a redirect within the origin, however the address is written,
// but not after one that leads away and back.
func TestCredentialsGoOnToTheSamePlace(t *testing.T) {
	t.Parallel()
	var last atomic.Value
	var port, away string
	port = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Path; to != "/end" {
			to = strings.NewReplacer("/self", "http://own.example:"+port+"/end", "/dot", "http://OWN.example.:"+port+"/end", "/zero", "http://own.example:0"+port+"/end",
				"/path", "/end", "/asks", "/end?x=1", "/given", "http://own.example:"+port+"/end?token=other", "/user", "http://a:b@own.example:"+port+"/end", "/away", "http://away.example:"+away+"/").Replace(to)
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		user, pass, _ := r.BasicAuth()
		last.Store(fmt.Sprintf("%s:%s %s %s", user, pass, r.Header.Get("X-Api-Key"), r.URL.RawQuery))
	})
	away = serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://own.example:"+port+"/end", http.StatusFound)
	})
	c := client(t, names{"own.example": {"127.0.0.1"}, "away.example": {"127.0.0.1"}}, ".example")
	for path, want := range map[string]string{
		"/self": "user:pass key token=secret", "/dot": "user:pass key token=secret", "/zero": "user:pass key token=secret", "/path": "user:pass key token=secret",
		"/asks": "user:pass key x=1", "/given": "user:pass key token=other", "/user": "a:b key token=secret", "/away": ":  ",
	} {
		_, _, err := c.Bytes(t.Context(), fetch.Request{
			URL: "http://user:pass@own.example:" + port + path, Header: http.Header{"X-Api-Key": {"key"}}, Query: url.Values{"token": {"secret"}},
		})
		if err != nil || last.Load() != want {
			t.Errorf("%s: got %q, want %q; %v", path, last.Load(), want, err)
		}
	}
}

func TestWhatAServerAnswers(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		status int
		reason fetch.Reason
		asked  int64
	}{
		{401, fetch.Unauthorized, 1}, {403, fetch.Unauthorized, 1}, {404, fetch.NotFound, 1}, {410, fetch.NotFound, 1}, {418, fetch.Answer, 1},
		{204, fetch.Answer, 1}, {304, fetch.Answer, 1}, {400, fetch.Answer, 1}, {206, fetch.Broken, 3}, {416, fetch.Broken, 3},
		{202, fetch.Busy, 3}, {429, fetch.Busy, 3}, {408, fetch.Busy, 3}, {500, fetch.Busy, 3}, {503, fetch.Busy, 3},
	} {
		var asked atomic.Int64
		port := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.WriteHeader(x.status)
		})
		_, err := client(t, nil, "127.0.0.1").Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 3})
		if reason(err) != x.reason || asked.Load() != x.asked {
			t.Errorf("%d: asked %d times, %v", x.status, asked.Load(), err)
		}
	}
}

// The query of an address is kept as it was given, since it may be signed: only characters that
// cannot be sent are escaped, and a token is added.
func TestQueriesStayAsTheyCame(t *testing.T) {
	t.Parallel()
	var got atomic.Value
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.URL.RawQuery)
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", "/?"+to)
			w.WriteHeader(http.StatusFound)
		}
	})
	token := url.Values{"token": {"s e+c"}}
	for query, want := range map[string][2]string{
		"sig=ab%2Bc%3D&x=a+b&y=%20z": {"sig=ab%2Bc%3D&x=a+b&y=%20z", "sig=ab%2Bc%3D&x=a+b&y=%20z&token=s+e%2Bc"},
		"x=1;y=2&z":                  {"x=1;y=2&z", "x=1;y=2&z&token=s+e%2Bc"},
		"":                           {"", "token=s+e%2Bc"},
		"token=old&x=%zz&&%74oken=1": {"token=old&x=%zz&&%74oken=1", "x=%zz&token=s+e%2Bc"},
		"name=a b.wav&ü=\"<x>":       {"name=a%20b.wav&%C3%BC=%22%3Cx%3E", "name=a%20b.wav&%C3%BC=%22%3Cx%3E&token=s+e%2Bc"},
		"to=a%20b":                   {"a%20b", "a%20b"},
	} {
		for i, more := range []url.Values{nil, token} {
			_, _, err := client(t, nil, "127.0.0.1").Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port + "/?" + query, Query: more})
			if err != nil || got.Load() != want[i] {
				t.Errorf("%s: %v came, %v", query, got.Load(), err)
			}
		}
	}
}

// Content codings that an object store kept from the upload do not make a body compressed.
func TestNamesOfNoCompression(t *testing.T) {
	t.Parallel()
	for encoding, fine := range map[string]bool{"identity": true, "aws-chunked": true, "AWS-Chunked ": true, "gzip, aws-chunked": false, "br": false} {
		port := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", encoding)
			_, _ = io.WriteString(w, "sound")
		})
		body, err := client(t, nil, "127.0.0.1").Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
		if (err == nil) != fine || !fine && reason(err) != fetch.Answer {
			t.Errorf("%q: %v", encoding, err)
		}
		if err == nil {
			_ = body.Close()
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	wait := "7"
	port := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, "now")
	})
	var slept []time.Duration
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}})
	got, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
	if err != nil || string(got) != "now" || len(slept) != 1 || slept[0] != 7*time.Second {
		t.Errorf("%q after %v: %v", got, slept, err)
	}
	asked.Store(0)
	wait = "3600"
	_, _, err = c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port})
	var e *fetch.Error
	if !errors.As(err, &e) || e.RetryAfter != time.Hour || !e.Temporary() || asked.Load() != 1 {
		t.Errorf("an hour was not left to the caller: %v", err)
	}
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := asked.Add(1); r.URL.Path == "/six" || n <= 5 {
			http.Redirect(w, r, fmt.Sprintf("%s?%d", r.URL.Path, n), http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "there")
	})
	c := client(t, nil, "127.0.0.1")
	if got, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port + "/five"}); err != nil || string(got) != "there" {
		t.Errorf("five redirects: %q %v", got, err)
	}
	asked.Store(0)
	if _, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port + "/six"}); reason(err) != fetch.Redirects || asked.Load() != 6 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}
