package stories

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/twitchtv/twirp"

	"github.com/ringtrue/ringtrue/client"
)

// roomItems are calls that are long enough to be killed in the middle of.
const roomItems = `{"key": "a", "input": {"script": ["wait_for_agent", {"say": "What are your opening hours?"}, {"stay_silent_ms": 4000}, "hang_up"]}, "output": {"say": ["nine to five"]}}
{"key": "b", "input": {"script": ["wait_for_agent", {"stay_silent_ms": 4000}, "hang_up"]}}
{"key": "c", "input": {"script": ["wait_for_agent", {"stay_silent_ms": 1000}, "hang_up"]}}
`

// TestCrashInRooms kills a service with calls on its lines and agents in its
// rooms, and starts it again: what was acknowledged is there, the old tokens
// still open the rooms, the calls go their way once their agents are back, and
// no room is left in the end.
func TestCrashInRooms(t *testing.T) {
	t.Parallel()
	w := newRoomWorld(t)
	made := w.crash(t)
	w.checkCalls(t, made, []int{2, 2, 1})
	w.checkNoRooms(t)
}

// crash makes rooms, kills the service with two calls on its lines and one that waits,
// starts it again while an agent is already coming, and brings the others back until the experiment is over.
func (w *roomWorld) crash(t *testing.T) client.MediaRooms {
	t.Helper()
	made := w.create(t)
	agents := []*exec.Cmd{w.join(t, made.Rooms[0]), w.join(t, made.Rooms[1])}
	w.waitFor(t, made, "two calls are on the line", func(calls []client.Call) bool { return count(calls, "IN_PROGRESS") == 2 })
	w.service.kill(t)
	for _, agent := range agents {
		_ = agent.Process.Kill()
	}
	w.join(t, made.Rooms[2]) // tries until the service is there
	w.serve(t)
	w.waitFor(t, made, "the calls wait for their agents again", func(calls []client.Call) bool { return count(calls[:2], "QUEUED") == 2 })
	again := w.create(t)
	if again.ExperimentID != made.ExperimentID {
		t.Fatalf("the repeated request made %s, not %s", again.ExperimentID, made.ExperimentID)
	}
	w.join(t, made.Rooms[0]) // with its old token
	w.join(t, again.Rooms[1])
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	e, err := w.api.WaitFinished(ctx, made.ExperimentID, nil)
	must(t, err)
	if e.Status != "FINISHED" || e.Counts.Calls != 3 {
		t.Errorf("the experiment is %+v", e)
	}
	return made
}

// TestAgentNeverJoins lets an agent come to one of two rooms.
func TestAgentNeverJoins(t *testing.T) {
	t.Parallel()
	w := newRoomWorld(t, "--room-wait", "15s")
	made := w.create(t)
	w.join(t, made.Rooms[2])
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	e, err := w.api.WaitFinished(ctx, made.ExperimentID, nil)
	must(t, err)
	calls, err := w.api.RunCalls(ctx, made.ExperimentID)
	must(t, err)
	if e.Status != "FINISHED" || len(calls) != 3 || calls[2].Status != "ENDED" {
		t.Fatalf("the experiment is %s, %d calls", e.Status, len(calls))
	}
	for _, c := range calls[:2] {
		if c.Status != "FAILED" || word(c.EndReason.Code) != "agent_never_joined" || word(c.EndReason.Blame) != "agent" {
			t.Errorf("call %s is %s, %s", c.ID, c.Status, word(c.EndReason.Code))
		}
	}
	w.checkNoRooms(t)
}

// roomWorld is a service with a media server, and agents that join its rooms.
type roomWorld struct {
	binary, agent, folder, data string
	flags                       []string
	media                       string // host:port
	service                     *process
	api                         *client.Client
	dataset                     string
}

func newRoomWorld(t *testing.T, flags ...string) *roomWorld {
	t.Helper()
	w := roomAgents(t)
	w.startRooms(t, roomItems, flags...)
	return w
}

// startRooms starts the service with a media server inside, and makes the dataset.
func (w *roomWorld) startRooms(t *testing.T, items string, flags ...string) {
	t.Helper()
	address, media, sound := port(t), port(t), port(t)
	w.media = "127.0.0.1:" + media
	w.flags = append([]string{
		"--log-level=warn", "serve", "--data", w.data, "--listen", "127.0.0.1:" + address, "--record-wait=1s",
		"--media-port", media, "--media-udp-port", sound,
	}, flags...)
	w.serve(t)
	w.furnish(t, items)
}

// roomAgents has the agents ready, and no service yet.
func roomAgents(t *testing.T) *roomWorld {
	t.Helper()
	w := &roomWorld{binary: build(t), agent: filepath.Join(t.TempDir(), "agent"), folder: t.TempDir(), data: t.TempDir()}
	if out, err := exec.Command("go", "build", "-o", w.agent, "../examples/go").CombinedOutput(); err != nil {
		t.Fatalf("build the agent: %v\n%s", err, out)
	}
	for file, text := range map[string]string{"greeting.wav": "Maple Clinic. How can I help you?", "answer.wav": "We are open from nine to five."} {
		if out, err := exec.Command("flite", "-voice", "rms", "-t", text, "-o", filepath.Join(w.folder, file)).CombinedOutput(); err != nil {
			t.Fatalf("flite: %v\n%s", err, out)
		}
	}
	return w
}

