package mediatest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	webrtcmedia "github.com/pion/webrtc/v4/pkg/media"

	"github.com/ringtrue/ringtrue/internal/media"
)

// guest is a participant in a room.
type guest struct {
	*lksdk.Room
	out  atomic.Bool
	told atomic.Pointer[string]
}

// join joins a room with a token, as any client does.
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
	token, err := s.CallerToken(room, media.CallerIdentity, "att_1")
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
	for range 4 {
		mustJoin(t, s, token, nil)
	}
	until(t, "an agent that comes again takes the place of the first", first.out.Load)
	until(t, "all of them count as one", func() bool { got, _ := state(t, s, room); return got.Participants == 1 })
	if _, err := s.CallerToken(room, "agent", "att_1"); err == nil {
		t.Error("a caller's token was given for another identity")
	}
}

func callerOut(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.CallerToken(room, media.CallerIdentity, "att_1")
	caller := mustJoin(t, s, token, err)
	token, err = s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	until(t, "both are there", func() bool {
		return len(agent.GetRemoteParticipants()) == 1 && len(caller.GetRemoteParticipants()) == 1
	})
	for range 2 {
		if err := s.RemoveCaller(t.Context(), room, "att_1"); err != nil {
			t.Errorf("taking our caller out, once and again: %v", err)
		}
	}
	until(t, "our caller is out", caller.out.Load)
	until(t, "the agent is alone", func() bool { return len(agent.GetRemoteParticipants()) == 0 })
	if agent.out.Load() {
		t.Error("the agent was put out with it")
	}
	if err := s.RemoveCaller(t.Context(), name(), "att_1"); err != nil {
		t.Errorf("taking it out of a room that was never there: %v", err)
	}
}

// nextStays removes the caller of an attempt too late, when the next attempt has begun; that
// one's caller must stay.
func nextStays(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.CallerToken(room, media.CallerIdentity, "att_1")
	first := mustJoin(t, s, token, err)
	token, err = s.CallerToken(room, media.CallerIdentity, "att_2")
	second := mustJoin(t, s, token, err)
	until(t, "the second has taken the place of the first", first.out.Load)
	if err := s.RemoveCaller(t.Context(), room, "att_1"); err != nil {
		t.Error(err)
	}
	time.Sleep(300 * time.Millisecond) // a removed participant is told at once
	if second.out.Load() {
		t.Error("the caller of the next attempt was put out")
	}
	if err := s.RemoveCaller(t.Context(), room, "att_2"); err != nil {
		t.Error(err)
	}
	until(t, "the second is out as well", second.out.Load)
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
	token, err := s.CallerToken(room, media.CallerIdentity, "att_1")
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

// grantsOf returns the rights in the token that an agent gets.
func grantsOf(t *testing.T, token string) map[string]any {
	t.Helper()
	claims := claimsOf(t, token)
	video, ok := claims["video"].(map[string]any)
	if !ok {
		t.Fatal("the token has no grants")
	}
	return video
}

// microphoneOnly announces tracks as a client does, one after the other: if the microphone's is
// accepted, those before it were refused. (A video track declared as a microphone is accepted;
// package line/room uses audio only.)
func microphoneOnly(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.AgentToken(room, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	conn := signIn(t, s, token)
	for cid, track := range map[string]*livekit.AddTrackRequest{
		"camera": {Type: livekit.TrackType_VIDEO, Source: livekit.TrackSource_CAMERA},
		"screen": {Type: livekit.TrackType_VIDEO, Source: livekit.TrackSource_SCREEN_SHARE},
		"sound":  {Type: livekit.TrackType_AUDIO, Source: livekit.TrackSource_SCREEN_SHARE_AUDIO},
	} {
		track.Cid = cid
		conn.say(addTrack(track))
	}
	conn.say(addTrack(&livekit.AddTrackRequest{Cid: "voice", Type: livekit.TrackType_AUDIO, Source: livekit.TrackSource_MICROPHONE}))
	for {
		word := &livekit.SignalResponse{}
		conn.hear(word)
		if got := word.GetTrackPublished(); got != nil && got.GetCid() == "voice" {
			return
		} else if got != nil {
			t.Errorf("a track %q may be published", got.GetCid())
		}
	}
}

// ownName requests another name and other metadata for itself, and for another participant, as
// a client does. The server must refuse.
func ownName(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.AgentToken(room, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	conn := signIn(t, s, token)
	conn.say(&livekit.SignalRequest{Message: &livekit.SignalRequest_UpdateMetadata{
		UpdateMetadata: &livekit.UpdateParticipantMetadata{Name: "somebody else", Metadata: "{}", RequestId: 7},
	}})
	for {
		word := &livekit.SignalResponse{}
		conn.hear(word)
		if got := word.GetRequestResponse(); got.GetRequestId() == 7 {
			if got.GetReason() != livekit.RequestResponse_NOT_ALLOWED {
				t.Errorf("one's own name may be changed: %v", got)
			}
			return
		}
	}
}

func addTrack(track *livekit.AddTrackRequest) *livekit.SignalRequest {
	return &livekit.SignalRequest{Message: &livekit.SignalRequest_AddTrack{AddTrack: track}}
}

// speaks publishes audio and data with the client's library, and another participant receives both.
func speaks(t *testing.T, s Server) {
	room := open(t, s, media.Room{})
	token, err := s.CallerToken(room, media.CallerIdentity, "att_1")
	if err != nil {
		t.Fatal(err)
	}
	var voice, data atomic.Bool
	callback := lksdk.NewRoomCallback()
	callback.OnTrackSubscribed = func(*webrtc.TrackRemote, *lksdk.RemoteTrackPublication, *lksdk.RemoteParticipant) { voice.Store(true) }
	callback.OnDataPacket = func(lksdk.DataPacket, lksdk.DataReceiveParams) { data.Store(true) }
	caller, err := lksdk.ConnectToRoomWithToken(s.Address(), token, callback)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(caller.Disconnect)
	token, err = s.AgentToken(room, time.Minute)
	agent := mustJoin(t, s, token, err)
	track, err := lksdk.NewLocalSampleTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		t.Errorf("a microphone cannot be published: %v", err)
	}
	if err := agent.LocalParticipant.PublishDataPacket(lksdk.UserData([]byte("hello")), lksdk.WithDataPublishReliable(true)); err != nil {
		t.Errorf("data cannot be published: %v", err)
	}
	until(t, "data comes through", data.Load)
	until(t, "the voice is there to be heard", func() bool {
		_ = track.WriteSample(webrtcmedia.Sample{Data: []byte{0xf8, 0xff, 0xfe}, Duration: 20 * time.Millisecond}, nil) // a silent frame
		return voice.Load()
	})
}
