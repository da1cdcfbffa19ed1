package media

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// again is what somebody is told who may well be let in a moment later.
const (
	againAfter = "2" // seconds
	againText  = "the room cannot be joined at the moment: try again in a few seconds\n"
)

// unopened is the key of a context's value: true when the room that a request is about to join
// could not be seen to.
type unopened struct{}

// comeAgainLater has the server's word that there is no such room say, where that is not
// certain, that whoever wants to join should try again: clients take the first for the last word.
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

// comeAgain tells it when the server itself does not answer, unless it was not to be asked.
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
