package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is what the service says when it does not do what was asked.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Code is the stable name of the kind of problem ("invalid_fields"); "" when
	// the answer did not come from Ringtrue.
	Code    string
	Message string
	Fields  []Field
	Hint    string
	// RequestID names the request in the service's log.
	RequestID string
	// RetryAfter is how long the service asks to wait; 0 when it does not say.
	RetryAfter time.Duration
}

// Field is one place of the request that is wrong.
type Field struct {
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
}

// Error implements error; it holds everything that helps to mend the request.
func (e *Error) Error() string {
	var text strings.Builder
	if e.Code != "" {
		text.WriteString(e.Code + ": ")
	}
	text.WriteString(e.Message)
	for _, f := range e.Fields {
		text.WriteString("; ")
		if f.Line > 0 {
			fmt.Fprintf(&text, "line %d: ", f.Line)
		}
		text.WriteString(f.Path + ": " + f.Message)
		if f.Suggestion != "" {
			fmt.Fprintf(&text, " (did you mean %q?)", f.Suggestion)
		}
	}
	if e.Hint != "" {
		text.WriteString(" (" + e.Hint + ")")
	}
	return text.String()
}

// IsCode reports whether err is an *Error of the given code.
func IsCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// maxError bounds how much of an error answer is read.
const maxError = 1 << 20

func readError(resp *http.Response) *Error {
	e := &Error{Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id"), RetryAfter: retryAfter(resp.Header)}
	var wire struct {
		Code   string  `json:"code"`
		Detail string  `json:"detail"`
		Errors []Field `json:"errors"`
		Hint   string  `json:"hint"`
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxError))
	if err != nil || json.Unmarshal(data, &wire) != nil || wire.Code == "" {
		e.Message = "the server answered " + resp.Status
		return e
	}
	e.Code, e.Message, e.Fields, e.Hint = wire.Code, wire.Detail, wire.Errors, wire.Hint
	return e
}

// retryAfter reads seconds, which Ringtrue says, or a time, which a proxy before it may. That is
// compared with the sender's own clock: ours may be another.
func retryAfter(h http.Header) time.Duration {
	said := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(said); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	at, err := http.ParseTime(said)
	sent, errSent := http.ParseTime(h.Get("Date"))
	if err != nil || errSent != nil {
		return 0
	}
	return max(0, at.Sub(sent))
}
