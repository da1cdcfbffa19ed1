package room_test

import (
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// share returns the largest share of power at a frequency in any loud 100 ms of the agent's
// channel.
func share(tape *leg.Tape, hz float64) float64 {
	const window = 1600
	best := 0.0
	for pcm := tape.Channel(leg.AgentChannel); len(pcm) >= window; pcm = pcm[window:] {
		if energy := audio.Energy(pcm[:window]); energy > window*1000*1000 {
			best = max(best, audio.Goertzel(pcm[:window], 16000, hz)*window/energy)
		}
	}
	return best
}

// TestStereo checks that two channels of 48 kHz become one of 16 kHz with the same tone.
func TestStereo(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_stereo", room.Options{}, func(s *scene) {
		comes(t, s.token).says(voice{hz: 440, stereo: true})
		s.talks(75)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1)
	if got := share(tape, 440); ok && got < 0.95 {
		t.Errorf("only %.0f %% of the sound is the tone", 100*got)
	}
	if count(a, call.KindUndecodable) != 0 {
		t.Errorf("the timeline has %v", kinds(a))
	}
}

// TestTimestampsJump checks that timestamps that jump, back and forth and by half their range, move
// nothing: audio is placed when it came, and the recording is no longer than the call.
func TestTimestampsJump(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_jumps", room.Options{}, func(s *scene) {
		comes(t, s.token).says(voice{hz: 440, stamp: func(n, stamp uint32) uint32 {
			return stamp + []uint32{0, 48000 * 3600, 1 << 31, 0, 4_000_000_000, 960 * 40}[n/20%6]
		}})
		s.talks(150)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 2)
	if length, lasted := float64(tape.Samples())/16000, a.EndedAt.Sub(a.AnsweredAt).Seconds(); ok && length > lasted+0.2 {
		t.Errorf("%.1f s are on the recording of a call of %.1f s", length, lasted)
	}
}

// TestStreamBeginsAnew checks that an agent whose stream restarts, as with one stream per
// utterance, is still heard, wherever its sequence numbers and its clock continue. There is one
// exception, which is not tested: numbers that go back while the clock goes forward look like a
// wrap-around to the media server and like retransmissions to our client.
func TestStreamBeginsAnew(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]struct {
		number uint16
		stamp  uint32
	}{
		"back":               {40000 - 3000, 1<<31 - 48000*60},
		"far back":           {1000, 48000},
		"forth, clock back":  {50000, 1<<31 - 48000*60},
		"far on, clock back": {5000, 48000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := func(n uint32) uint32 { return min(n/75, 1) }
			a, tape, ok := fair(t, "call_anew_"+strings.ReplaceAll(name, " ", "_"), room.Options{}, func(s *scene) {
				comes(t, s.token).says(voice{
					hz:     440,
					number: func(n uint32) uint16 { return []uint16{40000, to.number}[at(n)] + uint16(n) },
					stamp:  func(n, stamp uint32) uint32 { return []uint32{1 << 31, to.stamp}[at(n)] + stamp },
				})
				s.talks(220)
				s.hangsUp()
			})
			talked(t, a, tape, ok, 4)
		})
	}
}

// TestLongMute checks that a microphone may be switched off for longer than an agent may send
// nothing at the beginning.
func TestLongMute(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_muted", room.Options{MediaTimeout: 4 * time.Second}, func(s *scene) {
		m := comes(t, s.token).speaks(440, false)
		s.talks(50)
		m.pub.SetMuted(true)
		m.quiet.Store(true)
		pause(5 * time.Second)
		m.quiet.Store(false)
		m.pub.SetMuted(false)
		s.talks(50)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1.5)
	if ok && a.Stats.Lost > 2 || count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 {
		t.Errorf("lost %d, %v, want at most 2, and one mute and its end", a.Stats.Lost, kinds(a))
	}
}

// TestLongMuteFromTheBeginning checks the same for a microphone that is off when the agent comes.
// From when it is switched on, there is as much time for the first sound as at the beginning.
func TestLongMuteFromTheBeginning(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_begins_muted", room.Options{MediaTimeout: 2 * time.Second}, func(s *scene) {
		m := comes(t, s.token).speaks(440, false)
		m.quiet.Store(true)
		m.pub.SetMuted(true)
		<-s.answered
		pause(3 * time.Second)
		m.pub.SetMuted(false)
		pause(500 * time.Millisecond)
		m.quiet.Store(false)
		s.talks(75)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1)
	if count(a, call.KindMuted) != 1 || count(a, call.KindUnmuted) != 1 {
		t.Errorf("the timeline has %v, want one mute and its end", kinds(a))
	}
}

// TestNothingIsSentInSilence checks that silence that an agent does not send, without saying so, is
// silence and not loss.
func TestNothingIsSentInSilence(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_dtx", room.Options{}, func(s *scene) {
		m := comes(t, s.token).speaks(440, false)
		for range 3 {
			s.talks(40)
			m.quiet.Store(true)
			pause(700 * time.Millisecond)
			m.quiet.Store(false)
		}
		s.talks(40)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 2)
	if ok && a.Stats.Lost > 2 {
		t.Errorf("%d packets are counted as lost, want at most 2", a.Stats.Lost)
	}
}

// TestAgentRenegotiates checks that other tracks that an agent publishes and removes while it
// speaks do not affect its voice.
func TestAgentRenegotiates(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_renegotiated", room.Options{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, false)
		s.talks(25)
		for range 4 {
			track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
			if err != nil {
				t.Error(err)
				break
			}
			pub, err := g.room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
			if err != nil {
				t.Error("a second microphone cannot be published")
				break
			}
			s.talks(10)
			_ = g.room.LocalParticipant.UnpublishTrack(pub.SID())
			s.talks(10)
		}
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1)
	if got := share(tape, 440); ok && got < 0.95 || count(a, call.KindSourceChanged) != 0 {
		t.Errorf("%.0f %% of the sound is the tone, %v, want 95 and no other source", 100*got, kinds(a))
	}
}
