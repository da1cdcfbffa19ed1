package media

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/livekit/livekit-server/pkg/service"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// TestClocksThatDisagreeAreNamed checks that the error mentions the clocks if a server rejects our
// tokens because of their time, and not if it is because of the key.
func TestClocksThatDisagreeAreNamed(t *testing.T) {
	t.Parallel()
	keys := Keys{Key: "key", Secret: strings.Repeat("secret", 8)}
	door := service.NewAPIKeyAuthMiddleware(auth.NewSimpleKeyProvider(keys.Key, keys.Secret))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		door.ServeHTTP(w, r, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	}))
	t.Cleanup(server.Close)
	for name, c := range map[string]struct {
		secret    string
		long, odd bool // long ago; the error mentions the clock
	}{
		"long ago":                {keys.Secret, true, true},
		"another secret":          {strings.Repeat("other", 8), false, false},
		"another secret long ago": {strings.Repeat("other", 8), true, false},
		"not allowed":             {keys.Secret, false, false},
	} {
		a := newAPI("ws"+strings.TrimPrefix(server.URL, "http"), Keys{Key: keys.Key, Secret: c.secret}, "media server", "look at the flags")
		var ctx context.Context
		mint := func(t *testing.T) {
			var err error
			if ctx, err = a.may(context.Background(), &auth.VideoGrant{RoomList: true}); err != nil {
				t.Fatal(err)
			}
		}
		if c.long {
			synctest.Test(t, mint) // inside, it is the year 2000
		} else {
			mint(t)
		}
		_, err := a.rooms.ListRooms(ctx, &livekit.ListRoomsRequest{})
		a.close()
		said := problem.As(a.told(err))
		if strings.Contains(said.Hint, "clock") != c.odd {
			t.Errorf("%s: %v, hint %q, want one about the clock: %v", name, err, said.Hint, c.odd)
		}
	}
}
