package room_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// voice is what a guest's microphone gives: a tone, unless it is broken.
type voice struct {
	hz float64
	// broken gives anything instead of Opus.
	broken bool
	// stereo gives 48 kHz on two channels, with the tone on both.
	stereo bool
	// stamp changes the timestamp of the nth packet, nil leaves it.
	stamp func(n, stamp uint32) uint32
}

// speaks publishes a microphone that gives a tone; broken gives anything else.
func (g *guest) speaks(hz float64, broken bool) *mic { return g.says(voice{hz: hz, broken: broken}) }

// says publishes a microphone.
func (g *guest) says(v voice) *mic {
	g.t.Helper()
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		g.t.Fatal(err)
	}
	m := &mic{stop: make(chan struct{})}
	m.pub, err = g.room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE, Stereo: v.stereo})
	if err != nil {
		g.t.Fatal("the agent could not publish its microphone")
	}
	go m.run(track, v)
	g.t.Cleanup(func() { close(m.stop) })
	return m
}

func (m *mic) run(track *lksdk.LocalTrack, v voice) {
	config := gopus.EncoderConfig{SampleRate: 16000, Channels: 1, Application: gopus.ApplicationVoIP}
	if v.stereo {
		config = gopus.EncoderConfig{SampleRate: 48000, Channels: 2, Application: gopus.ApplicationAudio}
	}
	enc, err := gopus.NewEncoder(config)
	if err != nil {
		return
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	chance := rand.New(rand.NewPCG(1, 2))
	pcm := make([]int16, config.SampleRate/50*config.Channels)
	var buf [1275]byte
	for n, seq := uint32(0), uint16(0); ; n++ {
		select {
		case <-m.stop:
			return
		case <-ticks.C:
		}
		if m.quiet.Load() {
			continue
		}
		for i := range pcm {
			at := float64(int(n)*config.SampleRate/50 + i/config.Channels)
			pcm[i] = int16(8000 * math.Sin(2*math.Pi*v.hz*at/float64(config.SampleRate)))
		}
		size, err := enc.EncodeInt16(pcm, buf[:])
		if err != nil {
			return
		}
		if v.broken {
			size = 1 + chance.IntN(400)
			for i := range size {
				buf[i] = byte(chance.Uint32())
			}
		}
		stamp := n * 960
		if v.stamp != nil {
			stamp = v.stamp(n, stamp)
		}
		_ = track.WriteRTP(&rtp.Packet{
			Header:  rtp.Header{Version: 2, SequenceNumber: seq, Timestamp: stamp},
			Payload: slices.Clone(buf[:size]),
		}, nil)
		seq++
	}
}

// person is our caller in these tests: it gives a tone all the time, counts the frames
// in which it hears anything, and hangs up when it is told.
type person struct {
	rate    int
	heard   atomic.Int64
	pressed atomic.Bool // the agent pressed a key
	over    atomic.Bool
}

func (p *person) Begin(rate int) { p.rate = rate }

func (p *person) Step(in, out *leg.Frame) {
	if slices.Max(in.PCM) > 2000 {
		p.heard.Add(1)
	}
	if in.Digits != "" {
		p.pressed.Store(true)
	}
	for i := range out.PCM {
		out.PCM[i] = int16(8000 * math.Sin(2*math.Pi*500*(out.At.Seconds()+float64(i)/float64(p.rate))))
	}
	out.HangUp = p.over.Load()
}

func (p *person) End(time.Duration, bool) {}

// scene is a call in a room, as whoever plays the agent sees it.
type scene struct {
	*person
	t           *testing.T
	name, token string
	answered    chan struct{}
	ended       chan struct{}
}

// patience bounds what is waited for in these tests.
const patience = 30 * time.Second

// talks waits until the caller has heard n more frames of somebody; false when the call was over before.
func (s *scene) talks(n int64) bool {
	s.t.Helper()
	for limit, want := time.Now().Add(patience), s.heard.Load()+n; s.heard.Load() < want; pause(5 * time.Millisecond) {
		select {
		case <-s.ended:
			return false
		default:
		}
		if time.Now().After(limit) {
			s.t.Errorf("the caller hears nobody")
			return false
		}
	}
	return true
}

// until waits for something of the agent's to come to the caller.
func (s *scene) until(came func() bool) {
	s.t.Helper()
	for limit := time.Now().Add(patience); !came(); pause(5 * time.Millisecond) {
		if time.Now().After(limit) {
			s.t.Errorf("it never came")
			return
		}
	}
}

// hangsUp has the caller end the call.
func (s *scene) hangsUp() { s.over.Store(true) }

// meet runs a call in a room with a guest that does what it likes.
func meet(t *testing.T, id string, o room.Options, d leg.Dial, act func(s *scene)) (call.Attempt, *leg.Tape) {
	t.Helper()
	return meetOver(t, server, id, o, d, act)
}

// meetOver is meet with a way of the caller's own to the media server.
func meetOver(t *testing.T, way room.Joiner, id string, o room.Options, d leg.Dial, act func(s *scene)) (call.Attempt, *leg.Tape) {
	t.Helper()
	o.Server = way
	r := newRig(t, nil, o)
	name := room.Prefix + id
	s := &scene{person: &person{}, t: t, name: name, token: openRoom(t, name), answered: make(chan struct{}), ended: make(chan struct{})}
	d.CallID, d.AttemptID, d.Room = id, "att_"+id, name
	if d.RingTimeout == 0 {
		d.RingTimeout = patience
	}
	if d.MaxDuration == 0 {
		d.MaxDuration = 50 * time.Second
	}
	d.OnAnswered = func(string) { close(s.answered) }
	acted := make(chan struct{})
	go func() {
		defer close(acted)
		act(s)
	}()
	tape := leg.NewTape(time.Minute)
	a := r.line.Place(t.Context(), d, s.person, tape)
	close(s.ended)
	<-acted
	return a, tape
}

// fair is meet, done again for as long as this machine did not let us keep time, three times at
// most: then what was heard, and when, proves nothing. It is false when it never did.
func fair(t *testing.T, id string, o room.Options, act func(s *scene)) (a call.Attempt, tape *leg.Tape, ok bool) {
	t.Helper()
	return fairOver(t, server, id, o, act)
}

// fairOver is fair with a way of the caller's own to the media server.
func fairOver(t *testing.T, way room.Joiner, id string, o room.Options, act func(s *scene)) (a call.Attempt, tape *leg.Tape, ok bool) {
	t.Helper()
	m := linetest.Watch(t)
	for try := range 3 {
		a, tape = meetOver(t, way, fmt.Sprintf("%s_%d", id, try), o, leg.Dial{}, act)
		if a.Stats.SendMissed == 0 && a.Stats.ReceiveLateMax < starved {
			return a, tape, true
		}
	}
	if late := m.Late(); late < starved/4 && !t.Failed() {
		t.Errorf("the line was starved, %d frames were not sent and packets taken in %v late, but this machine was late by %v at most", a.Stats.SendMissed, a.Stats.ReceiveLateMax, late)
	}
	t.Logf("this machine was starved, by up to %v: nothing can be said of how it sounded", m.Late())
	return a, tape, false
}

// starved is how late a packet is taken in on a machine that has no time for us.
const starved = 60 * time.Millisecond

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
	a, _ := meet(t, "call_alone", room.Options{}, leg.Dial{RingTimeout: time.Second}, func(*scene) {})
	if a.EndReason.Code != call.EndAgentNeverCame || a.EndReason.Blame != call.BlameAgent || !a.AnsweredAt.IsZero() {
		t.Errorf("%+v, answered %v", a.EndReason, a.AnsweredAt)
	}
}

