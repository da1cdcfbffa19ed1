package room_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

func TestNobodyComes(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_alone", room.Options{}, leg.Dial{RingTimeout: time.Second}, func(*scene) {})
	if a.EndReason.Code != call.EndAgentNeverCame || a.EndReason.Blame != call.BlameAgent || !a.AnsweredAt.IsZero() {
		t.Errorf("the call ended %+v, answered %v, want %s and no answer", a.EndReason, a.AnsweredAt, call.EndAgentNeverCame)
	}
}

// TestAgentPublishesNothing waits long enough for the server to announce a participant that
// publishes nothing, which takes three seconds.
func TestAgentPublishesNothing(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_dumb", room.Options{}, leg.Dial{RingTimeout: 8 * time.Second}, func(s *scene) { comes(t, s.token) })
	// The server rarely announces tracks with another codec, and its client does not notice them.
	if a.EndReason.Code != call.EndAgentNeverCame || a.RingingAt.IsZero() || !strings.Contains(a.EndReason.Detail, "Opus") {
		t.Errorf("the call ended %+v, ringing %v, want %s for want of Opus", a.EndReason, a.RingingAt, call.EndAgentNeverCame)
	}
}

// TestAMicrophoneThatIsEncryptedIsNamed checks that a microphone with end-to-end encryption is
// named: its sound would be taken for noise.
func TestAMicrophoneThatIsEncryptedIsNamed(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_sealed", room.Options{}, leg.Dial{RingTimeout: 4 * time.Second, MaxDuration: 6 * time.Second}, func(s *scene) {
		comes(t, s.token).says(voice{broken: true, sealed: livekit.Encryption_GCM})
		<-s.ended
	})
	if a.EndReason.Code != call.EndAgentNeverCame || !strings.Contains(a.EndReason.Detail, "end-to-end encryption") || !a.AnsweredAt.IsZero() {
		t.Errorf("the call ended %+v, answered %v, %v, want %s because it is encrypted end to end", a.EndReason, a.AnsweredAt, kinds(a), call.EndAgentNeverCame)
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
				return // removed from the room, which the library takes seconds to notice
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
		pause(500 * time.Millisecond) // broken Opus only
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
		s.talks(75) // more than what was in transit from the first one
		s.hangsUp()
	})
	if a.EndReason.Code != "" {
		t.Errorf("%+v", a.EndReason)
	}
	if count(a, call.KindAgentLeft)+count(a, call.KindSourceChanged) == 0 {
		t.Errorf("the timeline has %v", kinds(a))
	}
}

// TestAnotherTakesTheAgentsPlace checks that whoever joins with the token of an agent that is there
// replaces it, and may take a while to speak.
func TestAnotherTakesTheAgentsPlace(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_place", room.Options{}, leg.Dial{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(25)
		next := comes(t, s.token)
		pause(4 * time.Second) // the server announces it after three
		next.speaks(660, false)
		s.talks(75) // more than what was in transit from the first one
		s.hangsUp()
	})
	if a.EndReason.Code != "" || count(a, call.KindSourceChanged) == 0 {
		t.Errorf("the call ended %+v, the timeline has %v", a.EndReason, a.Timeline)
	}
}

// TestAgentComesMuted makes an agent come with its microphone off, and press keys one by one and
// several in one message.
func TestAgentComesMuted(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_comes_muted", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		one := g.speaks(440, false)
		one.pub.SetMuted(true)
		one.quiet.Store(true)
		<-s.answered
		pause(200 * time.Millisecond)
		one.quiet.Store(false)
		one.pub.SetMuted(false)
		s.talks(25)
		g.presses("12x#")
		s.until(s.pressed.Load)
		s.hangsUp()
	})
	if count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 || count(a, call.KindDigitReceived) != 3 {
		t.Errorf("the timeline has %v", a.Timeline)
	}
}

// TestAMutedMicrophoneIsReplaced checks that a microphone that is switched off and removed does not
// affect the one that replaces it.
func TestAMutedMicrophoneIsReplaced(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_muted_replaced", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		one := g.speaks(440, false)
		s.talks(25)
		one.pub.SetMuted(true)
		one.quiet.Store(true)
		pause(300 * time.Millisecond)
		_ = g.room.LocalParticipant.UnpublishTrack(one.pub.SID())
		pause(300 * time.Millisecond)
		g.speaks(660, false)
		s.talks(50)
		s.hangsUp()
	})
	if a.EndReason.Code != "" || count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 {
		t.Errorf("the call ended %+v, the timeline has %v", a.EndReason, kinds(a))
	}
}

// TestTheFirstOfManyMicrophonesIsHeard checks that of several microphones published before the
// caller comes, the first is heard, although the server announces them in any order.
func TestTheFirstOfManyMicrophonesIsHeard(t *testing.T) {
	t.Parallel()
	const most = 6 // besides the first, so that it would rarely be picked by chance
	name := room.Prefix + "call_first_of_many"
	g := comes(t, openRoom(t, name))
	g.speaks(440, false)
	pause(300 * time.Millisecond) // the server processes simultaneous tracks in any order
	for range most {
		g.speaks(1500, false)
	}
	pause(300 * time.Millisecond) // until the last of them is announced
	caller, tape := &person{}, leg.NewTape(time.Minute)
	over := time.AfterFunc(2500*time.Millisecond, func() { caller.over.Store(true) })
	defer over.Stop()
	a := newRig(t, nil, room.Options{}).line.Place(t.Context(), leg.Dial{
		CallID: "call_first_of_many", AttemptID: "att_first_of_many", Room: name, RingTimeout: patience, MaxDuration: patience,
	}, caller, tape)
	if got := share(tape, 440); a.EndReason.Code != "" || got < 0.9 {
		t.Errorf("the call ended %+v, and only %.0f %% of what was heard is the first microphone", a.EndReason, 100*got)
	}
}

// TestAgentTakesItsMicrophoneAway checks that an agent that removes its microphone and publishes no
// other counts as gone after a while.
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
