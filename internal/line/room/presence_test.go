package room

import (
	"log/slog"
	"testing"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// TestAMicrophoneInTheLastMomentIsNotMissing checks that an agent that publishes its microphone in
// the last moment counts as having come: the time until both sides hear each other is not its
// fault. Nor is it when our own connection is lost in the last moment, and nobody is seen to come.
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
	if why, met := c.await(t.Context()); met || why.Code != call.EndAgentNeverCame {
		t.Errorf("without a microphone: %+v", why)
	}
	m.brokenAt = pacer.Clock()
	if why, met := c.await(t.Context()); met || why.Code != call.EndInterrupted {
		t.Errorf("without a connection over which one could be seen: %+v", why)
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

// timed returns a meeting in a call that has just begun, and a function that lets time pass.
func timed(t *testing.T) (m *meeting, pass func(time.Duration)) {
	t.Helper()
	now := time.Unix(1000, 0)
	pacer := pace.NewPacer(func() time.Time { return now }, 1)
	t.Cleanup(pacer.Close)
	m = newMeeting(pacer, slog.New(slog.DiscardHandler))
	now = now.Add(time.Minute)
	m.attach(newStream(pacer, setup{}))
	return m, func(d time.Duration) { now = now.Add(d) }
}

// TestSilenceIsTheAgentsOnlyWhileTheServerHearsUs checks who is to blame for a call that the caller ends: while the server
// is not known to hear us, the agent cannot be heard either. A server that is killed breaks our connection at once, and the
// call may end before, or long after, its first report on our audio.
func TestSilenceIsTheAgentsOnlyWhileTheServerHearsUs(t *testing.T) {
	t.Parallel()
	second := time.Second
	for name, tt := range map[string]struct {
		reports int           // one a second, from the beginning on
		broken  bool          // our connection is being restored since the last report, or the beginning
		during  int           // reports that come nonetheless
		then    time.Duration // how long the call still lasts
		code    call.EndCode
	}{
		"all is well":                                {3, false, 0, second, ""},
		"no report has come yet":                     {0, false, 0, 4 * second, ""},
		"no report ever came":                        {0, false, 0, 6 * second, call.EndInterrupted},
		"no report comes any more":                   {3, false, 0, 6 * second, call.EndInterrupted},
		"the server was killed before its first":     {0, true, 0, 2 * second, call.EndInterrupted},
		"the server was killed":                      {3, true, 0, 2 * second, call.EndInterrupted},
		"only the signalling broke off":              {3, true, 8, second, ""},
		"only the signalling broke off, just before": {3, true, 0, second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, pass := timed(t)
			for range tt.reports {
				pass(second)
				m.reported()
			}
			if tt.broken {
				m.mending(true)
			}
			for range tt.during {
				pass(second)
				m.reported()
			}
			pass(tt.then)
			if got := m.told(ending{by: byParty}); got.Code != tt.code {
				t.Errorf("the call ended %+v, want %q", got, tt.code)
			}
		})
	}
}

// TestAnAgentThatIsGoneAfterOurConnectionBrokeIsNotToBlame checks how a call ends whose agent's track has ended, and of whose
// leaving the server said nothing: when our own connection was restored since, as after the server was killed, nobody knows
// that the agent left.
func TestAnAgentThatIsGoneAfterOurConnectionBrokeIsNotToBlame(t *testing.T) {
	t.Parallel()
	const outage = 3 * time.Second
	for name, tt := range map[string]struct {
		broken, later bool // our connection broke with the track, or long before it ended
		code          call.EndCode
	}{
		"it ended with our connection":           {true, false, call.EndInterrupted},
		"our connection is well":                 {false, false, call.EndAgentHungUp},
		"our connection is well again, for long": {true, true, call.EndAgentHungUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, pass := timed(t)
			mic := &lksdk.RemoteTrackPublication{}
			m.chosen, m.chosenOf, m.readings, m.others["agent"] = mic, "agent", 1, "session"
			m.offered = []offer{{pub: mic, identity: "agent", session: "session"}}
			pass(time.Second)
			ended := m.pacer.Clock()
			if tt.broken {
				m.brokenAt = ended
				pass(outage)
				m.brokenAt, m.mendedAt = 0, m.pacer.Clock()
				pass(mendPatience)
			}
			if tt.later {
				pass(time.Minute)
				ended = m.pacer.Clock()
				pass(unexplained)
			}
			m.trackOver(mic, 1, ended)
			pass(lostRejoin)
			if end, wait := m.absence(0); end.why.Code != tt.code || wait > 0 {
				t.Errorf("the call ends %+v in %v, want %s now", end.why, wait, tt.code)
			}
		})
	}
}
