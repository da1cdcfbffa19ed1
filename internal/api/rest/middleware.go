package rest

import (
	"context"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// PathAlias leads one path, and everything below it, to another.
type PathAlias struct{ From, To string }

// aliased rewrites the paths of older clients.
func (s *Server) aliased(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, inside := strings.CutPrefix(r.URL.Path, BasePath)
		for _, a := range s.PathAliases {
			rest, ok := strings.CutPrefix(path, a.From)
			if !inside || !ok || (rest != "" && rest[0] != '/') {
				continue
			}
			url := *r.URL
			url.Path, url.RawPath = BasePath+a.To+rest, ""
			clone := *r
			clone.URL = &url
			r = &clone
			break
		}
		next.ServeHTTP(w, r)
	})
}

// route serves the request, or says in our own form that there is nothing at its path.
// A path that is not written plainly is none of ours: the router would lead
// "/datasets/X/items/.." to "/datasets/X", and with DELETE that is a disaster.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	if isFigures(r.URL.Path) {
		s.Refuse(w, r, figuresElsewhere())
		return
	}
	if !isPlain(r.URL.Path) {
		s.Refuse(w, r, nothingHere())
		return
	}
	if !isOurs(r.URL.Path) {
		s.Refuse(w, r, problem.New(problem.NotFound, "there is nothing at this path").WithHint("the interface is below "+BasePath+"; operations are listed at /docs"))
		return
	}
	if err := readable(r); err != nil {
		s.Refuse(w, r, err)
		return
	}
	fallback, pattern := s.mux.Handler(r)
	noteRoute(w, pattern)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	probe := probeWriter{header: http.Header{}}
	fallback.ServeHTTP(&probe, r)
	if probe.status == http.StatusMethodNotAllowed {
		allow := probe.header.Get("Allow")
		w.Header().Set("Allow", allow)
		s.Refuse(w, r, &Problem{
			Type: "about:blank", Title: http.StatusText(probe.status), Status: probe.status, Code: string(methodNotAllowed),
			Detail: "this path does not take " + r.Method, Hint: "it takes " + allow, RequestID: RequestIDOf(r.Context()),
		})
		return
	}
	s.Refuse(w, r, nothingHere())
}

// readable refuses a query of which parts would be passed over, and a body in
// a form which nobody here undoes. It writes the media type as it is looked for.
func readable(r *http.Request) error {
	if err := readableQuery(r.URL.RawQuery); err != nil {
		return err
	}
	if len(r.Header.Values("Idempotency-Key")) > 1 { // likewise
		return problem.Invalid(problem.Field{Path: "header.Idempotency-Key", Message: "is given more than once"})
	}
	for _, how := range r.Header.Values("Content-Encoding") {
		if how != "" && !strings.EqualFold(how, "identity") {
			return problem.New(problem.UnsupportedType, "the body is compressed").WithHint("send it as it is, without Content-Encoding")
		}
	}
	given := r.Header.Get("Content-Type")
	kind, params, err := mime.ParseMediaType(given)
	if given != "" && err != nil && kind == "" {
		return problem.New(problem.UnsupportedType, "the Content-Type is not a media type").WithHint("send Content-Type: application/json")
	}
	if err == nil && !isUTF8(params["charset"]) {
		return problem.New(problem.UnsupportedType, "the body's characters are not UTF-8").WithHint("send it in UTF-8")
	}
	// Capitals mean nothing in a media type (RFC 9110), but the library looks for it as it is registered.
	if name, rest, more := strings.Cut(given, ";"); more {
		r.Header.Set("Content-Type", strings.ToLower(name)+";"+rest)
	} else if given != "" {
		r.Header.Set("Content-Type", strings.ToLower(name))
	}
	return nil
}

// isUTF8 reports whether a body of the charset is UTF-8, however many clients misspell that.
func isUTF8(charset string) bool {
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		return true
	}
	return false
}

func readableQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return problem.Invalid(problem.Field{Path: "query", Message: "is not of the form name=value&name=value with %XX for other characters"})
	}
	for name, values := range query {
		if !isText(name) || !isText(strings.Join(values, "")) {
			return problem.Invalid(problem.Field{Path: "query." + Short(name), Message: "holds characters that are no text"})
		}
		if len(values) > 1 { // whichever were taken, somebody would have meant the other
			return problem.Invalid(problem.Field{Path: "query." + Short(name), Message: "is given more than once"})
		}
	}
	return nil
}

