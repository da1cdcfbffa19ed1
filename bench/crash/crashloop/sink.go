package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// sink receives the practice agents' own records, so that the loop knows which calls really reached
// an agent, and forwards them to the service, as an agent does that retries until it is heard.
type sink struct {
	w        *world
	listener net.Listener
	server   *http.Server

	mu sync.Mutex
	// heard counts the records by call.
	heard   map[string]int
	waiting []client.CallLog
	// busy means that one is being forwarded.
	busy bool
}

// record is what the sink reads of a submission.
type record struct {
	Metadata struct {
		Call string `json:"ringtrue_call"`
	} `json:"metadata"`
}

func openSink(w *world) (*sink, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{w: w, listener: l, heard: map[string]int{}}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Second}
	go func() { _ = s.server.Serve(l) }() // ends with Close
	return s, nil
}

func (s *sink) url() string { return "http://" + s.listener.Addr().String() }

func (s *sink) close() error { return s.server.Close() }

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	var seen record
	var log client.CallLog
	if err = errors.Join(err, json.Unmarshal(body, &seen), json.Unmarshal(body, &log)); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.heard[seen.Metadata.Call]++
	s.waiting = append(s.waiting, log)
	s.mu.Unlock()
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(http.StatusAccepted)
	_ = json.NewEncoder(rw).Encode(client.CallLogAccepted{ID: seen.Metadata.Call, Status: "accepted"})
}

// next returns a record that must be forwarded.
func (s *sink) next() (client.CallLog, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return client.CallLog{}, false
	}
	log := s.waiting[0]
	s.waiting, s.busy = s.waiting[1:], true
	return log, true
}

// handOn forwards the records to the service, one after the other, until ctx ends.
func (s *sink) handOn(ctx context.Context) {
	for ctx.Err() == nil {
		log, ok := s.next()
		if !ok {
			pause(ctx, 20*time.Millisecond)
			continue
		}
		call, _ := log.Metadata["ringtrue_call"].(string)
		s.w.perform(ctx, &entry{kind: kindRecord, marker: call, repeat: true, do: func(ctx context.Context) (string, error) {
			a, err := s.w.api.SubmitCallLog(ctx, log)
			return a.ID, err
		}})
		s.mu.Lock()
		s.busy = false
		s.mu.Unlock()
	}
}

// calls returns how often the agents answered each call.
func (s *sink) calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	maps.Copy(out, s.heard)
	return out
}

// left returns how many records have yet to be forwarded.
func (s *sink) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy {
		return len(s.waiting) + 1
	}
	return len(s.waiting)
}
