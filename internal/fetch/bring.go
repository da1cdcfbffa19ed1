package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// transfer is the state of one Request.
type transfer struct {
	c      *Client
	r      Request
	to     target
	origin *url.URL
	host   string // the host asked last
	got    int64
	size   int64  // of the whole body, −1 when unknown
	tag    string // If-Range value for what was received so far; "" when it cannot be resumed
	till   int64  // end of the part that the answer announced; bytes beyond it are not read
	most   int64  // largest got after any try so far
	broke  int64  // offset at which the body last broke off, −1 when it has not
	// unasked says that the server refused the range the last try asked for. Such a try does not
	// count, because the whole body has not been asked for.
	unasked bool
	result  Result
	way     *way
	// answered says that the server sent an answer, whatever its status; met says that a connection
	// was made.
	answered bool
	met      atomic.Bool
}

// bring downloads a body into a target, retrying as often as the request allows. A try that
// brought new bytes does not count.
func (c *Client) bring(ctx context.Context, r Request, to target, w *way) (Result, error) {
	u, err := Parse(r.URL)
	if err != nil {
		return Result{}, err
	}
	if len(r.Query) > 0 {
		u.RawQuery = with(u.RawQuery, r.Query)
	}
	t := &transfer{c: c, r: r, to: to, origin: u, size: -1, broke: -1, way: w}
	key := restKey{r.Party, Host(u) + " " + strconv.Itoa(port(u))}
	probes, ok := c.resting.mayAsk(key)
	if !ok {
		return Result{}, fault(Host(u), Unreachable, "it did not answer a moment ago and will be tried again later")
	}
	err = t.tries(ctx)
	c.resting.told(key, t.outcome(err), probes)
	if err != nil {
		return Result{}, err
	}
	t.result.Size = t.got
	return t.result, nil
}

// outcome classifies the transfer for resting. A host that was not called because it may not be
// needs no rest.
func (t *transfer) outcome(err error) outcome {
	var e *Error
	switch {
	case t.answered:
		return answered
	case !errors.As(err, &e):
		return unsure
	case t.met.Load() && e.Reason != Slow:
		return answered // an error at once is a fault of this address, and delays nobody
	case e.Temporary():
		return silent
	}
	return answered
}

// endsHere reports whether a body that broke off is accepted as complete: it may be cut, and
// broke off at the same offset before.
func (t *transfer) endsHere(before int64) bool {
	return t.r.Cut && before > 0 && t.got == before && t.broke == before
}

// counted updates the number of the try and of tries that made progress. Progress starts the
// tries over; a refused range does not count as a try.
func (t *transfer) counted(try, steps int) (tries, news int) {
	switch {
	case t.got > t.most && steps < maxSteps:
		try, steps = 1, steps+1
	case t.unasked:
		try--
	}
	t.unasked = false
	t.most = max(t.most, t.got)
	return try, steps
}

// tries repeats the request until the body is complete, an error is permanent or the tries are
// used up.
func (t *transfer) tries(ctx context.Context) error {
	c, r := t.c, t.r
	limited, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	for try, steps := 1, 0; ; try++ {
		before := t.broke
		err := t.once(limited)
		if err == nil {
			return nil
		}
		var e *Error
		switch {
		case ctx.Err() != nil:
			return t.ended(ctx)
		case !errors.As(err, &e):
			return err // a disk error
		case limited.Err() != nil:
			return fault(t.host, Slow, "it did not finish within %s", r.Timeout)
		case e.Reason == Broken && t.endsHere(before):
			t.result.Cut = true
			return nil
		}
		try, steps = t.counted(try, steps)
		wait := c.pause(try, e)
		if !e.Temporary() || try >= r.Tries || wait > maxPause {
			return e
		}
		if wait > time.Second {
			t.way.standAside()
		}
		if c.o.Sleep(limited, wait) != nil {
			return e
		}
	}
}

// ended returns why the context ended: the lanes' reason when the transfer had to give way,
// otherwise the caller's.
func (t *transfer) ended(ctx context.Context) error {
	var e *Error
	if errors.As(context.Cause(ctx), &e) {
		return fault(t.host, e.Reason, "%s", e.Text)
	}
	return ctx.Err()
}

