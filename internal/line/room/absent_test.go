package room_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
)

// comesBy makes a guest join through a network of its own.
func comesBy(t *testing.T, n *mediatest.Network, token string) *guest {
	t.Helper()
	r, err := lksdk.ConnectToRoomWithToken(n.URL(), token, nil, lksdk.WithDisableRegionDiscovery())
	if err != nil {
		t.Error("the agent could not join")
		return nil
	}
	t.Cleanup(r.Disconnect)
	return &guest{t: t, room: r}
}

// TestAgentVanishes checks a call whose agent vanishes without a word. The media server notices
// that after twenty seconds; here its message is injected at once. The call must end as cut off,
// which blames nobody, and the timeline must mention that the agent left.
func TestAgentVanishes(t *testing.T) {
	t.Parallel()
	for name, vanish := range map[string]func(t *testing.T, token string) func(){
		"killed": func(t *testing.T, token string) func() {
			c := process(t, token)
			return func() { _ = c.Process.Kill() }
		},
		"frozen": func(t *testing.T, token string) func() {
			c := process(t, token)
			return func() { _ = c.Process.Signal(syscall.SIGSTOP) }
		},
		"cut off": func(t *testing.T, token string) func() {
			n := mediatest.NewNetwork(t, server.Address())
			if g := comesBy(t, n, token); g != nil {
				g.speaks(440, false)
			}
			return func() { n.Away(true) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way := newSignals(t)
			a, tape := meetOver(t, way, "call_vanished_"+strings.ReplaceAll(name, " ", "_"), room.Options{Rejoin: time.Second}, leg.Dial{}, func(s *scene) {
				cut := vanish(t, s.token)
				s.talks(50)
				cut()
				way.quality("agent", livekit.ConnectionQuality_LOST)
				way.left("agent", livekit.DisconnectReason_CONNECTION_TIMEOUT)
			})
			if a.EndReason.Code != call.EndMediaLost || a.EndReason.Blame != call.BlameLine {
				t.Errorf("the call ended %+v, want %s and %s to blame", a.EndReason, call.EndMediaLost, call.BlameLine)
			}
			if count(a, call.KindAgentLeft) != 1 || count(a, call.KindUnreachable) != 1 || count(a, call.KindReachable) != 0 {
				t.Errorf("the timeline has %v, want that it cannot be reached and left, once each", a.Timeline)
			}
			if s := loud(tape, leg.AgentChannel); a.Stats.ReceiveLateMax < starved && (s < 0.5 || s > 3) {
				t.Errorf("%.1f s of the agent are on the recording, want 0.5 to 3", s)
			}
		})
	}
}

// TestCallerHangsUpOnSilence checks that if the caller hangs up on an agent that has vanished
// before the server notices, the agent is not blamed for its silence. An agent that has nothing to
// say and sends nothing is still there.
func TestCallerHangsUpOnSilence(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		said                   []livekit.ConnectionQuality
		code                   call.EndCode
		unreachable, reachable int
	}{
		"of one that vanished":     {[]livekit.ConnectionQuality{livekit.ConnectionQuality_LOST}, call.EndMediaLost, 1, 0},
		"of one that came back":    {[]livekit.ConnectionQuality{livekit.ConnectionQuality_LOST, livekit.ConnectionQuality_GOOD}, "", 1, 1},
		"of one that says nothing": {[]livekit.ConnectionQuality{livekit.ConnectionQuality_POOR}, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way := newSignals(t)
			a, _ := meetOver(t, way, "call_silent_"+strings.ReplaceAll(name, " ", "_"), room.Options{}, leg.Dial{}, func(s *scene) {
				m := comes(t, s.token).speaks(440, false)
				s.talks(50)
				m.quiet.Store(true)
				for _, q := range tt.said {
					way.quality("agent", q)
				}
				pause(500 * time.Millisecond)
				s.hangsUp()
			})
			if a.EndReason.Code != tt.code || count(a, call.KindUnreachable) != tt.unreachable || count(a, call.KindReachable) != tt.reachable {
				t.Errorf("the call ended %+v, the timeline has %v, want %q, and that it could not be reached %d times and could again %d times", a.EndReason, a.Timeline, tt.code, tt.unreachable, tt.reachable)
			}
		})
	}
}

// TestAgentsNetworkComesBack interrupts the agent's network for a while: the call goes on, and what
// is missing is a gap that counts as lost.
func TestAgentsNetworkComesBack(t *testing.T) {
	t.Parallel()
	n := mediatest.NewNetwork(t, server.Address())
	a, tape, ok := fair(t, "call_away", room.Options{}, func(s *scene) {
		g := comesBy(t, n, s.token)
		if g == nil {
			s.hangsUp()
			return
		}
		g.speaks(440, false)
		s.talks(50)
		n.Away(true)
		pause(1500 * time.Millisecond)
		n.Away(false)
		s.talks(75)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1.5)
	if a.Stats.Lost < 10 || a.Stats.LongestGap < time.Second {
		t.Errorf("of a hole of 1.5 s %d packets are counted as lost, the longest gap is %v; %v", a.Stats.Lost, a.Stats.LongestGap, kinds(a))
	}
}
