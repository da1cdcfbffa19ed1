package media_test

import (
	"context"
	"strings"
	"testing"

	"github.com/livekit/protocol/livekit"
	client "github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"

	"github.com/ringtrue/ringtrue/internal/media"
)

// TestARoomOfAServerThatDiedIsClosed: a server that is killed leaves its rooms in Redis, and itself until
// another one starts. The others would refuse to close them, for as long as they run.
func TestARoomOfAServerThatDiedIsClosed(t *testing.T) {
	address := redis(t)
	s, err := media.Embed(t.Context(), media.EmbedOptions{Key: "cluster", Secret: strings.Repeat("secret", 8), Redis: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(context.Background()) })
	left := client.NewClient(&client.Options{Addr: address})
	defer left.Close()
	leave := func(key, name string, value any) {
		t.Helper()
		if m, ok := value.(proto.Message); ok {
			if value, err = proto.Marshal(m); err != nil {
				t.Fatal(err)
			}
		}
		if err := left.HSet(t.Context(), key, name, value).Err(); err != nil {
			t.Fatal(err)
		}
	}
	leave("nodes", "ND_listed", &livekit.Node{Id: "ND_listed", Ip: "127.0.0.1", State: livekit.NodeState_SERVING, Stats: &livekit.NodeStats{UpdatedAt: 1}})
	for _, node := range []string{"ND_forgotten", "ND_listed"} {
		name := media.Prefix + node
		leave("rooms", name, &livekit.Room{Sid: "RM_left", Name: name})
		leave("room_node_map", name, node)
		if err := s.CloseRoom(t.Context(), name); err != nil {
			t.Errorf("at %s: %v", node, err)
		}
	}
	rooms, err := s.Rooms(t.Context())
	if err != nil || len(rooms) != 0 {
		t.Errorf("rooms that are still there: %v (%v)", rooms, err)
	}
}
