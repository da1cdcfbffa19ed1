package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const basePath = "/api/rest"

// Client talks to one Ringtrue server in the name of one workspace. It is
// safe for concurrent use.
type Client struct {
	base    string
	key     string
	http    *http.Client
	retries int
	// outlasts is how long a passing failure is waited out after the retries, longest
	// how long one pause may be.
	outlasts, longest time.Duration
	again             func(err error)
	wait              func(ctx context.Context, d time.Duration) error
	jitter            func() float64
}

// Option changes how a Client works.
type Option func(*Client)

// WithHTTPClient uses h for all requests. It must have no overall timeout if
// Events is used; give contexts with deadlines instead.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithRetries sets how often a request that may arrive twice without harm is sent again after
// 429, 503 or a connection that broke, also in the middle of the answer (default 4; 0 turns it
// off): one that only looks, puts, deletes, hands in or amends a call log, or carries an
// idempotency key.
func WithRetries(n int) Option { return func(c *Client) { c.retries = n } }

// WithPatience has passing failures waited out for so long once the retries are used up, and
// the answers of a proxy before a service that restarts (502 and 504) from the first on.
func WithPatience(d time.Duration) Option { return func(c *Client) { c.outlasts = d } }

// WithNotice has notice told of each failure after which a request is sent again.
func WithNotice(notice func(err error)) Option { return func(c *Client) { c.again = notice } }

// WithWait replaces the waiting between retries and polls, for tests.
func WithWait(wait func(ctx context.Context, d time.Duration) error) Option {
	return func(c *Client) { c.wait = wait }
}

// New returns a client of the server at baseURL ("https://ringtrue.example.org";
// a path that ends in /api/rest is understood too) with a secret API key.
func New(baseURL, key string, opts ...Option) *Client {
	base := strings.TrimRight(baseURL, "/")
	base = strings.TrimSuffix(base, basePath)
	c := &Client{base: base, key: key, http: &http.Client{}, retries: 4, longest: 30 * time.Second, wait: sleep, jitter: rand.Float64}
	c.again = func(error) {}
	for _, o := range opts {
		o(c)
	}
	return c
}

// outage is how long those who wait for an end put up with a service that is away:
// what they wait for goes on by itself once the service is back, and a restart on a
// busy machine, an upgrade of the database or another process taking over take longer
// than the retries of a single request.
const outage = 5 * time.Minute

// outlasting is the client for a wait. It asks every few seconds, so that the end is
// not told late either.
func (c *Client) outlasting() *Client {
	if c.retries == 0 {
		return c // who turned retries off wants none here
	}
	patient := *c
	patient.outlasts, patient.longest = max(c.outlasts, outage), 5*time.Second
	return &patient
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// request is one call of an operation.
type request struct {
	method, path string
	query        url.Values
	// body is sent as JSON, or as it is when it is a []byte.
	body        any
	contentType string
	accept      string
	// key is the Idempotency-Key, "" for none.
	key string
	// safe says that the request may be sent twice without harm.
	safe bool
	// ends says that the request deletes: where an earlier try had no clear answer, "not found" is its success.
	ends   bool
	header http.Header
}

// maxAnswer bounds how much of a JSON answer is read.
const maxAnswer = 256 << 20

// do sends the request and decodes the answer into out (nil to drop it).
func (c *Client) do(ctx context.Context, r request, out any) error {
	return c.try(ctx, r, func(resp *http.Response) error {
		defer resp.Body.Close() //nolint:errcheck // nothing is lost on a body that was read
		if out == nil || resp.StatusCode == http.StatusNoContent {
			return nil
		}
		a := &reply{body: resp.Body, left: maxAnswer}
		err := json.NewDecoder(a).Decode(out)
		switch {
		case err == nil:
			return nil
		case a.broke != nil:
			return a.told(r)
		}
		return final{fmt.Errorf("the answer of %s %s is not the JSON expected: %w", r.method, r.path, err)}
	})
}

// get, post, put, patch and remove are the short forms that the operations use.
func (c *Client) get(ctx context.Context, path string, query url.Values, out any) error {
	return c.do(ctx, request{method: http.MethodGet, path: path, query: query, safe: true}, out)
}

func (c *Client) post(ctx context.Context, path string, body, out any, opts ...CallOption) error {
	r := request{method: http.MethodPost, path: path, body: body}
	for _, o := range opts {
		o(&r)
	}
	return c.do(ctx, r, out)
}

func (c *Client) put(ctx context.Context, path string, body, out any) error {
	return c.do(ctx, request{method: http.MethodPut, path: path, body: body, safe: true}, out)
}

func (c *Client) patch(ctx context.Context, path string, body, out any) error {
	return c.do(ctx, request{method: http.MethodPatch, path: path, body: body}, out)
}

func (c *Client) remove(ctx context.Context, path string) error {
	return c.do(ctx, request{method: http.MethodDelete, path: path, safe: true, ends: true}, nil)
}

// CallOption changes one request.
type CallOption func(*request)

// IdempotencyKey makes a creation safe to repeat: a second request with the
// same key and body creates nothing and answers with what the first created.
func IdempotencyKey(key string) CallOption {
	return func(r *request) { r.key, r.safe = key, key != "" }
}

// send returns the answer of a request that succeeded; its body must be closed.
func (c *Client) send(ctx context.Context, r request) (resp *http.Response, err error) {
	err = c.try(ctx, r, func(answer *http.Response) error {
		resp = answer
		return nil
	})
	return resp, err
}

// try sends the request, again where that may help, until read has taken in the answer of one that succeeded.
func (c *Client) try(ctx context.Context, r request, read func(*http.Response) error) error {
	if !isPlain(r.path) {
		return &Error{
			Code: "invalid_fields", Message: fmt.Sprintf("an id or name in the path %q is empty, \".\" or \"..\"", r.path),
			Hint: "nothing was sent: servers on the way could take the path for another one",
		}
	}
	payload, err := r.payload()
	if err != nil {
		return err
	}
	var waited time.Duration
	perhaps := false // an earlier try may have done it
	for try := 0; ; try++ {
		resp, err := c.once(ctx, r, payload) //nolint:bodyclose // read closes it, or hands it on
		if err == nil {
			err = read(resp)
		}
		if perhaps && r.ends && isStatus(err, http.StatusNotFound) {
			return nil
		}
		perhaps = perhaps || !isStatus(err, http.StatusTooManyRequests)
		if err == nil || !r.safe || !c.triesAgain(ctx, try, waited, err) {
			return err
		}
		c.again(err)
		pause := c.pause(try, err)
		if waitErr := c.wait(ctx, pause); waitErr != nil {
			return fmt.Errorf("%w; before: %w", waitErr, err)
		}
		waited += pause
	}
}

func isStatus(err error, status int) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == status
}

