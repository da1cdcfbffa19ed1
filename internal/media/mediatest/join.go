package mediatest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/media"
)

// guest is somebody in a room.
type guest struct {
	*lksdk.Room
	out  atomic.Bool
	told atomic.Pointer[string]
}

// join joins with a token as any client does.
func join(t *testing.T, s Server, token string) (*guest, error) {
	t.Helper()
	g := &guest{}
	callback := lksdk.NewRoomCallback()
	callback.OnDisconnected = func() { g.out.Store(true) }
	callback.OnRoomMetadataChanged = func(metadata string) { g.told.Store(&metadata) }
	room, err := lksdk.ConnectToRoomWithToken(s.URL(), token, callback, lksdk.WithDisableRegionDiscovery())
	if err != nil {
		return nil, err
	}
	g.Room = room
	t.Cleanup(room.Disconnect)
	return g, nil
}

func mustJoin(t *testing.T, s Server, token string, err error) *guest {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	g, err := join(t, s, token)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func told(t *testing.T, s Server) {
	room := open(t, s, media.Room{Metadata: `{"item":"x"}`})
	token, err := s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	if got := agent.Metadata(); got != `{"item":"x"}` {
		t.Errorf("the agent finds the metadata %q", got)
	}
	if err := s.Tell(t.Context(), room, `{"item":"y"}`); err != nil {
		t.Fatal(err)
	}
	until(t, "the agent hears of the new metadata", func() bool {
		got := agent.told.Load()
		return got != nil && *got == `{"item":"y"}`
	})
}

func crowd(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.CallerToken(room, media.CallerIdentity)
	caller := mustJoin(t, s, token, err)
	if kind := caller.LocalParticipant.Kind(); kind != lksdk.ParticipantStandard {
		t.Errorf("our caller is a participant of kind %v", kind)
	}
	if got, ok := state(t, s, room); !ok || got.Participants != 0 {
		t.Errorf("with our caller alone the room is %+v, %v", got, ok)
	}
	token, err = s.AgentToken(room, time.Minute)
	first := mustJoin(t, s, token, err)
	until(t, "the agent is counted", func() bool { got, _ := state(t, s, room); return got.Participants == 1 })
	mustJoin(t, s, token, nil)
	until(t, "an agent that comes again takes the place of the first", first.out.Load)
	until(t, "the two of them count as one", func() bool { got, _ := state(t, s, room); return got.Participants == 1 })
	if _, err := s.CallerToken(room, "agent"); err == nil {
		t.Error("a caller's token was given for another identity")
	}
}

func putOut(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	if err := s.CloseRoom(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	until(t, "the agent is put out", agent.out.Load)
	if again, err := join(t, s, token); err == nil {
		t.Errorf("a closed room was joined: %v", again.Name())
	}
}

func empties(t *testing.T, s Server) {
	room := open(t, s, media.Room{EmptyFor: time.Second})
	until(t, "the empty room is gone", func() bool { _, ok := state(t, s, room); return !ok })
}

func limit(t *testing.T, s Server) {
	room := open(t, s, media.Room{Participants: 1})
	token, err := s.CallerToken(room, media.CallerIdentity)
	mustJoin(t, s, token, err)
	token, err = s.AgentToken(room, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := join(t, s, token); err == nil {
		t.Error("a second participant came into a room for one")
	}
}

func ownRoom(t *testing.T, s Server, keys media.Keys) {
	room, other := open(t, s, media.Room{}), open(t, s, media.Room{})
	token, err := s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	if agent.Name() != room {
		t.Errorf("the token for %s leads to %s", room, agent.Name())
	}
	if _, err := join(t, s, forged(t, token, map[string]any{"video": map[string]any{"roomJoin": true, "room": other}})); err == nil {
		t.Error("a token whose room was changed is taken")
	}
	minute := func(ago int64) map[string]any { return map[string]any{"exp": time.Now().Unix() - 60*ago} }
	if _, err := join(t, s, signed(t, keys, token, minute(2))); err == nil {
		t.Error("an expired token is taken")
	}
	if _, err := join(t, s, signed(t, keys, token, minute(-2))); err != nil {
		t.Errorf("the same token in its time is not taken: %v", err)
	}
	never, err := s.AgentToken(media.Prefix+"never-opened", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := join(t, s, never); err == nil {
		t.Error("a room that was never opened was joined")
	}
	for _, wrong := range []time.Duration{0, -time.Second} {
		if _, err := s.AgentToken(room, wrong); err == nil {
			t.Errorf("a token was given for %v", wrong)
		}
	}
}

// grants are the rights in the token that an agent gets, as the token says them.
func grantsOf(t *testing.T, token string) map[string]any {
	t.Helper()
	claims := claimsOf(t, token)
	video, ok := claims["video"].(map[string]any)
	if !ok {
		t.Fatal("the token has no grants")
	}
	return video
}

// microphoneOnly takes ten seconds: a client waits that long for a track that is
// refused. Sound whose source is not named counts as a microphone.
func microphoneOnly(t *testing.T, s Server) {
	t.Parallel()
	room := open(t, s, media.Room{})
	token, err := s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	if err := publish(agent, opus(), livekit.TrackSource_MICROPHONE); err != nil {
		t.Errorf("a microphone cannot be published: %v", err)
	}
	if err := agent.LocalParticipant.PublishDataPacket(lksdk.UserData([]byte("hello"))); err != nil {
		t.Errorf("data cannot be published: %v", err)
	}
	var all sync.WaitGroup
	for source, codec := range map[livekit.TrackSource]webrtc.RTPCodecCapability{
		livekit.TrackSource_CAMERA: vp8(), livekit.TrackSource_SCREEN_SHARE: vp8(),
		livekit.TrackSource_SCREEN_SHARE_AUDIO: opus(),
	} {
		room := open(t, s, media.Room{})
		token, err := s.AgentToken(room, time.Minute)
		agent := mustJoin(t, s, token, err)
		all.Go(func() {
			if publish(agent, codec, source) == nil {
				t.Errorf("a track of source %v was published", source)
			}
		})
	}
	all.Wait()
}

func publish(g *guest, codec webrtc.RTPCodecCapability, source livekit.TrackSource) error {
	track, err := lksdk.NewLocalSampleTrack(codec)
	if err != nil {
		return err
	}
	_, err = g.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: source})
	return err
}
