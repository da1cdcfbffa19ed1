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

// transfer is the course of one Request.
type transfer struct {
	c      *Client
	r      Request
	to     target
	origin *url.URL
	host   string // the host asked last
	got    int64
	size   int64  // of the whole body, −1 when it is not known
	tag    string // If-Range for what is here already; "" when it cannot be taken up
	till   int64  // where what the answer says that it holds ends; more of it is not taken
	most   int64  // that was here after any try
	broke  int64  // where the body broke off last, −1 when it has not
	// unasked says that the last try asked for a part that is not given: none was made for the whole.
	unasked bool
	result  Result
	way     *way
	// answered says that the first host has answered, whatever it said, and met that
	// it could be connected to.
	answered bool
	met      atomic.Bool
}

// bring gets a body into a target, with as many tries as the request allows. A
// try that brought something on does not count.
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
	if !c.resting.mayAsk(key) {
		return Result{}, fault(Host(u), Unreachable, "it did not answer a moment ago and is left alone for a while")
	}
	err = t.tries(ctx)
	c.resting.told(key, t.outcome(err))
	if err != nil {
		return Result{}, err
	}
	t.result.Size = t.got
	return t.result, nil
}

// outcome is whether the host answered. One that is not called for good reason
// needs no rest.
func (t *transfer) outcome(err error) outcome {
	var e *Error
	switch {
	case t.answered:
		return answered
	case !errors.As(err, &e):
		return unsure
	case t.met.Load() && e.Reason != Slow:
		return answered // what is wrong with one address of a host shows at once, and keeps nobody waiting
	case e.Temporary():
		return silent
	}
	return answered
}

// endsHere says that a body which broke off counts as it is: it did so at the same place before.
func (t *transfer) endsHere(before int64) bool {
	return t.r.Cut && before > 0 && t.got == before && t.broke == before
}

// counted is which try it was and how many brought something new: one that did begins anew,
// and one that asked for a part which is not given is none for the whole.
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

// tries gets the body, try after try.
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
			return err // the disk's
		case limited.Err() != nil:
			return fault(t.host, Slow, "it was not done within %s", r.Timeout)
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

// ended is why a transfer was ended: the caller's own reason, or that it gave way.
func (t *transfer) ended(ctx context.Context) error {
	var e *Error
	if errors.As(context.Cause(ctx), &e) {
		return fault(t.host, e.Reason, "%s", e.Text)
	}
	return ctx.Err()
}

const (
	maxRedirects = 5
	maxSteps     = 50 // how often a try that brought something on does not count
	maxPause     = time.Minute
)

// pause is how long to wait after a try that failed.
func (c *Client) pause(try int, e *Error) time.Duration {
	wait := time.Duration(float64(500*time.Millisecond) * math.Pow(2, float64(min(try, 10)-1)) * (1 + c.o.Random()/2))
	return max(wait, e.RetryAfter)
}

// once asks once and follows where it is sent. Errors are *Error or the disk's.
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
			header, body = nil, nil // for good: who leads away and back chooses the address that comes next
		} else if next.RawQuery == "" && len(t.r.Query) > 0 {
			next.RawQuery = t.r.Query.Encode() // a query that the server gives may be signed, and holds what it wants
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
		return nil, fault("", BadAddress, "the address cannot be called")
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

// redirect is where an answer sends us, nil when it does not.
func redirect(from *url.URL, resp *http.Response) (*url.URL, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil //nolint:nilnil // no redirect is no fault
	}
	location := resp.Header.Get("Location")
	to, err := url.Parse(location)
	if err != nil || location == "" || len(location) > maxAddress {
		return nil, fault(Host(from), Redirects, "it redirects to nowhere")
	}
	to = from.ResolveReference(to)
	if err := check(to); err != nil {
		return nil, fault(Host(from), Redirects, "it redirects to an address that is not called")
	}
	switch {
	case !sameOrigin(from, to):
		to.User = nil
	case to.User == nil:
		to.User = from.User
	}
	return to, nil
}

// sameOrigin says whether credentials for one address may go to another.
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && Host(a) == Host(b) && port(a) == port(b)
}

// port is the port of an address, the usual one of its scheme where it names none.
func port(u *url.URL) int {
	if p, err := strconv.Atoi(u.Port()); err == nil {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return 443
	}
	return 80
}

// take reads the body of an answer.
func (t *transfer) take(ctx context.Context, resp *http.Response, idle *idle) error {
	if e := status(t.host, resp, t.c.o.Now()); e != nil {
		return e
	}
	if t.isWhole(resp) {
		return nil
	}
	if isCompressed(resp) {
		return fault(t.host, Answer, "its server sends it compressed although that was not asked for")
	}
	if err := t.place(resp); err != nil {
		return err
	}
	if t.size > t.r.MaxBytes {
		return fault(t.host, TooLarge, "it is larger than %s", size(t.r.MaxBytes))
	}
	t.result.Host, t.result.Type = t.host, resp.Header.Get("Content-Type")
	t.tag = tag(resp)
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
	return fault(t.host, Broken, "the connection breaks off before all of it is here")
}

// isCompressed says whether a body is not as it will be used. Some stores still name the
// way in which a file came to them (aws-chunked): it does not leave them so.
func isCompressed(resp *http.Response) bool {
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "", "identity", "aws-chunked":
		return false
	}
	return true
}

func (t *transfer) silent() error {
	return fault(t.host, Slow, "its server falls silent for more than %s", t.c.o.Idle)
}

// place goes to where in the target the body belongs.
func (t *transfer) place(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusPartialContent:
		p, ok := contentRange(resp.Header.Get("Content-Range"))
		if ok && p.from > 0 && resp.ContentLength == p.whole { // all of the body under the head of a part
			t.size, t.till = p.whole, math.MaxInt64
			return t.anew(nil)
		}
		if !ok || p.from != t.got || t.size >= 0 && p.whole >= 0 && p.whole != t.size || t.changed(resp) {
			t.tag = ""
			return t.anew(fault(t.host, Broken, "it sends another part than was asked for"))
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
		return t.anew(fault(t.host, Broken, "it does not send the part that is missing"))
	}
	t.size, t.till = resp.ContentLength, math.MaxInt64
	return t.anew(nil)
}

// isWhole says whether a server that was asked for the rest answers that there is none: the
// length it told before was too large.
func (t *transfer) isWhole(resp *http.Response) bool {
	return resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && t.got > 0 && t.tag != "" &&
		resp.Header.Get("Content-Range") == "bytes */"+strconv.FormatInt(t.got, 10)
}

// changed says whether a part is one of another body than what is here. A server
// that keeps to the rules does not send one, but not all do.
func (t *transfer) changed(resp *http.Response) bool {
	now := tag(resp)
	return t.got > 0 && now != "" && now != t.tag && strings.HasPrefix(now, `"`) == strings.HasPrefix(t.tag, `"`)
}

// anew throws away what is here.
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
