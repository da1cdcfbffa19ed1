package room_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// guest is an agent of somebody else's making, over the public client library.
type guest struct {
	t    *testing.T
	room *lksdk.Room
}

func comes(t *testing.T, token string) *guest {
	t.Helper()
	r, err := lksdk.ConnectToRoomWithToken(server.URL(), token, nil, lksdk.WithDisableRegionDiscovery())
	if err != nil {
		t.Fatal("the agent could not join")
	}
	t.Cleanup(r.Disconnect)
	return &guest{t: t, room: r}
}

// mic is a microphone of a guest's.
type mic struct {
	pub   *lksdk.LocalTrackPublication
	quiet atomic.Bool
	stop  chan struct{}
}

// speaks publishes a microphone that gives a tone; broken gives anything else.
func (g *guest) speaks(hz float64, broken bool) *mic {
	g.t.Helper()
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		g.t.Fatal(err)
	}
	m := &mic{stop: make(chan struct{})}
	m.pub, err = g.room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	if err != nil {
		g.t.Fatal("the agent could not publish its microphone")
	}
	go m.run(track, hz, broken)
	g.t.Cleanup(func() { close(m.stop) })
	return m
}

func (m *mic) run(track *lksdk.LocalTrack, hz float64, broken bool) {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 16000, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	chance := rand.New(rand.NewPCG(1, 2))
	var pcm [320]int16
	var buf [1275]byte
	for n := uint32(0); ; n++ {
		select {
		case <-m.stop:
			return
		case <-ticks.C:
		}
		if m.quiet.Load() {
			continue
		}
		for i := range pcm {
			pcm[i] = int16(8000 * math.Sin(2*math.Pi*hz*float64(int(n)*320+i)/16000))
		}
		size, err := enc.EncodeInt16(pcm[:], buf[:])
		if err != nil {
			return
		}
		if broken {
			size = 1 + chance.IntN(400)
			for i := range size {
				buf[i] = byte(chance.Uint32())
			}
		}
		_ = track.WriteRTP(&rtp.Packet{
			Header:  rtp.Header{Version: 2, SequenceNumber: uint16(n), Timestamp: n * 960},
			Payload: slices.Clone(buf[:size]),
		}, nil)
	}
}

// meet runs a call in a room with a guest that does what it likes, and cuts it off after most.
func meet(t *testing.T, id string, o room.Options, d leg.Dial, act func(name, token string)) (call.Attempt, *linetest.Voice, *leg.Tape) {
	t.Helper()
	return meetOver(t, server, id, o, d, act)
}

// meetOver is meet with a way of the caller's own to the media server.
func meetOver(t *testing.T, way room.Joiner, id string, o room.Options, d leg.Dial, act func(name, token string)) (call.Attempt, *linetest.Voice, *leg.Tape) {
	t.Helper()
	o.Server = way
	r := newRig(t, nil, o)
	name := room.Prefix + id
	token := openRoom(t, name)
	d.CallID, d.AttemptID, d.Room = id, "att_"+id, name
	if d.RingTimeout == 0 {
		d.RingTimeout = 30 * time.Second
	}
	acted := make(chan struct{})
	go func() {
		defer close(acted)
		act(name, token)
	}()
	voice := &linetest.Voice{Bursts: []linetest.Burst{{Hz: 500, From: 0, To: time.Minute}}}
	tape := leg.NewTape(time.Minute)
	a := r.line.Place(t.Context(), d, voice, tape)
	<-acted
	return a, voice, tape
}

func kinds(a call.Attempt) []call.Kind {
	var all []call.Kind
	for _, e := range a.Timeline {
		all = append(all, e.Kind)
	}
	return all
}

func count(a call.Attempt, kind call.Kind) int {
	n := 0
	for _, k := range kinds(a) {
		if k == kind {
			n++
		}
	}
	return n
}

// loud is how much of a channel sounds, in seconds.
func loud(tape *leg.Tape, channel int) float64 {
	n := 0
	pcm := tape.Channel(channel)
	const window = 320
	for ; len(pcm) >= window; pcm = pcm[window:] {
		if slices.Max(pcm[:window]) > 2000 {
			n++
		}
	}
	return float64(n) * window / 16000
}

func pause(d time.Duration) { <-time.NewTimer(d).C }

func TestNobodyComes(t *testing.T) {
	t.Parallel()
	a, _, _ := meet(t, "call_alone", room.Options{}, leg.Dial{RingTimeout: time.Second}, func(string, string) {})
	if a.EndReason.Code != call.EndAgentNeverCame || a.EndReason.Blame != call.BlameAgent || !a.AnsweredAt.IsZero() {
		t.Errorf("%+v, answered %v", a.EndReason, a.AnsweredAt)
	}
}

