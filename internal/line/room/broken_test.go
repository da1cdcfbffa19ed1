package room_test

import (
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
)

// wire is a connection to the media server that can be cut.
type wire struct {
	*media.Server
	listener net.Listener

	mu     sync.Mutex
	open   []net.Conn
	refuse int // how many more connections are refused
	turned int
}

func newWire(t *testing.T) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it ends with the test
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Server: server, listener: l}
	t.Cleanup(func() {
		_ = l.Close()
		w.cut(0)
	})
	go w.run(strings.TrimPrefix(server.Address(), "ws://"))
	return w
}

// Address implements room.Joiner.
func (w *wire) Address() string { return "ws://" + w.listener.Addr().String() }

func (w *wire) run(to string) {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", to) //nolint:noctx // on this machine
		w.mu.Lock()
		if err != nil || w.refuse > 0 {
			w.refuse--
			w.turned++
			w.mu.Unlock()
			_ = near.Close()
			if far != nil {
				_ = far.Close()
			}
			continue
		}
		w.open = append(w.open, near, far)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
	}
}

// cut cuts every connection and refuses the next few.
func (w *wire) cut(refuse int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refuse = refuse
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

// back waits until so many connections exist again, after so many were refused.
func (w *wire) back(open, turned int) {
	for limit := time.Now().Add(patience); time.Now().Before(limit); pause(5 * time.Millisecond) {
		w.mu.Lock()
		there := len(w.open) >= open && w.turned >= turned
		w.mu.Unlock()
		if there {
			return
		}
	}
}

// talked checks a call that went on until the caller ended it and, if the machine was fair, that at
// least so many seconds of the agent are recorded.
func talked(t *testing.T, a call.Attempt, tape *leg.Tape, fair bool, least float64) {
	t.Helper()
	if a.EndReason.Code != "" {
		t.Errorf("the call ended %+v, want no reason; %v", a.EndReason, kinds(a))
	}
	if s := loud(tape, leg.AgentChannel); fair && s < least {
		t.Errorf("only %.1f s of the agent are on the recording, want %.1f", s, least)
	}
}

func TestOurConnectionIsResumed(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	a, tape, ok := fairOver(t, w, "call_resumed", room.Options{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(50)
		w.cut(0)
		w.back(2, 0) // by another connection
		s.talks(100)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 2)
	// The library sometimes needs more than one attempt.
	if n := count(a, call.KindReconnecting); n == 0 || count(a, call.KindReconnected) != n || count(a, call.KindAgentLeft) != 0 {
		t.Errorf("the timeline has %v, want as many ends of a reconnection as beginnings, and that nobody left", kinds(a))
	}
}

// TestOurConnectionIsMadeAnew checks that the agent is not blamed if everybody seems to leave
// because our own connection is replaced.
func TestOurConnectionIsMadeAnew(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	a, tape, ok := fairOver(t, w, "call_anew", room.Options{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(50)
		w.cut(2)
		w.back(2, 2)
		s.talks(100)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 2)
	if w.turned == 0 || count(a, call.KindReconnected) == 0 || count(a, call.KindAgentLeft) != 0 || count(a, call.KindSourceChanged) == 0 {
		t.Errorf("%d connections turned away, the timeline has %v, want a new connection and source, and that nobody left", w.turned, a.Timeline)
	}
	if n := a.Stats.RemoteLost; n <= 0 {
		t.Errorf("%d of our packets are said to be lost, although they could go nowhere for a while", n)
	}
}

// TestKeysThatCannotBeSentHoldNothingUp checks that a call ends when it is over, although the client library waits with each of
// the caller's keys for a connection that does not come back.
func TestKeysThatCannotBeSentHoldNothingUp(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	a, _ := meetOver(t, w, "call_keys_broken", room.Options{}, leg.Dial{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(50)
		w.cut(math.MaxInt)
		w.back(0, 2) // the second attempt begins by giving the old connection up
		s.presses.Store(true)
		pause(200 * time.Millisecond)
		s.hangsUp()
		select {
		case <-s.ended:
		case <-time.After(8 * time.Second): // less than the library waits with a single key
			t.Error("the call goes on although the caller has hung up")
		}
	})
	if count(a, call.KindDigitSent) != 5 || count(a, call.KindReconnecting) != 1 || count(a, call.KindReconnected) != 0 {
		t.Errorf("the timeline has %v, want five keys while the connection is being restored", a.Timeline)
	}
}

// TestWhatWasLostBeforeIsCounted checks that losses are added up over two connections, because the
// server starts counting anew. A fifth of what is sent gets lost.
func TestWhatWasLostBeforeIsCounted(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	a, _ := meetOver(t, w, "call_anew_lossy", room.Options{Loss: loss.Model{Seed: 7, Share: 0.2}}, leg.Dial{}, func(s *scene) {
		comes(t, s.token).speaks(440, false)
		s.talks(250)
		w.cut(2)
		w.back(2, 2)
		s.talks(100)
		s.hangsUp()
	})
	// The losses of the last second of each connection may not have been reported. What was sent in between is lost as a whole.
	between := 500 * time.Millisecond
	for _, e := range a.Timeline {
		switch e.Kind { //nolint:exhaustive // no others
		case call.KindReconnecting:
			between -= e.At
		case call.KindReconnected:
			between += e.At
		}
	}
	most := a.Stats.Sent/4 + int64(between/leg.FrameTime)
	if count(a, call.KindReconnected) == 0 || a.Stats.RemoteLost < a.Stats.Sent/10 || a.Stats.RemoteLost > most {
		t.Errorf("of %d packets %d are said to be lost, want about a fifth; the timeline has %v", a.Stats.Sent, a.Stats.RemoteLost, kinds(a))
	}
}

// byNetwork gives our caller a network of its own to the media server.
type byNetwork struct {
	*media.Server
	*mediatest.Network
}

// Address implements room.Joiner.
func (w byNetwork) Address() string { return w.URL() }

// URL returns the address of the network's near end.
func (w byNetwork) URL() string { return w.Network.URL() }

// TestOurNetworkIsGone checks that if nothing passes between us and the media server any more, so
// that the agent seems silent, neither a caller who hangs up on that nor a call that goes on
// afterwards is evidence about the agent.
func TestOurNetworkIsGone(t *testing.T) {
	t.Parallel()
	const gone = 6 * time.Second
	for name, tt := range map[string]struct {
		back  bool
		code  call.EndCode
		fault int
	}{
		"for good":    {false, call.EndInterrupted, 0},
		"for a while": {true, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := byNetwork{server, mediatest.NewNetwork(t, server.Address())}
			a, _ := meetOver(t, w, "call_gone_"+strings.ReplaceAll(name, " ", "_"), room.Options{}, leg.Dial{}, func(s *scene) {
				comes(t, s.token).speaks(440, false)
				s.talks(100) // until the server has confirmed that it hears us
				w.Away(true)
				pause(gone)
				if tt.back {
					w.Away(false)
					s.talks(100)
				}
				s.hangsUp()
			})
			if a.EndReason.Code != tt.code || count(a, call.KindOurFault) != tt.fault {
				t.Errorf("the call ended %+v, the timeline has %v, want %q and %d faults of ours", a.EndReason, a.Timeline, tt.code, tt.fault)
			}
		})
	}
}

// TestWhatAnAgentLosesOfOursIsCounted checks that packets lost between the media server and the
// agent are counted, of which only the agent's reports tell.
func TestWhatAnAgentLosesOfOursIsCounted(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"nothing": false, "a tenth": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way := mediatest.NewNetwork(t, server.Address())
			a, _ := meet(t, "call_lossy_"+strings.ReplaceAll(name, " ", "_"), room.Options{}, leg.Dial{}, func(s *scene) {
				g := comesBy(t, way, s.token)
				if g == nil {
					return
				}
				g.speaks(440, false)
				s.talks(50)
				g.listens()
				if lost {
					way.Lossy(10)
				}
				s.talks(250)
				s.hangsUp()
			})
			if counted := a.Stats.RemoteLost > 10; a.Stats.RemoteLost < 0 || counted != lost {
				t.Errorf("of %d packets %d are said to be lost, want more than 10: %v", a.Stats.Sent, a.Stats.RemoteLost, lost)
			}
		})
	}
}