const (
	maxRedirects = 5
	maxSteps     = 50 // how many tries with progress are not counted
	maxPause     = time.Minute
)

// pause returns how long to wait after a failed try: exponential backoff with jitter, and at
// least what Retry-After asks for.
func (c *Client) pause(try int, e *Error) time.Duration {
	wait := time.Duration(float64(500*time.Millisecond) * math.Pow(2, float64(min(try, 10)-1)) * (1 + c.o.Random()/2))
	return max(wait, e.RetryAfter)
}

// once makes one try, following redirects. Errors are *Error, or those of the disk.
func (t *transfer) once(ctx context.Context) error {
	u, header, body, own := t.origin, t.r.Header, t.r.Body, true
	for range maxRedirects + 1 {
		ctx, idle := watch(ctx, t.c.o.Idle)
		resp, err := t.ask(ctx, u, header, body)
		if err != nil {
			if idle.fired() && ctx.Err() != nil {
				err = t.silent()
			}
			idle.stop()
			return err
		}
		next, err := redirect(u, resp)
		if next == nil && err == nil {
			err = t.take(ctx, resp, idle)
		}
		_ = resp.Body.Close()
		idle.stop()
		if next == nil || err != nil {
			return err
		}
		if own = own && sameOrigin(u, next); !own {
			header, body = nil, nil // never restored: a host that redirects away and back would choose where they go
		} else if next.RawQuery == "" && len(t.r.Query) > 0 {
			next.RawQuery = t.r.Query.Encode() // a query set by the server may be signed and is left alone
		}
		u = next
	}
	return fault(t.host, Redirects, "it redirects more than %d times", maxRedirects)
}

// ask sends one request.
func (t *transfer) ask(ctx context.Context, u *url.URL, header http.Header, body []byte) (*http.Response, error) {
	t.host = Host(u)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { t.met.Store(true) }})
	method, sent := http.MethodGet, io.Reader(http.NoBody)
	if body != nil {
		method, sent = http.MethodPost, bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), sent)
	if err != nil {
		return nil, fault("", BadAddress, "the address cannot be used")
	}
	req.URL.RawQuery = sendable(req.URL.RawQuery)
	for k, v := range header {
		req.Header[http.CanonicalHeaderKey(k)] = v
	}
	if u.User != nil && req.Header.Get("Authorization") == "" {
		password, _ := u.User.Password()
		req.SetBasicAuth(u.User.Username(), password)
	}
	req.Header.Set("User-Agent", t.c.o.UserAgent)
	req.Header.Set("Accept-Encoding", "identity")
	if t.got > 0 && t.tag != "" {
		req.Header.Set("Range", "bytes="+strconv.FormatInt(t.got, 10)+"-")
		req.Header.Set("If-Range", t.tag)
	}
	resp, err := t.c.transport.RoundTrip(req)
	if err != nil {
		return nil, of(t.host, err)
	}
	t.answered = true
	return resp, nil
}

// redirect returns where an answer redirects to, nil when it does not.
func redirect(from *url.URL, resp *http.Response) (*url.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil //nolint:nilnil // no redirect is no fault
	}
	location := resp.Header.Get("Location")
	to, err := url.Parse(location)
	if err != nil || location == "" || len(location) > maxAddress {
		return nil, fault(Host(from), Redirects, "it redirects without an address")
	}
	to = from.ResolveReference(to)
	if err := check(to); err != nil {
		return nil, fault(Host(from), Redirects, "it redirects to an address that is not allowed")
	}
	switch {
	case !sameOrigin(from, to):
		to.User = nil
	case to.User == nil:
		to.User = from.User
	}
	return to, nil
}

// sameOrigin reports whether two addresses share scheme, host and port, so that credentials for
// one may go to the other.
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && Host(a) == Host(b) && port(a) == port(b)
}

// port returns the port of an address, or its scheme's default.
func port(u *url.URL) int {
	if p, err := strconv.Atoi(u.Port()); err == nil {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return 443
	}
	return 80
}

