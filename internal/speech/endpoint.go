package speech

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Limits of the answers of an endpoint.
const (
	maxAnswer    = 8 << 20  // JSON
	maxErrorBody = 16 << 10 // of an error response
	maxBackoff   = 30 * time.Second
	firstBackoff = 500 * time.Millisecond
)

// keptConnections is the number of idle connections kept open to an endpoint.
const keptConnections = 256

// Usage counts what was requested from an endpoint, to make its cost visible.
type Usage struct {
	// Requests counts every try, Failed those without a usable result, except requests cancelled
	// by us because the call was over.
	Requests, Failed int64
	// PromptTokens and AnswerTokens are reported by the language model.
	PromptTokens, AnswerTokens int64
	// SpokenCharacters is the text synthesised, HeardSeconds the audio recognised.
	SpokenCharacters int64
	HeardSeconds     float64
}

// endpoint is one OpenAI-compatible server.
type endpoint struct {
	base    string
	name    string // the address in a form that may be shown
	key     string
	client  *http.Client
	timeout time.Duration
	tries   int
	wait    func(context.Context, time.Duration) error
	jitter  func() float64

	requests, failed, prompt, answered, spokenChars, heardMS atomic.Int64
}

func newEndpoint(o HTTPOptions) (*endpoint, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, problem.Invalid(problem.Field{
			Path: "http.base_url", Message: "must be an address such as https://api.example.com/v1",
		})
	}
	e := &endpoint{
		base: strings.TrimRight(o.BaseURL, "/"), name: nameOf(u), key: o.Key, client: o.Client,
		timeout: o.Timeout, tries: o.Tries, wait: o.Wait, jitter: o.Jitter,
	}
	if e.client == nil {
		e.client = newClient()
	}
	if e.timeout <= 0 {
		e.timeout = time.Minute
	}
	if e.tries <= 0 {
		e.tries = 4
	}
	if e.wait == nil {
		e.wait = waitReal
	}
	if e.jitter == nil {
		e.jitter = rand.Float64
	}
	return e, nil
}

// nameOf returns an address without the parts that may be secret: user, password and query.
func nameOf(u *url.URL) string {
	return strings.TrimRight((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String(), "/")
}

// newClient returns a client that keeps as many connections as there are simultaneous calls. A
// caller that needed a new one for every sentence would answer late.
func newClient() *http.Client {
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the key must not be sent to another address
	}}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		kept := usual.Clone()
		kept.MaxIdleConns, kept.MaxIdleConnsPerHost = keptConnections, keptConnections
		c.Transport = kept
	}
	return c
}

func waitReal(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *endpoint) usage() Usage {
	return Usage{
		Requests: e.requests.Load(), Failed: e.failed.Load(),
		PromptTokens: e.prompt.Load(), AnswerTokens: e.answered.Load(),
		SpokenCharacters: e.spokenChars.Load(), HeardSeconds: float64(e.heardMS.Load()) / 1000,
	}
}

// errAgain marks a failure after which another try may succeed.
type errAgain struct {
	err   error
	after time.Duration // requested by the endpoint, 0 if it did not say
}

func (e *errAgain) Error() string { return e.err.Error() }
func (e *errAgain) Unwrap() error { return e.err }

// question is a request to an endpoint.
type question struct {
	path, contentType string
	body              []byte
	words             []string // what people said, to be kept out of logs
}

