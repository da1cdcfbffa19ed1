package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tag returns the validator for If-Range, which ensures that a later part
// belongs to the same body: a strong entity tag, or the time of the last
// change. It is "" when the server does not send parts.
func tag(resp *http.Response) string {
	if resp.Header.Get("Accept-Ranges") == "none" {
		return ""
	}
	if e := resp.Header.Get("ETag"); strings.HasPrefix(e, `"`) {
		return e
	}
	return resp.Header.Get("Last-Modified")
}

// versionOf returns the tag of an answer; a part need not name once more the one that is known.
func versionOf(resp *http.Response, known string) string {
	if now := tag(resp); now != "" || resp.StatusCode != http.StatusPartialContent {
		return now
	}
	return known
}

// part is the content of a Content-Range header.
type part struct {
	from, to int64 // first and last byte, both included
	whole    int64 // length of the whole body, −1 when unknown
}

// contentRange parses "bytes 5-9/10".
func contentRange(text string) (p part, ok bool) {
	rest, ok := strings.CutPrefix(text, "bytes ")
	if !ok {
		return p, false
	}
	span, total, ok1 := strings.Cut(rest, "/")
	first, last, ok2 := strings.Cut(span, "-")
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	if !ok1 || !ok2 || err1 != nil || err2 != nil || from < 0 || to < from {
		return p, false
	}
	if total == "*" {
		return part{from, to, -1}, true
	}
	whole, err := strconv.ParseInt(total, 10, 64)
	return part{from, to, whole}, err == nil && whole > to
}

// retryAfter parses seconds or a date, capped at a day; 0 when it is neither.
func retryAfter(text string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if s, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && s > 0 {
		return time.Duration(min(s, int64(most/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	return 0
}

// size formats a number of bytes for people.
func size(n int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.bytes {
			return strconv.FormatInt(n/unit.bytes, 10) + " " + unit.name
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// isDisk reports whether an error came from the file and not from the
// connection.
func isDisk(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}
