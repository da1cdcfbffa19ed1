package practice

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Limits of a Shelf.
const (
	// shelfCalls is how many recordings are kept, newest first.
	shelfCalls = 64
	// shelfBytes bounds their total size: over two hours of calls.
	shelfBytes = 256 << 20
)

// Shelf keeps the latest recordings in memory and serves them over HTTP: GET
// /recordings/ID.wav, with byte ranges. The caller is left, the agent right. It is safe for
// concurrent use; the zero value is an empty shelf.
type Shelf struct {
	mu    sync.Mutex
	order []string
	kept  map[string]recording
	size  int
}

type recording struct {
	wav []byte
	at  time.Time
}

// Put adds the recording of a call, and drops the oldest ones if there is no room. It does
// nothing for a record without a recording.
func (s *Shelf) Put(r Record) error {
	if r.Tape == nil || r.ID == "" || r.Tape.Rate() == 0 {
		return nil
	}
	var wav bytes.Buffer
	err := audio.WriteWAV(&wav, r.Tape.Rate(), r.Tape.Channel(leg.CallerChannel), r.Tape.Channel(leg.AgentChannel))
	if err != nil {
		return fmt.Errorf("keep a recording: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string]recording{}
	}
	if _, again := s.kept[r.ID]; again {
		return nil
	}
	s.kept[r.ID] = recording{wav: wav.Bytes(), at: r.EndedAt}
	s.order, s.size = append(s.order, r.ID), s.size+wav.Len()
	for len(s.order) > 1 && (len(s.order) > shelfCalls || s.size > shelfBytes) {
		s.size -= len(s.kept[s.order[0]].wav)
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	return nil
}

// Path returns the path at which the recording of the call with this id is served.
func (s *Shelf) Path(id string) string { return "/recordings/" + id + ".wav" }

// ServeHTTP implements http.Handler.
func (s *Shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "a recording can only be read", http.StatusMethodNotAllowed)
		return
	}
	id, isPath := strings.CutPrefix(r.URL.Path, "/recordings/")
	id, isWAV := strings.CutSuffix(id, ".wav")
	s.mu.Lock()
	kept, ok := s.kept[id]
	s.mu.Unlock()
	if !isPath || !isWAV || !ok {
		http.Error(w, "there is no such recording; at most the last 64 are kept", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", kept.at, bytes.NewReader(kept.wav))
}
