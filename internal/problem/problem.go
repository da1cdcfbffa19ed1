// Package problem is the error vocabulary of the whole project: a stable code, a message for a
// person, the invalid fields and a hint on how to correct them.
//
// It imports only the standard library. Every other package returns its expected failures as
// *Error; package api maps a Code to an HTTP status and cmd/ringtrue maps it to an exit code, each
// in one place. Anything that is not an *Error counts as Internal, and its text never leaves the
// process.
package problem

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code identifies a kind of failure. Codes are part of the public interface and never change their
// meaning.
type Code string

// The codes, with the HTTP status that package api gives each.
const (
	InvalidJSON     Code = "invalid_json"           // 400
	Unauthenticated Code = "unauthenticated"        // 401
	Forbidden       Code = "forbidden"              // 403
	NotFound        Code = "not_found"              // 404, also for what belongs to another workspace
	Conflict        Code = "conflict"               // 409
	TooLarge        Code = "too_large"              // 413
	UnsupportedType Code = "unsupported_media_type" // 415
	InvalidFields   Code = "invalid_fields"         // 422
	RateLimited     Code = "rate_limited"           // 429
	Unavailable     Code = "unavailable"            // 503
	Internal        Code = "internal"               // 500
)

// Field is one place in the input that is wrong.
type Field struct {
	// Path leads to the value, for example "items[3].input.script[0].say".
	Path string `json:"path"`
	// Line is its line in the file, counted from 1; 0 if there is no file.
	Line int `json:"line,omitempty"`
	// Message says what is wrong in a full sentence without a full stop.
	Message string `json:"message"`
	// Suggestion is the word that was probably meant, if one is similar.
	Suggestion string `json:"suggestion,omitempty"`
}

// Error is a failure that the person or program on the other side can act on.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	// Hint says what to do about it; it never repeats the message.
	Hint string
	// RetryAfter is how long to wait before trying again; 0 if waiting does not help.
	RetryAfter time.Duration

	cause error
}

// New returns an error with the given code.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns an InvalidFields error for the given fields.
func Invalid(fields ...Field) *Error {
	return &Error{Code: InvalidFields, Message: "some fields are not valid", Fields: fields}
}

// Missing returns the NotFound error for a thing ("dataset") and its id. It is the same whether the
// thing never existed or belongs to another workspace.
func Missing(thing, id string) *Error {
	return New(NotFound, "there is no %s %q", thing, id)
}

// Absent turns the error of looking up a thing ("dataset") into an InvalidFields error for the
// field that refers to it, if the thing does not exist for the requester. Other errors are returned
// unchanged.
func Absent(path, thing string, err error) error {
	if !Is(err, NotFound) && !Is(err, InvalidFields) { // InvalidFields means that the id is malformed
		return err
	}
	return Invalid(Field{Path: path, Message: "there is no such " + thing})
}

// WithHint returns a copy of e that carries the hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	out := *e
	out.Hint = fmt.Sprintf(format, args...)
	return &out
}

// Because returns a copy of e that wraps cause. The cause is for logs; it is not shown to the other
// side.
func (e *Error) Because(cause error) *Error {
	out := *e
	out.cause = cause
	return &out
}

// Error implements error.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString(string(e.Code) + ": " + e.Message)
	for _, f := range e.Fields {
		text.WriteString("; " + f.String())
	}
	if e.cause != nil {
		text.WriteString(": " + e.cause.Error())
	}
	return text.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// String returns the field as one line of text: where, then what.
func (f Field) String() string {
	where := f.Path
	if f.Line > 0 {
		where = fmt.Sprintf("line %d: %s", f.Line, f.Path)
	}
	if f.Suggestion != "" {
		return fmt.Sprintf("%s: %s (did you mean %q?)", where, f.Message, f.Suggestion)
	}
	return where + ": " + f.Message
}

// As returns the *Error inside err, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Behind returns what failed, followed by the reason if err contains an *Error. The text of any
// other error is not meant for people and is left out.
func Behind(what string, err error) string {
	e := As(err)
	switch {
	case e != nil && len(e.Fields) > 0:
		var told []string // "some fields are not valid" does not say which
		for _, f := range e.Fields[:min(len(e.Fields), 3)] {
			told = append(told, f.String())
		}
		return what + ", " + strings.Join(told, "; ")
	case e != nil && e.Message != "":
		return what + ", " + e.Message
	}
	return what
}

// Is reports whether err is an *Error with the given code.
func Is(err error, code Code) bool {
	e := As(err)
	return e != nil && e.Code == code
}