// isText reports whether every database can keep the text.
func isText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

func nothingHere() error {
	return problem.New(problem.NotFound, "there is nothing at this path").WithHint("operations are listed at /docs")
}

// isPlain reports whether the path is text and no segment of it is empty, "." or "..".
func isPlain(path string) bool {
	rest, ok := strings.CutPrefix(path, "/")
	ok = ok && isText(path)
	for segment := range strings.SplitSeq(rest, "/") {
		ok = ok && segment != "." && segment != ".." && (segment != "" || rest == "")
	}
	return ok
}

// probeWriter learns what the router's own refusal would have been.
type probeWriter struct {
	header http.Header
	status int
}

func (p *probeWriter) Header() http.Header         { return p.header }
func (p *probeWriter) WriteHeader(status int)      { p.status = status }
func (p *probeWriter) Write(b []byte) (int, error) { return len(b), nil }

// Refuse writes an error as problem+json.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := s.shown(r.Context(), err)
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	body, err := Marshal(p)
	if err != nil {
		return // a Problem holds nothing that cannot be written
	}
	_, _ = w.Write(body)
}

// guarded turns a panic into "internal".
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler { //nolint:errorlint // the standard library panics with this very value
				panic(cause)
			}
			s.Log.ErrorContext(r.Context(), "request panicked", "request_id", RequestIDOf(r.Context()), "panic", cause, "stack", string(debug.Stack()))
			if o, ok := w.(*observer); ok && o.status != 0 {
				panic(http.ErrAbortHandler) // half an answer must not look like a whole one
			}
			s.Refuse(w, r, problem.New(problem.Internal, internalDetail))
		}()
		next.ServeHTTP(w, r)
	})
}

const (
	// leastHeardOut is the length from which net/http takes in no body itself that nobody has read, in bytes.
	leastHeardOut = 256 << 10
	// maxHeardOut bounds how large a body is taken in only to be thrown away, and
	// heardOutIn for how long.
	maxHeardOut = 64 << 20
	heardOutIn  = 5 * time.Second
)

// heardOut takes in what the client of a refused request sends of its body all the
// same. Most send the whole of it before they look for an answer; if the connection
// were closed on them they would see that it broke, and never why.
func (s *Server) heardOut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		sendsFirst := r.ContentLength > leastHeardOut && r.ContentLength <= maxHeardOut &&
			r.Header.Get("Expect") == "" && r.ProtoMajor == 1 && c.EnableFullDuplex() == nil
		next.ServeHTTP(w, r)
		o, ok := w.(*observer)
		refused := ok && o.status >= http.StatusBadRequest
		if sendsFirst && refused && c.Flush() == nil && c.SetReadDeadline(s.Steady().Add(heardOutIn)) == nil {
			_, _ = io.Copy(io.Discard, r.Body) // it is of no use to anybody
		}
	})
}

// observed names the request and logs it, without bodies, queries or secrets.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := s.Steady()
		id := r.Header.Get("X-Request-Id")
		if !isRequestID(id) {
			id = s.NewID("req")
		}
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		o := &observer{ResponseWriter: w}
		defer func() {
			took := s.Steady().Sub(started)
			s.logRequest(r, o, id, took)
			s.tell(r, o, took)
		}()
		next.ServeHTTP(o, r.WithContext(context.WithValue(r.Context(), aboutKey{}, &about{requestID: id})))
	})
}

func (s *Server) logRequest(r *http.Request, o *observer, id string, took time.Duration) {
	s.Log.InfoContext(r.Context(), "request", "request_id", id, "method", r.Method, "path", r.URL.Path,
		"status", o.status, "bytes", o.bytes, "ms", took.Milliseconds(), "key_id", o.keyID)
}

// isRequestID reports whether a client's own name of the request is fit for headers and logs.
func isRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// observer notes what was answered.
type observer struct {
	http.ResponseWriter
	status int
	bytes  int64
	keyID  string
	// route is the pattern that the request has met, "" for none.
	route string
}

// WriteHeader implements http.ResponseWriter.
func (o *observer) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (o *observer) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(b)
	o.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (o *observer) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// note writes the key that was used into the log line.
func note(w http.ResponseWriter, keyID string) {
	if o, ok := w.(*observer); ok {
		o.keyID = keyID
	}
}
