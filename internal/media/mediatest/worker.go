package mediatest

import (
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"

	"github.com/ringtrue/ringtrue/internal/media"
)

// dispatched registers an agent worker as agent frameworks do and expects to be
// sent into rooms that ask for it by name, and into no other.
func dispatched(t *testing.T, s Server, keys media.Keys) {
	clerk := name() // others may test the same server
	w := work(t, s, keys, clerk)
	open(t, s, media.Room{})
	open(t, s, media.Room{AgentName: "somebody-else"})
	room := open(t, s, media.Room{AgentName: clerk, Metadata: `{"item":"z"}`})

	ask := w.hear(func(m *livekit.ServerMessage) bool { return m.GetAvailability() != nil }).GetAvailability()
	if got := ask.GetJob(); got.GetRoom().GetName() != room || got.GetMetadata() != `{"item":"z"}` {
		t.Fatalf("the worker is asked for room %q with %q", got.GetRoom().GetName(), got.GetMetadata())
	}
	w.say(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_Availability{Availability: &livekit.AvailabilityResponse{
		JobId: ask.GetJob().GetId(), Available: true, ParticipantIdentity: "clerk-1",
	}}})
	job := w.hear(func(m *livekit.ServerMessage) bool { return m.GetAssignment() != nil }).GetAssignment()
	agent := mustJoin(t, s, job.GetToken(), nil)
	if agent.Name() != room {
		t.Errorf("the worker's agent is in room %q", agent.Name())
	}
	until(t, "the agent that was sent is counted", func() bool { got, _ := state(t, s, room); return got.Participants == 1 })
}

// worker is an agent worker's connection to the server.
type worker struct {
	t    *testing.T
	conn *websocket.Conn
}

func work(t *testing.T, s Server, keys media.Keys, name string) *worker {
	t.Helper()
	token, err := auth.NewAccessToken(keys.Key, keys.Secret).SetVideoGrant(&auth.VideoGrant{Agent: true}).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	conn, answer, err := websocket.DefaultDialer.DialContext(t.Context(), s.URL()+"/agent",
		http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	t.Cleanup(func() { conn.Close() })
	w := &worker{t, conn}
	w.say(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_Register{Register: &livekit.RegisterWorkerRequest{
		Type: livekit.JobType_JT_ROOM, AgentName: name, Version: "1",
		AllowedPermissions: &livekit.ParticipantPermission{CanPublish: true, CanSubscribe: true, CanPublishData: true},
	}}})
	w.hear(func(m *livekit.ServerMessage) bool { return m.GetRegister() != nil })
	return w
}

func (w *worker) say(m *livekit.WorkerMessage) {
	w.t.Helper()
	text, err := proto.Marshal(m)
	if err == nil {
		err = w.conn.WriteMessage(websocket.BinaryMessage, text)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// hear waits for the next message of the kind that is wanted.
func (w *worker) hear(wanted func(*livekit.ServerMessage) bool) *livekit.ServerMessage {
	w.t.Helper()
	w.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	for {
		_, text, err := w.conn.ReadMessage()
		if err != nil {
			w.t.Fatal(err)
		}
		m := &livekit.ServerMessage{}
		if err := proto.Unmarshal(text, m); err != nil {
			w.t.Fatal(err)
		}
		if wanted(m) {
			return m
		}
	}
}
