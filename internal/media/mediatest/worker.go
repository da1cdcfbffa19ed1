package mediatest

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"

	"github.com/ringtrue/ringtrue/internal/media"
)

// dispatched registers an agent worker as agent frameworks do, and expects to be sent into
// rooms that ask for it by name, and into no other.
func dispatched(t *testing.T, s Server, keys media.Keys) {
	clerk := name() // others may test the same server
	w := work(t, s, keys, clerk)
	open(t, s, media.Room{})
	open(t, s, media.Room{AgentName: "somebody-else"})
	rooms, done := asking(t, s, media.Room{AgentName: clerk, Metadata: `{"item":"z"}`})

	ask := w.wait(func(m *livekit.ServerMessage) bool { return m.GetAvailability() != nil }).GetAvailability()
	done()
	room := ask.GetJob().GetRoom().GetName()
	if got := ask.GetJob().GetMetadata(); !rooms[room] || got != `{"item":"z"}` {
		t.Fatalf("the worker is asked for room %q with %q", room, got)
	}
	w.say(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_Availability{Availability: &livekit.AvailabilityResponse{
		JobId: ask.GetJob().GetId(), Available: true, ParticipantIdentity: "clerk-1",
	}}})
	job := w.wait(func(m *livekit.ServerMessage) bool { return m.GetAssignment() != nil }).GetAssignment()
	agent := mustJoin(t, s, job.GetToken(), nil)
	if agent.Name() != room {
		t.Errorf("the worker's agent is in room %q", agent.Name())
	}
	until(t, "the agent that was sent is counted", func() bool { got, _ := state(t, s, room); return got.Participants == 1 })
}

// asking opens rooms that ask for an agent, one after the other, until done is called; rooms
// then holds their names. A room created at the very moment when a worker registers may get no
// agent, since the server confirms the worker before it informs its own dispatcher.
func asking(t *testing.T, s Server, room media.Room) (rooms map[string]bool, done func()) {
	t.Helper()
	const most = 10
	rooms = map[string]bool{open(t, s, room): true}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for len(rooms) < most {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Second):
			}
			next := room
			next.Name, next.EmptyFor = name(), time.Minute
			if err := s.Open(t.Context(), next); err != nil {
				t.Error(err)
			}
			rooms[next.Name] = true
		}
	}()
	return rooms, sync.OnceFunc(func() { close(stop); <-stopped })
}

// work registers a worker.
func work(t *testing.T, s Server, keys media.Keys, name string) socket {
	t.Helper()
	token, err := auth.NewAccessToken(keys.Key, keys.Secret).SetVideoGrant(&auth.VideoGrant{Agent: true}).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	w := dial(t, s.URL()+"/agent", token)
	w.say(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_Register{Register: &livekit.RegisterWorkerRequest{
		Type: livekit.JobType_JT_ROOM, AgentName: name, Version: "1",
		AllowedPermissions: &livekit.ParticipantPermission{CanPublish: true, CanSubscribe: true, CanPublishData: true},
	}}})
	w.wait(func(m *livekit.ServerMessage) bool { return m.GetRegister() != nil })
	return w
}

// wait waits for the next message of the wanted kind.
func (s socket) wait(wanted func(*livekit.ServerMessage) bool) *livekit.ServerMessage {
	s.t.Helper()
	for {
		m := &livekit.ServerMessage{}
		if s.hear(m); wanted(m) {
			return m
		}
	}
}

// socket is a connection to the server in its own protocol.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

func dial(t *testing.T, address, token string) socket {
	t.Helper()
	conn, answer, err := websocket.DefaultDialer.DialContext(t.Context(), address, http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	t.Cleanup(func() { conn.Close() })
	return socket{t, conn}
}

// signIn joins a room as far as negotiating tracks requires.
func signIn(t *testing.T, s Server, token string) socket {
	t.Helper()
	conn := dial(t, s.URL()+"/rtc?protocol=16", token)
	word := &livekit.SignalResponse{}
	if conn.hear(word); word.GetJoin() == nil {
		t.Fatalf("the server's first word is %v", word)
	}
	return conn
}

func (s socket) say(m proto.Message) {
	s.t.Helper()
	text, err := proto.Marshal(m)
	if err == nil {
		err = s.conn.WriteMessage(websocket.BinaryMessage, text)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s socket) hear(m proto.Message) {
	s.t.Helper()
	s.conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, text, err := s.conn.ReadMessage()
	if err == nil {
		err = proto.Unmarshal(text, m)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
