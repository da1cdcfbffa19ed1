package stories

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestCrashInRoomsOfAnotherServer kills a service on PostgreSQL whose rooms are at a
// media server that lives on, with calls on its lines, and starts it again: what was acknowledged
// is there, no dead caller is left in a room for an agent to greet, the calls go
// their way once their agents are back, and no room is left in the end.
func TestCrashInRoomsOfAnotherServer(t *testing.T) {
	t.Parallel()
	w, server := newRoomWorldElsewhere(t)
	made := w.crash(t)
	w.checkCalls(t, made, []int{2, 2, 1})
	checkEmpty(t, server)
}

// newRoomWorldElsewhere is a service on PostgreSQL whose rooms are at a media server of this process's.
func newRoomWorldElsewhere(t *testing.T) (*roomWorld, *media.Server) {
	t.Helper()
	w := roomAgents(t)
	keys := media.Keys{Key: "story", Secret: strings.Repeat("a secret of no worth ", 2)}
	server, err := media.Embed(t.Context(), media.EmbedOptions{Key: keys.Key, Secret: keys.Secret})
	must(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		must(t, server.Stop(ctx))
	})
	w.media = strings.TrimPrefix(server.URL(), "ws://")
	w.flags = []string{
		"--log-level=warn", "serve", "--database", pgtest.Database(t), "--data", w.data, "--listen", "127.0.0.1:" + port(t),
		"--record-wait=1s", "--beat", "500ms", "--silent-after", "4s",
		"--media-url", server.URL(), "--media-key", keys.Key, "--media-secret", keys.Secret,
	}
	w.serve(t)
	w.furnish(t, roomItems)
	return w, server
}

// checkEmpty waits until the media server has no room of ours.
func checkEmpty(t *testing.T, server *media.Server) {
	t.Helper()
	var left []media.RoomState
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		var err error
		left, err = server.Rooms(t.Context())
		must(t, err)
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("rooms are left at the media server: %+v", left)
}