func TestAgentPublishesNothing(t *testing.T) {
	t.Parallel()
	a, _, _ := meet(t, "call_dumb", room.Options{}, leg.Dial{RingTimeout: 8 * time.Second}, func(_, token string) { comes(t, token) })
	if a.EndReason.Code != call.EndAgentNeverCame || a.RingingAt.IsZero() {
		t.Errorf("%+v, ringing %v", a.EndReason, a.RingingAt)
	}
}

func TestMicrophoneWithoutSound(t *testing.T) {
	t.Parallel()
	a, _, _ := meet(t, "call_mute", room.Options{MediaTimeout: 1500 * time.Millisecond}, leg.Dial{MaxDuration: 20 * time.Second}, func(_, token string) {
		track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = comes(t, token).room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	})
	if a.EndReason.Code != call.EndMediaLost {
		t.Errorf("%+v, %+v, %v", a.EndReason, a.Stats, a.Timeline)
	}
}

// floods sends bursts of data messages every tenth of a second, so that they
// fall into the call whenever it begins.
func (g *guest) floods(bursts, each int) {
	for failed := 0; bursts > 0 && failed < 3; bursts-- {
		for range each {
			if g.room.LocalParticipant.PublishDataPacket(lksdk.UserData(make([]byte, 1000)), lksdk.WithDataPublishReliable(true)) != nil {
				failed++ // put out of the room, which the library takes seconds to notice each time
				break
			}
		}
		pause(100 * time.Millisecond)
	}
}

func TestFloodsAndBrokenOpus(t *testing.T) {
	t.Parallel()
	a, voice, _ := meet(t, "call_flood", room.Options{}, leg.Dial{MaxDuration: 4 * time.Second}, func(_, token string) {
		g := comes(t, token)
		var flood sync.WaitGroup
		flood.Go(func() { g.floods(80, 50) })
		g.speaks(440, true)
		picture := camera(t)
		go func() { // the token does not allow it, which the library learns after ten seconds
			_, _ = g.room.LocalParticipant.PublishTrack(picture, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_CAMERA})
		}()
		flood.Wait()
	})
	if a.EndReason.Code != call.EndMaxDuration {
		t.Errorf("%+v", a.EndReason)
	}
	if n := count(a, call.KindMessage); n == 0 || n > 200 {
		t.Errorf("%d messages on the timeline", n)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
	_ = voice
}

func camera(t *testing.T) *lksdk.LocalTrack {
	t.Helper()
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8, ClockRate: 90000})
	if err != nil {
		t.Error(err)
	}
	return track
}

func TestMuteAndPublishTwice(t *testing.T) {
	t.Parallel()
	a, _, tape := meet(t, "call_twice", room.Options{}, leg.Dial{MaxDuration: 5 * time.Second}, func(_, token string) {
		g := comes(t, token)
		one := g.speaks(440, false)
		pause(1500 * time.Millisecond)
		one.pub.SetMuted(true)
		one.quiet.Store(true)
		pause(500 * time.Millisecond)
		one.quiet.Store(false)
		one.pub.SetMuted(false)
		g.speaks(880, false)
		pause(500 * time.Millisecond)
		_ = g.room.LocalParticipant.UnpublishTrack(one.pub.SID())
	})
	if a.EndReason.Code != call.EndMaxDuration {
		t.Errorf("%+v", a.EndReason)
	}
	if count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 || count(a, call.KindSourceChanged) != 1 {
		t.Errorf("the timeline has %v", kinds(a))
	}
	if s := loud(tape, leg.AgentChannel); s < 2 {
		t.Errorf("only %.1f s of the agent's two microphones are on the recording", s)
	}
}

func TestAgentLeavesAndComesBack(t *testing.T) {
	t.Parallel()
	a, voice, _ := meet(t, "call_back", room.Options{Rejoin: 20 * time.Second}, leg.Dial{MaxDuration: 6 * time.Second}, func(name, token string) {
		g := comes(t, token)
		g.speaks(440, false)
		pause(time.Second)
		g.room.Disconnect()
		comes(t, token).speaks(660, false)
	})
	if a.EndReason.Code != call.EndMaxDuration {
		t.Errorf("%+v", a.EndReason)
	}
	if count(a, call.KindAgentLeft)+count(a, call.KindSourceChanged) == 0 {
		t.Errorf("the timeline has %v", kinds(a))
	}
	_ = voice
}

func TestRoomIsClosedAndLineIsClosed(t *testing.T) {
	t.Parallel()
	a, _, _ := meet(t, "call_closed", room.Options{}, leg.Dial{MaxDuration: 20 * time.Second}, func(name, token string) {
		comes(t, token).speaks(440, false)
		pause(1500 * time.Millisecond)
		_ = server.CloseRoom(context.Background(), name)
	})
	if a.EndReason.Code != call.EndAgentHungUp {
		t.Errorf("%+v", a.EndReason)
	}
}
