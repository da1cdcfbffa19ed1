package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Request is a request for one body.
type Request struct {
	// URL is the address as it was given.
	URL string
	// Header is sent to the origin of URL only (scheme, host and port), since it may hold
	// credentials. The same holds for a user and password in URL.
	Header http.Header
	// Body is sent by POST, to the origin of URL only; nil means GET.
	Body []byte
	// Query is added to URL, such as a token. It is added again after a redirect within the
	// origin, unless the new address has a query of its own.
	Query url.Values
	// Party is on whose behalf the request is made: a host rests per party.
	Party string
	// MaxBytes limits the size of the body (default 1 GiB on disk, 8 MiB in memory).
	MaxBytes int64
	// Timeout limits the whole request, retries included (default 10 min).
	Timeout time.Duration
	// Tries limits how often a busy, broken or unreachable server is asked (default 4).
	Tries int
	// Cut accepts a body that is shorter than the server announced, if it ends at the same
	// offset in two tries.
	Cut bool
}

// Result describes a fetched body.
type Result struct {
	// Host is the host that sent the body, after all redirects.
	Host string
	// Type is the media type that the server claims; nothing relies on it.
	Type string
	// Size is the length of the body in bytes.
	Size int64
	// Resumed is how often a broken download was resumed.
	Resumed int
	// Cut says that the body is shorter than the server announced.
	Cut bool
}

// Body is a body on disk. Where the system supports it, the file has no name, so that
// not even a crash leaves it behind.
type Body struct {
	*os.File
	Result
	// named says that the file has a name and must be removed.
	named bool
	way   *way
}

// Close deletes the file and frees its place for the next download.
func (b *Body) Close() error {
	defer b.way.leave()
	err := b.File.Close()
	if !b.named {
		return err
	}
	if gone := os.Remove(b.Name()); err == nil {
		err = gone
	}
	return err
}

func (r Request) filled() Request {
	if r.MaxBytes <= 0 {
		r.MaxBytes = 1 << 30
	}
	if r.Timeout <= 0 {
		r.Timeout = 10 * time.Minute
	}
	if r.Tries <= 0 {
		r.Tries = 4
	}
	return r
}

// Get downloads a body into a temporary file, positioned at its beginning. Errors are
// *Error, the context's when the caller gave up, or those of the disk. The caller must
// close the body.
func (c *Client) Get(ctx context.Context, r Request) (*Body, error) {
	ctx, w, err := c.lanes.enter(ctx)
	if err != nil {
		return nil, err
	}
	b := &Body{way: w}
	if b.File, b.named, err = scratch(c.o.Dir); err != nil {
		w.leave()
		return nil, err
	}
	if b.Result, err = c.bring(ctx, r.filled(), b.File, w); err == nil {
		err = w.arrived(ctx)
	}
	if err == nil {
		_, err = b.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// byName creates a file and unlinks it at once, where the system allows that.
func byName(dir string) (f *os.File, named bool, err error) {
	if f, err = os.CreateTemp(dir, "fetch-*"); err != nil {
		return nil, false, err
	}
	return f, os.Remove(f.Name()) != nil, nil
}

// Bytes is Get for small bodies: the body is returned in memory, without taking a place.
func (c *Client) Bytes(ctx context.Context, r Request) ([]byte, Result, error) {
	if r.MaxBytes <= 0 {
		r.MaxBytes = 8 << 20
	}
	m := &memory{}
	res, err := c.bring(ctx, r.filled(), m, nil)
	return m.Bytes(), res, err
}

// memory is a target in memory.
type memory struct{ bytes.Buffer }

// Truncate discards all but the first size bytes.
func (m *memory) Truncate(size int64) error {
	m.Buffer.Truncate(int(size))
	return nil
}

// Seek does nothing: writes always append.
func (m *memory) Seek(int64, int) (int64, error) { return 0, nil }

// target is what a body is written to.
type target interface {
	io.WriteSeeker
	Truncate(size int64) error
}
