package rest

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Problem is the body of every answer that is not a success (RFC 9457).
type Problem struct {
	Type   string `json:"type" doc:"Always about:blank; the code tells the kind of problem" example:"about:blank"`
	Title  string `json:"title" doc:"The HTTP status in words" example:"Unprocessable Entity"`
	Status int    `json:"status" doc:"The HTTP status" example:"422"`
	// Code is stable; programs decide by it.
	Code      string         `json:"code" enum:"invalid_json,unauthenticated,forbidden,not_found,method_not_allowed,conflict,too_large,unsupported_media_type,invalid_fields,rate_limited,unavailable,internal,range_not_satisfiable" doc:"Stable name of the kind of problem, for programs" example:"invalid_fields"`
	Detail    string         `json:"detail" doc:"What went wrong, for people"`
	Errors    []ProblemField `json:"errors,omitempty" doc:"What is wrong with which field; left out when no field is at fault"`
	Hint      string         `json:"hint,omitempty" doc:"What to do about it; left out when there is no advice"`
	RequestID string         `json:"request_id" doc:"Id of this request in the service's log"`

	retryAfter string
	cause      error
}

// ProblemField is one place of the request that is wrong.
type ProblemField struct {
	Path       string `json:"path" doc:"Which field: to_number, or items[3].input.goal further down in the body. Query parameters begin with query. and headers with header." example:"to_number"`
	Line       int    `json:"line,omitempty" doc:"Line of the submitted file, counted from 1; left out when there is none"`
	Message    string `json:"message" doc:"What is wrong with it"`
	Suggestion string `json:"suggestion,omitempty" doc:"The name that was probably meant; left out when there is none"`
}

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// Unwrap is the cause, for the log.
func (p *Problem) Unwrap() error { return p.cause }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType makes the answer application/problem+json.
func (p *Problem) ContentType(string) string { return problemType }

