package media_test

import (
	"context"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// redis starts a Redis server that stores nothing, and stops it at the end of the test.
func redis(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is missing: scripts/setup redis installs it")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	server := exec.Command(program, "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
		if time.Now().After(limit) {
			t.Fatal("redis-server does not come up")
		}
	}
}

// TestCluster checks that two servers know the same, whichever server a room is on and whoever
// joins through which.
func TestCluster(t *testing.T) {
	keys := media.Keys{Key: "cluster", Secret: strings.Repeat("secret", 8)}
	o := media.EmbedOptions{Key: keys.Key, Secret: keys.Secret, Redis: redis(t)}
	var servers []*media.Server
	for range 2 {
		s, err := media.Embed(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Stop(context.Background()) })
		servers = append(servers, s)
	}
	t.Run("ways", func(t *testing.T) { mediatest.Run(t, servers[0], keys) })
	for i := range 4 { // the servers choose where a room is
		meet(t, servers[i%2], servers[1-i%2], media.Prefix+"cluster-"+strconv.Itoa(i))
	}
	if err := servers[0].Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := servers[1].Check(t.Context()); err != nil {
		t.Errorf("with its sibling gone, the other says %v", err)
	}
	for i := range 4 {
		room := media.Room{Name: media.Prefix + "alone-" + strconv.Itoa(i), EmptyFor: time.Minute}
		if err := servers[1].Open(t.Context(), room); err != nil {
			t.Errorf("with its sibling gone, the other opens no room: %v", err)
		}
	}
}

// meet makes the agent join through one server and the caller through the other.
func meet(t *testing.T, a, b *media.Server, name string) {
	t.Helper()
	if err := a.Open(t.Context(), media.Room{Name: name, EmptyFor: time.Minute}); err != nil {
		t.Fatal(err)
	}
	met := make(chan string, 1)
	callback := lksdk.NewRoomCallback()
	callback.OnParticipantConnected = func(p *lksdk.RemoteParticipant) { met <- p.Identity() }
	token, err := a.CallerToken(name, media.CallerIdentity, "att_1")
	if err != nil {
		t.Fatal(err)
	}
	caller, err := lksdk.ConnectToRoomWithToken(a.Address(), token, callback)
	if err != nil {
		t.Fatal(err)
	}
	defer caller.Disconnect()
	if token, err = b.AgentToken(name, time.Minute); err != nil {
		t.Fatal(err)
	}
	agent, err := lksdk.ConnectToRoomWithToken(b.URL(), token, lksdk.NewRoomCallback())
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Disconnect()
	voice, err := lksdk.NewLocalSampleTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		t.Fatal(err)
	}
	// A participant that publishes nothing is only announced to others after three seconds.
	if _, err := agent.LocalParticipant.PublishTrack(voice, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		t.Fatal(err)
	}
	select {
	case who := <-met:
		if who != "agent" {
			t.Errorf("the caller meets %q", who)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("they do not meet")
	}
	for _, s := range []*media.Server{a, b} {
		is := func() bool {
			rooms, err := s.Rooms(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, room := range rooms {
				if room.Name == name {
					return room.Participants == 1
				}
			}
			return false
		}
		for limit := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatal("the agent is not counted on both servers")
			}
		}
	}
	if err := b.CloseRoom(t.Context(), name); err != nil {
		t.Error(err)
	}
}

func TestRedisIsAway(t *testing.T) {
	began := time.Now()
	_, err := media.Embed(t.Context(), media.EmbedOptions{Key: "k", Secret: strings.Repeat("s", 32), Redis: "127.0.0.1:1"})
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "--media-redis") {
		t.Errorf("without Redis the server says %v", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v to say so", took)
	}
}
