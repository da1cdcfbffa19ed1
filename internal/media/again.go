package media

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// The answer to a client that may succeed if it tries again.
const (
	againAfter = "2" // seconds
	againText  = "the room cannot be joined at the moment: try again in a few seconds\n"
)

// unopened is a context key. Its value is true when it is not known whether the room that the
// request is about to join should be open.
type unopened struct{}

// comeAgainLater turns the server's "no such room" into "try again" for a request marked
// unopened: clients treat the former as final.
func comeAgainLater(r *http.Response) error {
	doubtful, _ := r.Request.Context().Value(unopened{}).(bool)
	if !doubtful || r.StatusCode != http.StatusNotFound {
		return nil
	}
	_ = r.Body.Close()
	r.StatusCode, r.Status = http.StatusServiceUnavailable, ""
	setAgain(r.Header)
	r.Header.Del("Content-Length")
	r.ContentLength, r.Body = int64(len(againText)), io.NopCloser(strings.NewReader(againText))
	return nil
}

// comeAgain answers "try again" when the server itself cannot be reached, and 413 when the body
// was too large.
func comeAgain(w http.ResponseWriter, _ *http.Request, err error) {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		http.Error(w, tooLargeText, http.StatusRequestEntityTooLarge)
		return
	}
	setAgain(w.Header())
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, againText)
}

func setAgain(h http.Header) {
	h.Set("Retry-After", againAfter)
	h.Set("Content-Type", "text/plain; charset=utf-8")
}