// GetHeaders are the headers that go with the problem.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter != "" {
		h.Set("Retry-After", p.retryAfter)
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="ringtrue"`)
	}
	return h
}

const problemType = "application/problem+json"

// statusOf is the one place where a code becomes an HTTP status.
func statusOf(code problem.Code) int {
	switch code {
	case problem.InvalidJSON:
		return http.StatusBadRequest
	case problem.Unauthenticated:
		return http.StatusUnauthorized
	case problem.Forbidden:
		return http.StatusForbidden
	case problem.NotFound:
		return http.StatusNotFound
	case problem.Conflict:
		return http.StatusConflict
	case problem.TooLarge:
		return http.StatusRequestEntityTooLarge
	case problem.UnsupportedType:
		return http.StatusUnsupportedMediaType
	case problem.InvalidFields:
		return http.StatusUnprocessableEntity
	case problem.RateLimited:
		return http.StatusTooManyRequests
	case problem.Unavailable:
		return http.StatusServiceUnavailable
	case problem.Internal:
		return http.StatusInternalServerError
	}
	return http.StatusInternalServerError
}

// codeOf is the way back, for what the HTTP layer itself refuses.
func codeOf(status int) problem.Code {
	switch status {
	case http.StatusBadRequest:
		return problem.InvalidJSON
	case http.StatusUnauthorized:
		return problem.Unauthenticated
	case http.StatusForbidden:
		return problem.Forbidden
	case http.StatusNotFound:
		return problem.NotFound
	case http.StatusConflict:
		return problem.Conflict
	case http.StatusMethodNotAllowed:
		return methodNotAllowed
	case http.StatusRequestEntityTooLarge:
		return problem.TooLarge
	case http.StatusUnsupportedMediaType:
		return problem.UnsupportedType
	case http.StatusTooManyRequests:
		return problem.RateLimited
	case http.StatusServiceUnavailable, http.StatusRequestTimeout:
		return problem.Unavailable
	}
	if status >= http.StatusInternalServerError {
		return problem.Internal
	}
	return problem.InvalidFields
}

// methodNotAllowed is the one code that only the HTTP layer has.
const methodNotAllowed problem.Code = "method_not_allowed"

const internalDetail = "something went wrong on our side"

// asProblem turns any error into the wire form. What is not a *problem.Error
// becomes "internal" and its text stays in cause.
func asProblem(err error, requestID string) *Problem {
	var wire *Problem
	if errors.As(err, &wire) {
		return wire
	}
	e := problem.As(err)
	if e == nil || e.Code == problem.Internal {
		e = problem.New(problem.Internal, internalDetail)
	}
	p := &Problem{
		Type: "about:blank", Status: statusOf(e.Code), Code: string(e.Code),
		Detail: e.Message, Hint: e.Hint, RequestID: requestID, cause: err,
	}
	p.Title = http.StatusText(p.Status)
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, ProblemField{Path: f.Path, Line: f.Line, Message: f.Message, Suggestion: f.Suggestion})
	}
	if e.RetryAfter > 0 || e.Code == problem.RateLimited {
		p.retryAfter = strconv.Itoa(max(int(math.Ceil(e.RetryAfter.Seconds())), 1))
	}
	return p
}

// fromHuma turns an error that the HTTP library gave to a request of op into
// the wire form; known are the names the body may have at its top.
func fromHuma(m *huma.ErrorModel, op *huma.Operation, known []string, requestID string) *Problem {
	p := &Problem{
		Type: "about:blank", Title: http.StatusText(m.Status), Status: m.Status,
		Code: string(codeOf(m.Status)), Detail: m.Detail, RequestID: requestID,
	}
	if m.Status >= http.StatusInternalServerError {
		p.Detail = internalDetail
		return p
	}
	switch p.Code {
	case string(problem.InvalidJSON):
		p.Detail = "the body is not valid JSON"
		if len(m.Errors) == 0 {
			p.Detail = "the body is empty"
		}
	case string(problem.UnsupportedType):
		p.Detail = "the body's media type is not supported"
		p.Hint = "send Content-Type: application/json"
		return p
	case string(problem.TooLarge):
		p.Detail = "the body is too large"
		if op != nil && op.MaxBodyBytes > 0 {
			p.Detail = fmt.Sprintf("the body is larger than the %d bytes that this operation takes", op.MaxBodyBytes-1)
		}
	case string(problem.RateLimited):
		p.Detail, p.Hint = "this key sends too many requests", "wait for the time in Retry-After"
	case string(problem.Unavailable):
		p.Detail = "the body did not arrive in time"
	case string(problem.InvalidFields):
		p.Detail = "some fields are not valid"
	}
	for _, d := range m.Errors[:min(len(m.Errors), MaxShown)] {
		p.Errors = append(p.Errors, humaField(d, known))
	}
	return p
}

// humaField rewrites one complaint of the library's schema validation, so that
// the path always names the field itself.
func humaField(d *huma.ErrorDetail, known []string) ProblemField {
	f := ProblemField{Path: d.Location, Message: d.Message}
	const before, after = "expected required property ", " to be present"
	if name, ok := strings.CutPrefix(d.Message, before); ok && strings.HasSuffix(name, after) {
		f.Path += "." + strings.TrimSuffix(name, after)
		f.Message = "is required"
	}
	if rest, ok := strings.CutPrefix(f.Path, "body."); ok {
		f.Path = rest
	}
	if field, message, ok := strings.Cut(d.Message, fieldMark); ok {
		f.Path, f.Message = field, message
	}
	if d.Message == "unexpected property" {
		f.Message = "is not a known field"
		if !strings.Contains(f.Path, ".") { // further down other names are known
			f.Suggestion = problem.Nearest(f.Path, known)
		}
	}
	f.Path, f.Message = Short(f.Path), taught(f.Message)
	return f
}

// Short is a name that a client made up, made fit to be shown.
func Short(name string) string {
	if len(name) > 80 {
		name = strings.ToValidUTF8(name[:80], "") + "…"
	}
	if quoted := strconv.Quote(name); name == "" || quoted[1:len(quoted)-1] != name {
		return quoted
	}
	return name
}

// MaxShown is how many problems of one body are named.
const MaxShown = 100
