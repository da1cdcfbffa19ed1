package rest

import (
	"net/http"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Answered is what may be told of a request that was answered: nothing in it is
// the client's own word.
type Answered struct {
	// Route is the path of the operation with the names of its parameters
	// ("/api/rest/calls/{id}"), "" where there is none.
	Route string
	// Method is GET, POST and the like; "" when the client made it up.
	Method string
	Status int
	Took   time.Duration
	// Stream says that the answer took as long as somebody listened.
	Stream bool
}

// tell tells of a request that was answered.
func (s *Server) tell(r *http.Request, o *observer, took time.Duration) {
	if s.Answered == nil || o.status == 0 { // of an answer that was broken off before it began
		return
	}
	s.Answered(Answered{
		Route: o.route, Method: knownMethod(r.Method), Status: o.status, Took: took,
		Stream: o.Header().Get("Content-Type") == StreamType,
	})
}

// StreamType is the media type of server-sent events.
const StreamType = "text/event-stream"

// knownMethod is the method, "" for one that the interface never takes.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return ""
}

// noteRoute notes the pattern of the router's that a request has met: "GET /api/rest/calls/{id}".
func noteRoute(w http.ResponseWriter, pattern string) {
	if o, ok := w.(*observer); ok {
		if _, path, found := strings.Cut(pattern, " "); found {
			pattern = path
		}
		o.route = pattern
	}
}

// figuresPath is where an operator's figures are looked for by habit. They have a
// listener of their own, because tenants reach this one.
const figuresPath = "/metrics"

func isFigures(path string) bool { return path == figuresPath || path == figuresPath+"/" }

func figuresElsewhere() error {
	return problem.New(problem.NotFound, "there is nothing at this path").
		WithHint("the service's own figures are at the address of --metrics-listen, when its operator has given one")
}