// The server announces those who publish nothing after three seconds.
func TestAgentPublishesNothing(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_dumb", room.Options{}, leg.Dial{RingTimeout: 8 * time.Second}, func(s *scene) { comes(t, s.token) })
	if a.EndReason.Code != call.EndAgentNeverCame || a.RingingAt.IsZero() {
		t.Errorf("%+v, ringing %v", a.EndReason, a.RingingAt)
	}
}

func TestMicrophoneWithoutSound(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_mute", room.Options{MediaTimeout: 1500 * time.Millisecond}, leg.Dial{}, func(s *scene) {
		track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = comes(t, s.token).room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	})
	if a.EndReason.Code != call.EndMediaLost {
		t.Errorf("%+v, %+v, %v", a.EndReason, a.Stats, a.Timeline)
	}
}

// floods sends bursts of data messages every tenth of a second.
func (g *guest) floods(bursts, each int) {
	for ; bursts > 0; bursts-- {
		for range each {
			if g.room.LocalParticipant.PublishDataPacket(lksdk.UserData(make([]byte, 1000)), lksdk.WithDataPublishReliable(true)) != nil {
				return // put out of the room, which the library takes seconds to notice
			}
		}
		pause(100 * time.Millisecond)
	}
}

func TestFloodsAndBrokenOpus(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_flood", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, true)
		picture := camera(t)
		go func() { // the token does not allow it, which the library learns after ten seconds
			_, _ = g.room.LocalParticipant.PublishTrack(picture, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_CAMERA})
		}()
		<-s.answered
		g.floods(15, 50)
		pause(500 * time.Millisecond) // of broken Opus alone
		s.hangsUp()
	})
	if a.EndReason.Code != "" {
		t.Errorf("%+v", a.EndReason)
	}
	if n := count(a, call.KindMessage); n == 0 || n > 200 {
		t.Errorf("%d messages on the timeline", n)
	}
	if count(a, call.KindUndecodable) != 1 {
		t.Errorf("of the broken Opus the timeline says nothing: %v", kinds(a)[:min(len(a.Timeline), 20)])
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
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
	a, tape, ok := fair(t, "call_twice", room.Options{}, func(s *scene) {
		g := comes(t, s.token)
		one := g.speaks(440, false)
		s.talks(50)
		one.pub.SetMuted(true)
		one.quiet.Store(true)
		pause(300 * time.Millisecond)
		one.quiet.Store(false)
		one.pub.SetMuted(false)
		s.talks(25)
		g.speaks(880, false)
		s.talks(25)
		_ = g.room.LocalParticipant.UnpublishTrack(one.pub.SID())
		pause(100 * time.Millisecond) // until the first one is silent
		s.talks(50)
		s.hangsUp()
	})
	if a.EndReason.Code != "" {
		t.Errorf("%+v", a.EndReason)
	}
	if count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 || count(a, call.KindSourceChanged) != 1 {
		t.Errorf("the timeline has %v", kinds(a))
	}
	if n := loud(tape, leg.AgentChannel); ok && n < 2 {
		t.Errorf("only %.1f s of the agent's two microphones are on the recording", n)
	}
}

