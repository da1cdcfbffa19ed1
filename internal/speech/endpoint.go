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

// The bounds of what an endpoint may answer.
const (
	maxAnswer    = 8 << 20  // JSON
	maxErrorBody = 16 << 10 // of a refusal
	maxBackoff   = 30 * time.Second
	firstBackoff = 500 * time.Millisecond
)

// keptConnections are open to an endpoint though nothing is asked just now.
const keptConnections = 256

// Usage counts what an endpoint was asked for, so that its cost can be known.
type Usage struct {
	// Requests counts each try, and Failed those that came to nothing, but for what was broken off
	// on our side because the call was over.
	Requests, Failed int64
	// PromptTokens and AnswerTokens are the language model's own count.
	PromptTokens, AnswerTokens int64
	// SpokenCharacters were synthesised, HeardSeconds of audio recognised.
	SpokenCharacters int64
	HeardSeconds     float64
}

// endpoint is one OpenAI-compatible server.
type endpoint struct {
	base    string
	name    string // the address as people may see it
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

// nameOf is an address without what may be secret in it: a user and password, a query.
func nameOf(u *url.URL) string {
	return strings.TrimRight((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String(), "/")
}

// newClient keeps the connections of as many calls as go on at once: a caller
// whose every sentence had to be asked for over a new one would answer late.
func newClient() *http.Client {
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the key goes to the named endpoint only
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

// errAgain marks a failure that another try may mend.
type errAgain struct {
	err   error
	after time.Duration // what the endpoint asked for, 0 when it did not
}

func (e *errAgain) Error() string { return e.err.Error() }
func (e *errAgain) Unwrap() error { return e.err }

// question is what is asked of an endpoint.
type question struct {
	path, contentType string
	body              []byte
	words             []string // what people say in it
}

// do posts a question and hands the answer to read, trying again after 429, 5xx and
// broken connections. One that was silent for as long as it may is not asked again: it would
// hold up whoever waits for several times that. read must not have had effects when it returns *errAgain.
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

// pause is how long to wait before a try: as long as the endpoint asked for, or
// doubling; both with jitter, so that those it turned away do not come back at once.
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

// withoutMark is a text without the mark of its byte order, which some servers put before it: it
// hid the beginning of an answer.
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

// refused turns a status into an error. The endpoint's own words go into the
// cause, which is for logs, without the key and what they quote of what people say.
func (e *endpoint) refused(res *http.Response, words []string) error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	message, field := errorOf(body)
	cause := fmt.Errorf("status %d: %s", res.StatusCode, e.clean(message, words))
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		after := retryAfter(res.Header)
		p := problem.New(problem.RateLimited, "the endpoint asks for patience").Because(cause)
		p.RetryAfter = after
		return &errAgain{err: p, after: after}
	case res.StatusCode >= 500:
		p := problem.New(problem.Unavailable, "the endpoint failed with status %d", res.StatusCode).Because(cause)
		return &errAgain{err: p, after: retryAfter(res.Header)}
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return problem.New(problem.Unavailable, "the endpoint refused the key").
			WithHint("Check the key and what it may be used for.").Because(cause)
	}
	p := problem.New(problem.Unavailable, "the endpoint refused the request with status %d", res.StatusCode).Because(cause)
	switch res.StatusCode {
	case http.StatusNotFound:
		return p.WithHint("Check the address, up to and including the version, and the model's name.")
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return &refusal{err: p, field: field, text: string(body)}
	}
	return p
}

// clean is what an endpoint says as it may stand in a log.
func (e *endpoint) clean(text string, words []string) string {
	const looked, most = 2000, 300
	if e.key != "" {
		text = strings.ReplaceAll(text, e.key, "[key]")
	}
	text = unquoted(text[:min(len(text), looked)], words)
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// errorOf is what an answer that refuses says in a few words, and the field that it names as the one at fault.
func errorOf(body []byte) (message, field string) {
	var shaped struct {
		Error struct {
			Message string `json:"message"`
			Param   string `json:"param"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &shaped) // what has another form is its own message
	return cmp.Or(shaped.Error.Message, string(body)), shaped.Error.Param
}

// retryAfter reads after how long an endpoint wants to be asked again: seconds, or a date by the
// endpoint's own clock. 0 is that it did not say.
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
		return nil, &errAgain{err: problem.New(problem.Unavailable, "the endpoint's answer broke off").Because(err)}
	}
	if int64(len(data)) > limit {
		return nil, problem.New(problem.Unavailable, "the endpoint's answer is larger than %d bytes", limit)
	}
	return data, nil
}