// triesAgain reports whether a request that has failed try times before, and waited so
// long between, is worth another try.
func (c *Client) triesAgain(ctx context.Context, try int, waited time.Duration, err error) bool {
	return c.passing(ctx, err) && (try < c.retries || waited < c.outlasts)
}

// isPlain reports whether no segment of an escaped path is empty, "." or "..".
func isPlain(path string) bool {
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

func (r *request) payload() ([]byte, error) {
	switch b := r.body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return b, nil
	}
	data, err := json.Marshal(r.body)
	if err != nil {
		return nil, fmt.Errorf("the body of %s %s cannot be written as JSON: %w", r.method, r.path, err)
	}
	return data, nil
}

func (c *Client) once(ctx context.Context, r request, payload []byte) (*http.Response, error) {
	target := c.base + basePath + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	var body io.Reader
	if payload != nil {
		body = bytes.NewReader(payload)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, r.header)
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Accept", orElse(r.accept, "application/json"))
	if payload != nil {
		req.Header.Set("Content-Type", orElse(r.contentType, "application/json"))
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if asked := resp.Request; asked != nil && asked.Method != r.method {
		resp.Body.Close() //nolint:errcheck,gosec // nobody reads what came of another request
		return nil, movedTo(asked, r)
	}
	if resp.StatusCode >= 300 {
		defer resp.Body.Close() //nolint:errcheck // the answer is an error already
		return nil, readError(resp)
	}
	return resp, nil
}

// movedTo is the error of a request that was sent to another address and became a GET on the
// way, as redirects make of one that changes something. What the GET tells is no answer to it.
func movedTo(asked *http.Request, r request) error {
	there := *asked.URL
	there.RawQuery = ""
	return final{fmt.Errorf("%s %s did nothing: the server sent it to %s, where it would only look; give the address of the service itself",
		r.method, r.path, there.Redacted())}
}

// passing reports whether the failure is likely to go away by itself.
func (c *Client) passing(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.As(err, &final{}) {
		return false
	}
	var e *Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusBadGateway, http.StatusGatewayTimeout: // a proxy's, while the service restarts
		return c.outlasts > 0
	}
	return false
}

// pause is how long to wait before another try: what the server asks for, or
// twice as long each time, spread by chance.
func (c *Client) pause(try int, err error) time.Duration {
	var e *Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return min(e.RetryAfter, c.longest)
	}
	d := min(200*time.Millisecond<<min(try, 8), c.longest)
	return d/2 + time.Duration(c.jitter()*float64(d/2))
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// Page is one page of a list. NextCursor is nil on the last one.
type Page[T any] struct {
	Data       []T     `json:"data"`
	NextCursor *string `json:"next_cursor"`
}

// PageOptions choose a page of a list; the zero value is the first 50.
type PageOptions struct {
	Limit  int
	Cursor string
}

func (o PageOptions) query() url.Values {
	q := url.Values{}
	if o.Limit > 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	setIf(q, "cursor", o.Cursor)
	return q
}

func setIf(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}