// furnish makes the dataset, with the first key of the service.
func (w *roomWorld) furnish(t *testing.T, items string) {
	t.Helper()
	w.api = client.New(w.service.url(), w.service.firstKey(t))
	dataset, err := w.api.CreateDataset(t.Context(), client.NewDataset{Name: "rooms"})
	must(t, err)
	_, err = w.api.ImportItems(t.Context(), dataset.ID, client.Import{Format: "jsonl", Data: []byte(items)})
	must(t, err)
	w.dataset = dataset.ID
}

func port(t *testing.T) string {
	t.Helper()
	p, err := freePort()
	must(t, err)
	return p
}

// serve starts the service, again on the same folder and ports.
func (w *roomWorld) serve(t *testing.T) {
	t.Helper()
	w.service = start(t, w.binary, w.flags...)
	w.service.address = w.flags[slices.Index(w.flags, "--listen")+1]
	w.service.await(t)
}

// create makes the rooms; always the same ones.
func (w *roomWorld) create(t *testing.T) client.MediaRooms {
	t.Helper()
	made, err := w.api.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: w.dataset}, client.IdempotencyKey("story"))
	must(t, err)
	if len(made.Rooms) != 3 || made.Rooms[0].URL != "ws://"+w.media {
		t.Fatalf("made %d rooms at %s", len(made.Rooms), made.Rooms[0].URL)
	}
	return made
}

// join has an agent join the room.
func (w *roomWorld) join(t *testing.T, room client.MediaRoom) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(w.agent)
	cmd.Dir, cmd.Env = w.folder, append(bare(), "ROOM_URL="+room.URL, "ROOM_TOKEN="+room.Token)
	log := &output{}
	cmd.Stderr = log
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the agent in %s:\n%s", room.RoomName, log.String())
		}
	})
	return cmd
}

func count(calls []client.Call, status string) (n int) {
	for _, c := range calls {
		if c.Status == status {
			n++
		}
	}
	return n
}

func (w *roomWorld) waitFor(t *testing.T, made client.MediaRooms, what string, holds func([]client.Call) bool) {
	t.Helper()
	var calls []client.Call
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var err error
		calls, err = w.api.RunCalls(t.Context(), made.ExperimentID)
		must(t, err)
		if holds(calls) {
			return
		}
	}
	var states []string
	for _, c := range calls {
		states = append(states, c.Status)
	}
	t.Fatalf("%s: not within %s, but %v", what, patience, states)
}

// checkCalls looks at calls that all went well, with so many attempts each.
func (w *roomWorld) checkCalls(t *testing.T, made client.MediaRooms, attempts []int) {
	t.Helper()
	for i, room := range made.Rooms {
		c, err := w.api.Call(t.Context(), strings.TrimPrefix(room.RoomName, "ringtrue-"))
		must(t, err)
		if c.Status != "ENDED" || c.ScoringStatus != "SCORED" || c.RecordingURL == nil || word(c.EndReason.Code) != "completed" || len(c.Attempts) != attempts[i] {
			t.Errorf("call %d: %s, %s, %s after %d attempts: %s", i, c.Status, c.ScoringStatus, word(c.EndReason.Code), len(c.Attempts), c.VerdictReason)
		}
		t.Logf("call %d: %s, %s", i, word(c.Verdict), c.VerdictReason)
		if word(c.RoomName) != room.RoomName || word(c.DatasetItemID) != room.DatasetItemID || word(c.ToNumber) != word(nil) {
			t.Errorf("call %d is %+v", i, c)
		}
	}
}

// checkNoRooms asks the media server itself what is left.
func (w *roomWorld) checkNoRooms(t *testing.T) {
	t.Helper()
	keys, err := os.ReadFile(filepath.Join(w.data, "media-keys"))
	must(t, err)
	key, secret, _ := strings.Cut(strings.TrimSpace(string(keys)), ": ")
	token, err := auth.NewAccessToken(key, secret).SetVideoGrant(&auth.VideoGrant{RoomList: true}).ToJWT()
	must(t, err)
	ctx, err := twirp.WithHTTPRequestHeaders(t.Context(), http.Header{"Authorization": {"Bearer " + token}})
	must(t, err)
	rooms := livekit.NewRoomServiceProtobufClient("http://"+w.media, http.DefaultClient)
	var names []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		left, err := rooms.ListRooms(ctx, &livekit.ListRoomsRequest{})
		must(t, err)
		if len(left.GetRooms()) == 0 {
			return
		}
		names = nil
		for _, r := range left.GetRooms() {
			names = append(names, fmt.Sprintf("%s (%d)", r.GetName(), r.GetNumParticipants()))
		}
	}
	t.Errorf("rooms are left at the media server: %v", names)
}
