package room

import (
	"log/slog"
	"testing"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// TestAMicrophoneInTheLastMomentIsNotMissing checks that an agent that publishes its microphone in
// the last moment counts as having come: the time until both sides hear each other is not its
// fault.
func TestAMicrophoneInTheLastMomentIsNotMissing(t *testing.T) {
	t.Parallel()
	pacer := pace.NewPacer(time.Now, 1)
	t.Cleanup(pacer.Close)
	m := newMeeting(pacer, slog.New(slog.DiscardHandler))
	m.flows, m.chosen = true, &lksdk.RemoteTrackPublication{}
	m.chosenAt = pacer.Clock() - int64(hearPatience-200*time.Millisecond)
	c := &placing{line: &Line{opts: Options{Now: time.Now}}, dial: leg.Dial{RingTimeout: 20 * time.Millisecond}, meeting: m}
	if why, met := c.await(t.Context()); !met {
		t.Errorf("the call ended %+v", why)
	}
	m.chosen, m.offered = nil, nil
	if why, met := c.await(t.Context()); met || why.Code == "" {
		t.Errorf("without a microphone: %+v", why)
	}
}

// TestWhatIsNoMicrophoneComesLast checks that a track not declared as a microphone, which may be
// the noise behind the voice, is only heard if there is nothing else.
func TestWhatIsNoMicrophoneComesLast(t *testing.T) {
	t.Parallel()
	noise, first, second := offer{sid: "noise", rank: 1, since: 1}, offer{sid: "first", since: 2}, offer{sid: "second", since: 3}
	for want, offered := range map[string][]offer{
		"first": {second, noise, first}, "second": {noise, second}, "noise": {noise},
	} {
		if got := (&meeting{offered: offered}).foremost().sid; got != want {
			t.Errorf("the %s is heard, want the %s", got, want)
		}
	}
}
