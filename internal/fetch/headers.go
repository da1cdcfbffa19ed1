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

// tag is what makes sure that a later part belongs to the same body: a strong
// entity tag, or the time of the last change.
func tag(resp *http.Response) string {
	if resp.Header.Get("Accept-Ranges") == "none" {
		return ""
	}
	if e := resp.Header.Get("ETag"); strings.HasPrefix(e, `"`) {
		return e
	}
	return resp.Header.Get("Last-Modified")
}

// part is what an answer says that it holds of a body.
type part struct {
	from, to int64 // the first byte and the last
	whole    int64 // the length of the body, −1 when it is not told
}

// contentRange reads "bytes 5-9/10".
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

// retryAfter reads seconds or a date; 0 when it says neither.
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

// size says a number of bytes for people.
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

// isDisk tells errors of the file from those of the connection.
func isDisk(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}
