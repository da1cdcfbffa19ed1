package room

import (
	"log/slog"
	"testing"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// An agent that publishes its microphone in the last moment has come: the time it takes until both sides hear
// each other is not its own.
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