func TestAgentsConnectionIsMended(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]lksdk.SimulateScenario{"resumed": lksdk.SimulateSignalReconnect, "anew": lksdk.SimulateLeaveRequestFullReconnect} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, tape, ok := fair(t, "call_agent_"+name, room.Options{}, func(s *scene) {
				g := comes(t, s.token)
				g.speaks(440, false)
				s.talks(50)
				g.room.Simulate(how)
				pause(500 * time.Millisecond) // until it has begun
				s.talks(100)
				s.hangsUp()
			})
			talked(t, a, tape, ok, 2)
		})
	}
}

// TestGuestProcess is not a test but an agent in a process of its own.
func TestGuestProcess(t *testing.T) {
	url, token := os.Getenv("ROOM_TEST_URL"), os.Getenv("ROOM_TEST_TOKEN")
	if url == "" {
		t.Skip("it is started by other tests")
	}
	r, err := lksdk.ConnectToRoomWithToken(url, token, nil, lksdk.WithDisableRegionDiscovery())
	if err != nil {
		t.Fatal(err)
	}
	(&guest{t: t, room: r}).speaks(440, false)
	pause(time.Minute)
}

// process starts an agent in a process of its own, which can be frozen and killed.
func process(t *testing.T, token string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestGuestProcess$")
	c.Env = append(os.Environ(), "ROOM_TEST_URL="+server.URL(), "ROOM_TEST_TOKEN="+token)
	if err := c.Start(); err != nil {
		t.Fatal("the agent's process could not be started: ", err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// TestAgentDiesAndIsReplaced replaces an agent that dies without a word with another one.
func TestAgentDiesAndIsReplaced(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_dead", room.Options{}, func(s *scene) {
		c := process(t, s.token)
		s.talks(50)
		_ = c.Process.Kill()
		comes(t, s.token).speaks(660, false)
		s.talks(100)
		s.hangsUp()
	})
	talked(t, a, tape, ok, 2)
	if count(a, call.KindSourceChanged) != 1 {
		t.Errorf("the timeline has %v, want one other source", kinds(a))
	}
}

// tells sends a piece of transcription and returns once all of it has been sent. The pause gives
// each piece its own millisecond, by which pieces are ordered.
func (g *guest) tells(text string, attributes map[string]string) {
	out := make(chan struct{})
	stream := g.room.LocalParticipant.StreamText(lksdk.StreamTextOptions{Topic: "lk.transcription", Attributes: attributes})
	done := func() {
		stream.Close()
		close(out)
	}
	stream.Write(text, &done)
	<-out
	pause(2 * time.Millisecond)
}

// presses presses a telephone key.
func (g *guest) presses(key string) {
	if err := g.room.LocalParticipant.PublishDataPacket(&livekit.SipDTMF{Code: 1, Digit: key}, lksdk.WithDataPublishReliable(true)); err != nil {
		g.t.Errorf("the agent could not press a key: %v", err)
	}
}

func TestVideoIsNoVoiceAndWordsAreKept(t *testing.T) {
	t.Parallel()
	a, tape, ok := fair(t, "call_video", room.Options{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, false)
		picture := camera(t)
		go func() { // it is declared as a microphone, which every token may publish
			_, _ = g.room.LocalParticipant.PublishTrack(picture, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
		}()
		s.talks(50)
		for range 2 {
			g.tells("How can I help you?", map[string]string{"lk.transcription_final": "true"})
		}
		for _, one := range []struct{ text, segment, final string }{
			{"We", "1", "false"}, {"We are", "1", "false"}, {"We are open.", "1", "true"}, {"We are open.", "1", "false"},
			{"Is there", "2", "false"}, {"Goodbye.", "3", "true"},
		} {
			g.tells(one.text, map[string]string{"lk.transcription_final": one.final, "lk.segment_id": one.segment})
		}
		g.presses("1") // sent after all of them
		s.until(s.pressed.Load)
		s.talks(25) // each piece has a reader of its own
		s.hangsUp()
	})
	talked(t, a, tape, ok, 1.5)
	var pieces []string
	said := 0
	for _, e := range a.Timeline {
		if e.Kind == call.KindTranscript && e.Text == "How can I help you?" && e.Data["of"] == "agent" && e.Data["final"] == true {
			said++
		} else if e.Kind == call.KindTranscript {
			pieces = append(pieces, fmt.Sprint(e.Text, " ", e.Data["final"]))
		}
	}
	if want := []string{"We are open. true", "Is there false", "Goodbye. true"}; !slices.Equal(pieces, want) {
		t.Errorf("of what was said in pieces the timeline has %q, want %q", pieces, want)
	}
	if said != 2 {
		t.Errorf("the words that were said whole stand %d times, want 2, in %v", said, a.Timeline)
	}
}

// TestWordsAreCutOff checks that words that the agent is still sending when the call ends are kept
// as far as they came.
func TestWordsAreCutOff(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_cut_off", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, false)
		s.talks(25)
		out := make(chan struct{})
		stream := g.room.LocalParticipant.StreamText(lksdk.StreamTextOptions{Topic: "lk.transcription", Attributes: map[string]string{"lk.segment_id": "1"}})
		done := func() { close(out) }
		stream.Write("We are open from", &done)
		<-out
		g.presses("1") // sent after it
		s.until(s.pressed.Load)
		s.hangsUp()
	})
	for _, e := range a.Timeline {
		if e.Kind == call.KindTranscript && e.Text == "We are open from" && e.Data["final"] == false && e.At <= a.EndedAt.Sub(a.AnsweredAt) {
			return
		}
	}
	t.Errorf("the timeline has %v, want the words as far as they came", a.Timeline)
}