// do posts a question and passes the answer to read. It tries again after 429, 5xx and broken
// connections, but not after a timeout, which would delay the caller by a multiple of that. read must not
// have had any effect when it returns *errAgain.
func (e *endpoint) do(ctx context.Context, q question, read func(io.Reader) error) error {
	var err error
	for try := range e.tries {
		if try > 0 {
			if waitErr := e.wait(ctx, e.pause(try, err)); waitErr != nil {
				return waitErr
			}
		}
		err = e.once(ctx, q, read)
		if err != nil && ctx.Err() == nil {
			e.failed.Add(1)
		}
		var again *errAgain
		if err == nil || !errors.As(err, &again) || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	var again *errAgain
	if errors.As(err, &again) {
		return again.err
	}
	return err
}

// pause returns how long to wait before a try: as long as the endpoint asked for, or
// exponential backoff. Both have jitter, so that rejected clients do not return all at once.
func (e *endpoint) pause(try int, err error) time.Duration {
	var again *errAgain
	if errors.As(err, &again) && again.after > 0 {
		return again.after + time.Duration(e.jitter()*float64(firstBackoff))
	}
	d := firstBackoff << (try - 1)
	return min(d/2+time.Duration(e.jitter()*float64(d)), maxBackoff)
}

func (e *endpoint) once(ctx context.Context, q question, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base+q.path, bytes.NewReader(q.body))
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Content-Type", q.contentType)
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	e.requests.Add(1)
	res, err := e.client.Do(req)
	if err != nil {
		return &errAgain{err: e.unreachable(err)}
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return e.refused(res, q.words)
	}
	return read(withoutMark(res.Body))
}

// withoutMark skips a byte order mark, which some servers send and which would make the
// beginning of an answer unreadable.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	b := bufio.NewReader(r)
	if head, _ := b.Peek(len(mark)); string(head) == mark {
		_, _ = b.Discard(len(mark))
	}
	return b
}

func (e *endpoint) unreachable(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return problem.New(problem.Unavailable, "the endpoint did not answer within %s", e.timeout).Because(err)
	}
	return problem.New(problem.Unavailable, "the endpoint cannot be reached").Because(err)
}

// refused converts an error status into an error. The endpoint's message becomes the cause,
// which is for logs, without the key and without quotations of what people say.
func (e *endpoint) refused(res *http.Response, words []string) error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	message, field := errorOf(body)
	cause := fmt.Errorf("status %d: %s", res.StatusCode, e.clean(message, words))
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		after := retryAfter(res.Header)
		p := problem.New(problem.RateLimited, "the endpoint limits how often it may be called").Because(cause)
		p.RetryAfter = after
		return &errAgain{err: p, after: after}
	case res.StatusCode >= 500:
		p := problem.New(problem.Unavailable, "the endpoint failed with status %d", res.StatusCode).Because(cause)
		return &errAgain{err: p, after: retryAfter(res.Header)}
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return problem.New(problem.Unavailable, "the endpoint rejected the key").
			WithHint("Check the key and what it may be used for.").Because(cause)
	}
	p := problem.New(problem.Unavailable, "the endpoint rejected the request with status %d", res.StatusCode).Because(cause)
	switch res.StatusCode {
	case http.StatusNotFound:
		return p.WithHint("Check the address, up to and including the version, and the model's name.")
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return &refusal{err: p, field: field, text: string(body)}
	}
	return p
}

// clean returns an endpoint's message in a form that may be logged.
func (e *endpoint) clean(text string, words []string) string {
	const looked, most = 2000, 300
	if e.key != "" {
		text = strings.ReplaceAll(text, e.key, "[key]")
	}
	text = unquoted(text[:min(len(text), looked)], words)
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// errorOf returns the short message of an error response, and the field that it blames.
func errorOf(body []byte) (message, field string) {
	var shaped struct {
		Error struct {
			Message string `json:"message"`
			Param   string `json:"param"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &shaped) // another form of response is its own message
	return cmp.Or(shaped.Error.Message, string(body)), shaped.Error.Param
}

// retryAfter parses a Retry-After header: seconds, or a date by the endpoint's own clock. It
// returns 0 if there is none.
func retryAfter(h http.Header) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return time.Duration(min(s, maxBackoff.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	now, none := http.ParseTime(h.Get("Date"))
	if err != nil || none != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxBackoff)
}

// readBounded reads an answer of at most limit bytes.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, &errAgain{err: problem.New(problem.Unavailable, "the endpoint's answer was cut off").Because(err)}
	}
	if int64(len(data)) > limit {
		return nil, problem.New(problem.Unavailable, "the endpoint's answer is larger than %d bytes", limit)
	}
	return data, nil
}
