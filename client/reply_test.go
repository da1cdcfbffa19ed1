package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// half writes the half of an answer and breaks off, as a connection does when the service is gone.
func half(body string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// A connection that breaks in the middle of an answer is a broken connection.
func TestAnAnswerThatBreaksOffIsAskedForAgain(t *testing.T) {
	t.Parallel()
	c, s := script(t, half(`{"id":"ve_1","status":"RUN`), answer(200, `{"id":"ve_1","status":"FINISHED"}`))
	if e, err := c.Experiment(t.Context(), "ve_1"); err != nil || e.Status != "FINISHED" || len(s.waits) != 1 {
		t.Errorf("%+v %v, waited %v", e, err, s.waits)
	}
	c, s = script(t, half(`<testsuites>`), answer(200, `<testsuites></testsuites>`))
	if x, err := c.ReportJUnit(t.Context(), "ve_1"); err != nil || string(x) != "<testsuites></testsuites>" || len(s.waits) != 1 {
		t.Errorf("%s %v, waited %v", x, err, s.waits)
	}
	c, s = script(t, half(`{"voice_exp`))
	if _, err := c.Run(t.Context(), "agt_1", RunRequest{}); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "broke off") || len(s.waits) != 0 {
		t.Errorf("what might begin twice: %v, waited %v", err, s.waits)
	}
	for _, whole := range []string{"<html>", `{"id":"ve_1"`, ""} {
		c, s = script(t, answer(200, whole))
		if _, err := c.Experiment(t.Context(), "ve_1"); err == nil || !strings.Contains(err.Error(), "not the JSON expected") || len(s.waits) != 0 {
			t.Errorf("%q is whole: %v, waited %v", whole, err, s.waits)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	defer close(left)
	c, s = script(t, func(w http.ResponseWriter) {
		_ = http.NewResponseController(w).Flush()
		cancel()
		<-left // an answer that ends would be a whole one
	})
	if _, err := c.Experiment(ctx, "ve_1"); !errors.Is(err, context.Canceled) || len(s.waits) != 0 {
		t.Errorf("%v, waited %v", err, s.waits)
	}
}

// What is larger than an answer may be is no shorter answer.
func TestAnAnswerThatIsTooLarge(t *testing.T) {
	t.Parallel()
	for most, want := range map[int64]string{5: "", 4: "the answer of GET /x broke off: it is larger than 256 MiB"} {
		r := &reply{body: strings.NewReader("12345"), left: most}
		text, err := io.ReadAll(r)
		if want == "" {
			if err != nil || string(text) != "12345" {
				t.Errorf("%q %v", text, err)
			}
			continue
		}
		if told := r.told(request{method: "GET", path: "/x"}); err == nil || told.Error() != want || !errors.As(told, &final{}) {
			t.Errorf("%q %v", text, told)
		}
	}
}

// Whoever asks for a part of a recording is not given all of it.
func TestARangeIsNeverTheWhole(t *testing.T) {
	t.Parallel()
	for _, none := range [][2]int64{{100, 0}, {-10, 5}, {-10, -1}, {5, -2}} {
		c, s := script(t)
		if _, err := c.RecordingRange(t.Context(), "call_1", none[0], none[1]); !IsCode(err, "invalid_fields") || len(s.requests) != 0 {
			t.Errorf("%v: %v after %d requests", none, err, len(s.requests))
		}
	}
	c, s := script(t, answer(206, "cd"), answer(200, "abcdef"), answer(200, "abcdef"))
	if r, err := c.RecordingRange(t.Context(), "call_1", 2, 2); err != nil || s.requests[0].Header.Get("Range") != "bytes=2-3" || r.Close() != nil {
		t.Errorf("%v", err)
	}
	if _, err := c.RecordingRange(t.Context(), "call_1", 2, -1); err == nil || !strings.Contains(err.Error(), "the whole recording") {
		t.Errorf("a proxy that knows no ranges: %v", err)
	}
	if r, err := c.RecordingRange(t.Context(), "call_1", 0, -1); err != nil || r.Close() != nil {
		t.Errorf("from the first byte to the last: %v", err)
	}
}