func TestAgentLeavesAndComesBack(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_back", room.Options{Rejoin: patience}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, false)
		s.talks(25)
		g.room.Disconnect()
		comes(t, s.token).speaks(660, false)
		s.talks(75) // more than what was on its way of the first one
		s.hangsUp()
	})
	if a.EndReason.Code != "" {
		t.Errorf("%+v", a.EndReason)
	}
	if count(a, call.KindAgentLeft)+count(a, call.KindSourceChanged) == 0 {
		t.Errorf("the timeline has %v", kinds(a))
	}
}

// An agent that takes its microphone away and brings no other is gone after a while.
func TestAgentTakesItsMicrophoneAway(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_taken", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		one := g.speaks(440, false)
		s.talks(50)
		_ = g.room.LocalParticipant.UnpublishTrack(one.pub.SID())
	})
	if a.EndReason.Code != call.EndAgentHungUp || count(a, call.KindAgentLeft) != 1 {
		t.Errorf("the call ended %+v, the timeline has %v", a.EndReason, a.Timeline)
	}
}

func TestRoomIsClosedAndLineIsClosed(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_closed", room.Options{}, leg.Dial{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(25)
		_ = server.CloseRoom(context.Background(), s.name)
	})
	if a.EndReason.Code != call.EndAgentHungUp {
		t.Errorf("%+v", a.EndReason)
	}
}