// take checks an answer and copies its body into the target.
func (t *transfer) take(ctx context.Context, resp *http.Response, idle *idle) error {
	if e := status(t.host, resp, t.c.o.Now()); e != nil {
		return e
	}
	if t.isWhole(resp) {
		return nil
	}
	if isCompressed(resp) {
		return fault(t.host, Answer, "its server sends it compressed, which was not requested")
	}
	if err := t.place(resp); err != nil {
		return err
	}
	if t.size > t.r.MaxBytes {
		return fault(t.host, TooLarge, "it is larger than %s", size(t.r.MaxBytes))
	}
	t.result.Host, t.result.Type = t.host, resp.Header.Get("Content-Type")
	t.tag = versionOf(resp, t.tag)
	n, err := io.Copy(t.to, idle.reader(t.way.reader(ctx, io.LimitReader(resp.Body, min(t.r.MaxBytes+1, t.till)-t.got), idle)))
	t.got += n
	var e *Error
	switch {
	case t.got > t.r.MaxBytes:
		return fault(t.host, TooLarge, "it is larger than %s", size(t.r.MaxBytes))
	case err == nil && t.size >= 0 && t.got < t.size:
		return t.brokeOff()
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case idle.fired():
		return t.silent()
	case isDisk(err):
		return err
	}
	return t.brokeOff()
}

func (t *transfer) brokeOff() error {
	t.broke = t.got
	return fault(t.host, Broken, "the connection broke off before all of it had arrived")
}

// isCompressed reports whether the body has a content encoding. Some object stores still send the
// one that a file was uploaded with (aws-chunked), although the body is no longer encoded that
// way.
func isCompressed(resp *http.Response) bool {
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "", "identity", "aws-chunked":
		return false
	}
	return true
}

func (t *transfer) silent() error {
	return fault(t.host, Slow, "its server sent nothing for more than %s", t.c.o.Idle)
}

// place positions the target for the body of an answer: it appends the requested part, or starts
// over.
func (t *transfer) place(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusPartialContent:
		p, ok := contentRange(resp.Header.Get("Content-Range"))
		if ok && p.from > 0 && p.whole > 0 && resp.ContentLength == p.whole { // the whole body, mislabelled as a part
			t.size, t.till = p.whole, math.MaxInt64
			return t.anew(nil)
		}
		if !ok || p.from != t.got || t.size >= 0 && p.whole >= 0 && p.whole != t.size || t.changed(resp) {
			t.tag = ""
			return t.anew(fault(t.host, Broken, "its server sent a different part from the one requested"))
		}
		if p.whole >= 0 {
			t.size = p.whole
		}
		t.till = p.to + 1
		if t.got > 0 {
			t.result.Resumed++
		}
		return nil
	case http.StatusRequestedRangeNotSatisfiable:
		t.tag, t.unasked = "", t.got > 0
		return t.anew(fault(t.host, Broken, "its server did not send the missing part"))
	}
	t.size, t.till = resp.ContentLength, math.MaxInt64
	return t.anew(nil)
}

// isWhole reports whether the server, asked for the rest, answers that the body ends where the
// target does: the length it announced before was too large.
func (t *transfer) isWhole(resp *http.Response) bool {
	return resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && t.got > 0 && t.tag != "" &&
		resp.Header.Get("Content-Range") == "bytes */"+strconv.FormatInt(t.got, 10)
}

// changed reports whether a part belongs to another version of the body than what was received so
// far. If-Range forbids sending it, but not all servers comply.
func (t *transfer) changed(resp *http.Response) bool {
	now := tag(resp)
	return t.got > 0 && now != "" && now != t.tag && strings.HasPrefix(now, `"`) == strings.HasPrefix(t.tag, `"`)
}

// anew discards what was received so far and returns why, if not nil.
func (t *transfer) anew(why *Error) error {
	t.got = 0
	if err := t.to.Truncate(0); err != nil {
		return fmt.Errorf("keeping what was fetched: %w", err)
	}
	if _, err := t.to.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("keeping what was fetched: %w", err)
	}
	if why != nil {
		return why
	}
	return nil
}
