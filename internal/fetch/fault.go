package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Reason is why something could not be fetched.
type Reason string

// The reasons. Only Unreachable, Busy, Slow and Broken are temporary.
const (
	BadAddress   Reason = "bad_address"  // not an http or https address that can be called
	Refused      Reason = "refused"      // the address leads into a network that may not be called
	Unauthorized Reason = "unauthorized" // 401, 403, 407: credentials are missing or wrong
	NotFound     Reason = "not_found"    // 404, 410
	Answer       Reason = "answer"       // any other answer that cannot be used
	TooLarge     Reason = "too_large"    // more bytes than allowed
	Redirects    Reason = "redirects"    // too many redirects, or one that leads nowhere
	Insecure     Reason = "insecure"     // the server's certificate is not valid
	Unreachable  Reason = "unreachable"  // no such host, or no HTTP answer
	Busy         Reason = "busy"         // 202, 408, 425, 429, 5xx
	Slow         Reason = "slow"         // no byte for too long, or not done in time
	Broken       Reason = "broken"       // the connection kept breaking off
)

// Error says why something could not be fetched. It never contains the address.
type Error struct {
	Reason Reason
	// Text is a clause for people: "its server cannot find it (404)".
	Text string
	// Host is the host that was asked; "" when the address had none.
	Host string
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// RetryAfter is how long the server asks to wait, 0 when it does not say.
	RetryAfter time.Duration
}

// Error implements error.
func (e *Error) Error() string {
	if e.Host == "" {
		return e.Text
	}
	return e.Host + ": " + e.Text
}

// Temporary reports whether a later try may succeed.
func (e *Error) Temporary() bool {
	switch e.Reason {
	case Unreachable, Busy, Slow, Broken:
		return true
	default:
		return false
	}
}

// fault returns an Error about a host.
func fault(host string, r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Host: host, Text: fmt.Sprintf(format, args...)}
}

// of turns an error of the HTTP client or a connection into an Error.
func of(host string, err error) *Error {
	var known *Error
	var dns *net.DNSError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &dns) && dns.IsNotFound:
		return fault(host, Unreachable, "there is no such host")
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return fault(host, Slow, "it takes too long to answer")
	case isCertificate(err):
		return fault(host, Insecure, "its certificate is not valid")
	}
	return fault(host, Unreachable, "it does not answer like a web server")
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// status returns an Error for an answer without a usable body, nil for the
// others. 416 is left to transfer.place.
func status(host string, r *http.Response, now time.Time) *Error {
	e := &Error{Host: host, Status: r.StatusCode}
	switch code := r.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent, code == http.StatusRequestedRangeNotSatisfiable:
		return nil
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusProxyAuthRequired:
		e.Reason, e.Text = Unauthorized, fmt.Sprintf("its server refused access (%d): credentials are missing, wrong or expired", code)
	case code == http.StatusAccepted:
		e.Reason, e.Text = Busy, "its server does not have it ready yet (202)"
	case code == http.StatusNotFound:
		e.Reason, e.Text = NotFound, "its server cannot find it (404)"
	case code == http.StatusGone:
		e.Reason, e.Text = NotFound, "its server says it is gone for good (410)"
	case code == http.StatusTooManyRequests:
		e.Reason, e.Text = Busy, "its server is limiting requests (429)"
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code >= 500 && code <= 599:
		e.Reason, e.Text = Busy, fmt.Sprintf("its server has an error at the moment (%d)", code)
	default:
		e.Reason, e.Text = Answer, fmt.Sprintf("its server answered with status %d", code)
	}
	e.RetryAfter = retryAfter(r.Header.Get("Retry-After"), now)
	return e
}
