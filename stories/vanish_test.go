package stories

import (
	"math"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	webrtcmedia "github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
)

// vanishItems are callers that have patience: three that would wait for minutes, and
// two that hang up before the media server misses anybody.
const vanishItems = `{"key": "killed", "input": {"limits": {"max_silence_ms": 120000}, "script": ["wait_for_agent", {"stay_silent_ms": 60000}, "hang_up"]}}
{"key": "frozen", "input": {"limits": {"max_silence_ms": 120000}, "script": ["wait_for_agent", {"stay_silent_ms": 60000}, "hang_up"]}}
{"key": "cut off", "input": {"limits": {"max_silence_ms": 120000}, "script": ["wait_for_agent", {"stay_silent_ms": 60000}, "hang_up"]}}
{"key": "frozen before the caller hangs up", "input": {"script": ["wait_for_agent", {"stay_silent_ms": 18000}, "hang_up"]}}
{"key": "silent and well", "input": {"script": ["wait_for_agent", {"stay_silent_ms": 18000}, "hang_up"]}}
`

// TestAgentsVanish lets agents disappear in mid-call in every way there is, beside one
// that merely has nothing to say: their calls end and blame nobody, and neither rooms nor
// participants are left at the media server, though some of the processes still live.
func TestAgentsVanish(t *testing.T) {
	t.Parallel()
	w := roomAgents(t)
	w.startRooms(t, vanishItems)
	made, err := w.api.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: w.dataset})
	must(t, err)
	network := mediatest.NewNetwork(t, "ws://"+w.media)
	far := made.Rooms[2]
	far.URL = network.URL()
	killed, frozen, _, early := w.join(t, made.Rooms[0]), w.join(t, made.Rooms[1]), w.join(t, far), w.join(t, made.Rooms[3])
	well := falls(t, made.Rooms[4])
	w.waitFor(t, made, "the call of the fourth is on the line", func(calls []client.Call) bool { return calls[3].Status == "IN_PROGRESS" })
	time.Sleep(3 * time.Second) // it has greeted
	stop(t, early)
	w.waitFor(t, made, "five calls are on the line", func(calls []client.Call) bool { return count(calls, "IN_PROGRESS") == 5 })
	time.Sleep(3 * time.Second)
	gone := time.Now()
	must(t, killed.Process.Kill())
	stop(t, frozen)
	network.Away(true)
	well.Store(true)
	w.waitFor(t, made, "every call is over", func(calls []client.Call) bool { return count(calls, "ENDED") == 5 })
	t.Logf("the last call was over %v after the agents were gone", time.Since(gone))
	for i, room := range made.Rooms {
		c, err := w.api.Call(t.Context(), strings.TrimPrefix(room.RoomName, "ringtrue-"))
		must(t, err)
		code, blame, unreachable, left := "media_lost", "line", 1, 1
		switch i {
		case 3:
			left = 0
		case 4:
			code, blame, unreachable, left = "completed", "nobody", 0, 0
		}
		if word(c.EndReason.Code) != code || word(c.EndReason.Blame) != blame || happenings(c, "agent_unreachable") != unreachable || happenings(c, "agent_left") != left {
			t.Errorf("call %d ended %s (%s), blaming %s: %+v", i, word(c.EndReason.Code), word(c.EndReason.Detail), word(c.EndReason.Blame), c.Timeline)
		}
		if over := time.UnixMilli(*c.EndedAt).Sub(gone); i < 3 && (over < 10*time.Second || over > time.Minute) {
			t.Errorf("call %d was over %v after its agent was gone", i, over)
		}
	}
	w.checkNoRooms(t)
	// Who comes to life again finds no room, and makes none.
	must(t, frozen.Process.Signal(syscall.SIGCONT))
	must(t, early.Process.Signal(syscall.SIGCONT))
	network.Away(false)
	time.Sleep(2 * time.Second)
	w.checkNoRooms(t)
}

func stop(t *testing.T, c *exec.Cmd) {
	t.Helper()
	must(t, c.Process.Signal(syscall.SIGSTOP))
}

func happenings(c client.Call, kind string) (n int) {
	for _, h := range c.Timeline {
		if h.Kind == kind {
			n++
		}
	}
	return n
}

// falls is an agent of this process that gives a tone until it falls silent: then it
// sends nothing at all, as many do that have nothing to say.
func falls(t *testing.T, room client.MediaRoom) (silent *atomic.Bool) {
	t.Helper()
	silent = &atomic.Bool{}
	agent, err := lksdk.ConnectToRoomWithToken(room.URL, room.Token, nil, lksdk.WithDisableRegionDiscovery())
	must(t, err)
	t.Cleanup(agent.Disconnect)
	track, err := webrtc.NewTrackLocalStaticSample(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}, "voice", "agent")
	must(t, err)
	_, err = agent.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	must(t, err)
	encoder, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 16000, Channels: 1, Application: gopus.ApplicationVoIP})
	must(t, err)
	go func() {
		clock := time.NewTicker(20 * time.Millisecond)
		defer clock.Stop()
		for n := 0; t.Context().Err() == nil; n++ {
			<-clock.C
			if silent.Load() {
				continue
			}
			pcm := make([]int16, 320)
			for i := range pcm {
				pcm[i] = int16(6000 * math.Sin(2*math.Pi*800*float64(320*n+i)/16000))
			}
			opus, err := encoder.EncodeInt16Slice(pcm)
			if err != nil {
				return
			}
			_ = track.WriteSample(webrtcmedia.Sample{Data: opus, Duration: 20 * time.Millisecond})
		}
	}()
	return silent
}
