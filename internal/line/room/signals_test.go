package room_test

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"

	"github.com/ringtrue/ringtrue/internal/media"
)

// signals is our caller's connection to the media server, into which messages can be injected that
// the server itself would send half a minute later.
type signals struct {
	*media.Server
	t       *testing.T
	address string
	unheard bool // the server's message that somebody subscribed to us gets lost

	mu   sync.Mutex
	near *websocket.Conn // to our caller
	seen map[string]*livekit.ParticipantInfo
}

func newSignals(t *testing.T) *signals {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it ends with the test
	if err != nil {
		t.Fatal(err)
	}
	s := &signals{Server: server, t: t, address: "ws://" + l.Addr().String(), seen: map[string]*livekit.ParticipantInfo{}}
	h := &http.Server{Handler: http.HandlerFunc(s.carry), ReadHeaderTimeout: patience}
	go func() { _ = h.Serve(l) }()
	t.Cleanup(func() { _ = h.Close() })
	return s
}

// Address implements room.Joiner.
func (s *signals) Address() string { return s.address }

// carry forwards a connection to the server and back, and listens.
func (s *signals) carry(w http.ResponseWriter, r *http.Request) {
	header := http.Header{"Authorization": r.Header["Authorization"]}
	far, answer, err := websocket.DefaultDialer.DialContext(r.Context(), server.Address()+r.URL.RequestURI(), header)
	if err != nil {
		http.Error(w, "no", http.StatusBadGateway)
		return
	}
	defer far.Close()
	defer answer.Body.Close()
	near, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer near.Close()
	s.mu.Lock()
	s.near = near
	s.mu.Unlock()
	go func() {
		defer far.Close()
		for {
			kind, b, err := near.ReadMessage()
			if err != nil || far.WriteMessage(kind, b) != nil {
				return
			}
		}
	}()
	for {
		kind, b, err := far.ReadMessage()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.listen(b) {
			err = near.WriteMessage(kind, b)
		}
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// listen records what the server says about participants. Its own messages about connection quality
// are not passed on: on a busy machine they would undo those of the test.
func (s *signals) listen(b []byte) (passOn bool) {
	word := &livekit.SignalResponse{}
	if proto.Unmarshal(b, word) != nil {
		return true
	}
	for _, p := range append(word.GetUpdate().GetParticipants(), word.GetJoin().GetOtherParticipants()...) {
		s.seen[p.GetIdentity()] = p
	}
	return word.GetConnectionQuality() == nil && (word.GetTrackSubscribed() == nil || !s.unheard)
}

// quality reports a participant's connection quality.
func (s *signals) quality(identity string, q livekit.ConnectionQuality) {
	who := s.who(identity)
	s.say(&livekit.SignalResponse{Message: &livekit.SignalResponse_ConnectionQuality{ConnectionQuality: &livekit.ConnectionQualityUpdate{
		Updates: []*livekit.ConnectionQualityInfo{{ParticipantSid: who.GetSid(), Quality: q}},
	}}})
}

// left reports that a participant has left, and why.
func (s *signals) left(identity string, why livekit.DisconnectReason) {
	who, _ := proto.Clone(s.who(identity)).(*livekit.ParticipantInfo)
	who.State, who.DisconnectReason, who.Tracks = livekit.ParticipantInfo_DISCONNECTED, why, nil
	who.Version++
	s.say(&livekit.SignalResponse{Message: &livekit.SignalResponse_Update{Update: &livekit.ParticipantUpdate{
		Participants: []*livekit.ParticipantInfo{who},
	}}})
}

func (s *signals) say(word *livekit.SignalResponse) {
	b, err := proto.Marshal(word)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.near.WriteMessage(websocket.BinaryMessage, b); err != nil {
		s.t.Errorf("our caller hears nothing: %v", err)
	}
}

// who waits until the server has told our caller about a participant.
func (s *signals) who(name string) *livekit.ParticipantInfo {
	for limit := time.Now().Add(patience); time.Now().Before(limit); pause(5 * time.Millisecond) {
		s.mu.Lock()
		for identity, p := range s.seen {
			if strings.HasPrefix(identity, name) {
				s.mu.Unlock()
				return p
			}
		}
		s.mu.Unlock()
	}
	s.t.Errorf("nobody is called %s", name)
	return &livekit.ParticipantInfo{}
}
