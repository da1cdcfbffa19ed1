package room

import (
	"log/slog"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// TestAMicrophoneThatComesAfterOtherSoundIsHeard checks that other sound that an agent publishes
// before its voice, such as office noise, is replaced by the voice, which stays as long as it is
// there.
func TestAMicrophoneThatComesAfterOtherSoundIsHeard(t *testing.T) {
	t.Parallel()
	pacer := pace.NewPacer(time.Now, 1)
	t.Cleanup(pacer.Close)
	m := newMeeting(pacer, slog.New(slog.DiscardHandler))
	r := lksdk.NewRoom(m.callbacks(func() livekit.DisconnectReason { return 0 }))
	var tracks []*livekit.TrackInfo
	heard := func() string {
		r.OnParticipantUpdate([]*livekit.ParticipantInfo{{Sid: "PA_1", Identity: "agent", State: livekit.ParticipantInfo_ACTIVE, Tracks: tracks}})
		if !settles(20*time.Second, func() bool { m.mu.Lock(); defer m.mu.Unlock(); return len(m.offered) == len(tracks) }) || !m.choose() {
			t.Fatal("nothing is heard")
		}
		return m.chosen.SID()
	}
	source := map[string]livekit.TrackSource{"noise": livekit.TrackSource_UNKNOWN, "voice": livekit.TrackSource_MICROPHONE, "second": livekit.TrackSource_MICROPHONE}
	for _, step := range []struct {
		offered []string
		want    string
	}{
		{[]string{"noise"}, "noise"},
		{[]string{"noise", "voice"}, "voice"},
		{[]string{"noise", "voice", "second"}, "voice"},
		{[]string{"noise"}, "noise"}, // the voice has been removed
	} {
		tracks = nil
		for i, sid := range step.offered {
			tracks = append(tracks, &livekit.TrackInfo{Sid: sid, Type: livekit.TrackType_AUDIO, Source: source[sid], Version: &livekit.TimedVersion{UnixMicro: int64(i + 1)}})
		}
		if got := heard(); got != step.want {
			t.Errorf("of %v the %s is heard, want the %s", step.offered, got, step.want)
		}
	}
}
