package room_test

import (
	"math"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// hasty is a guest that speaks as soon as somebody hears it, and only then listens.
type hasty struct {
	said chan time.Time // when its tone began
}

// greeting is the length of its tone.
const greeting = 400 * time.Millisecond

// comes joins, publishes a microphone, plays a tone of 440 Hz as soon as somebody subscribes to it,
// and listens afterwards.
func (h *hasty) comes(t *testing.T, token string) {
	heard := make(chan struct{}, 1)
	cb := lksdk.NewRoomCallback()
	cb.OnLocalTrackSubscribed = func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) {
		select {
		case heard <- struct{}{}:
		default:
		}
	}
	r, err := lksdk.ConnectToRoomWithToken(server.URL(), token, cb, lksdk.WithDisableRegionDiscovery(), lksdk.WithAutoSubscribe(false))
	if err != nil {
		t.Error("the agent could not join")
		return
	}
	t.Cleanup(r.Disconnect)
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		t.Error(err)
		return
	}
	if _, err = r.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		t.Error("the agent could not publish its microphone")
		return
	}
	select {
	case <-heard:
	case <-time.After(patience):
		t.Error("nobody hears the agent")
		return
	}
	h.greet(t, track)
	for _, p := range r.GetRemoteParticipants() {
		for _, pub := range p.TrackPublications() {
			if remote, ok := pub.(*lksdk.RemoteTrackPublication); ok {
				_ = remote.SetSubscribed(true)
			}
		}
	}
}

// greet plays the tone, followed by silence.
func (h *hasty) greet(t *testing.T, track *lksdk.LocalTrack) {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 16000, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		t.Error(err)
		return
	}
	begun := time.Now()
	h.said <- begun
	var pcm [320]int16
	for n := range int(greeting/leg.FrameTime) + 10 {
		for i := range pcm {
			pcm[i] = 0
			if at := n*len(pcm) + i; at < int(greeting/time.Millisecond)*16 {
				pcm[i] = int16(8000 * math.Cos(2*math.Pi*440*float64(at)/16000))
			}
		}
		buf := make([]byte, 1275)
		size, err := enc.EncodeInt16(pcm[:], buf)
		if err != nil {
			t.Error(err)
			return
		}
		_ = track.WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: uint16(n), Timestamp: uint32(n) * 960}, Payload: buf[:size]}, nil)
		pause(time.Until(begun.Add(time.Duration(n+1) * leg.FrameTime)))
	}
}

// TestAGreetingBeforeTheCallIsOnTheRecording checks that a greeting is recorded whole and where it
// was said, although the agent greets whoever hears it and our side only begins once the agent
// hears us as well.
func TestAGreetingBeforeTheCallIsOnTheRecording(t *testing.T) {
	t.Parallel()
	h := &hasty{said: make(chan time.Time, 3)}
	a, tape, ok := fair(t, "call_greets", room.Options{}, func(s *scene) {
		h.comes(t, s.token)
		<-s.answered
		pause(300 * time.Millisecond)
		s.hangsUp()
	})
	var said time.Time
	for len(h.said) > 0 {
		said = <-h.said
	}
	if !ok || t.Failed() {
		return
	}
	if a.RingingAt.After(a.AnsweredAt) {
		t.Errorf("it rang %v after the answer", a.RingingAt.Sub(a.AnsweredAt))
	}
	first, last := -1, -1
	for i, v := range tape.Channel(leg.AgentChannel) {
		if v > 1500 || v < -1500 {
			if first < 0 {
				first = i
			}
			last = i + 1
		}
	}
	from := said.Sub(a.AnsweredAt)
	for what, off := range map[string]time.Duration{
		"begins": time.Duration(first)*time.Second/16000 - from,
		"ends":   time.Duration(last)*time.Second/16000 - from - greeting,
	} {
		t.Logf("it %s %v off", what, off)
		if off > 15*time.Millisecond || off < -15*time.Millisecond {
			t.Errorf("the greeting %s %v off, the call began %v before it", what, off, from)
		}
	}
}
