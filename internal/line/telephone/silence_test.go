package telephone

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// quietParty says and hears nothing.
type quietParty struct{}

func (quietParty) Begin(int)               {}
func (quietParty) Step(_, _ *leg.Frame)    {}
func (quietParty) End(time.Duration, bool) {}

// TestOnlySilenceThatWasListenedToCounts stops a process for longer than audio may be missing: what
// the far end said meanwhile was lost here, and is not its silence.
func TestOnlySilenceThatWasListenedToCounts(t *testing.T) {
	t.Parallel()
	const timeout = 10 * time.Second
	e := newEars()
	e.setup.MediaTimeout, e.setup.SendOff = timeout, true
	e.starts(t, quietParty{}, 0)
	e.setup.SendOff = false
	at := time.Duration(0)
	run := func(until time.Duration) (over bool) {
		for ; at < until && !over; at += leg.FrameTime {
			over = e.tick(int64(at))
		}
		return over
	}
	if run(time.Second) {
		t.Fatal("the call ended in its first second")
	}
	at += 30 * time.Second // the process did not run
	from := at
	if run(from + timeout - 2*time.Second) {
		t.Fatalf("the call ended %v after the stop", at-from)
	}
	if lasted := int64(at/leg.FrameTime) * frameSize; e.tape.Written(e.setup.OwnChannel) < lasted-g711.Rate || e.own.gone > 0 {
		t.Errorf("%d samples of our silence are recorded of %d; %d frames are called lost", e.tape.Written(e.setup.OwnChannel), lasted, e.own.gone)
	}
	if !run(from+timeout+time.Second) || e.Stream.result.Cause != MediaLost {
		t.Errorf("%v of silence later the call still goes on: %v", at-from, e.Stream.result.Cause)
	}
}

// TestWhileOnHoldSilenceIsRecorded checks that our side of the recording is complete although the
// far end, which has put the call on hold, does not want to hear us.
func TestWhileOnHoldSilenceIsRecorded(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.starts(t, &talker{}, 0)
	for n := range int64(150) {
		e.setup.SendOff = n >= 50 && n < 100
		e.tick(n * frameNS)
	}
	pcm := e.tape.Channel(e.setup.OwnChannel)
	if written := e.tape.Written(e.setup.OwnChannel); written != 150*frameSize {
		t.Errorf("%d samples of %d are recorded", written, 150*frameSize)
	}
	loud := func(v int16) bool { return v > 100 || v < -100 }
	if first := slices.IndexFunc(pcm[50*frameSize:100*frameSize], loud); first >= 0 || !slices.ContainsFunc(pcm[100*frameSize:], loud) {
		t.Errorf("what nobody heard is recorded at %d", first)
	}
	if e.own.gone > 0 {
		t.Errorf("%d frames are called lost", e.own.gone)
	}
}

// nowhere is a socket that discards everything.
type nowhere struct{ socket }

func (nowhere) Send([]byte, netip.AddrPort)        {}
func (nowhere) SendControl([]byte, netip.AddrPort) {}
func (nowhere) Settle(netip.AddrPort)              {}
func (nowhere) Loosen()                            {}

// TestAFarEndThatSaysThatItSendsNothing checks that no audio is missed while the far end declares
// that it sends none, and that it is missed again once that has been revoked.
func TestAFarEndThatSaysThatItSendsNothing(t *testing.T) {
	t.Parallel()
	const timeout = 10 * time.Second
	e := newEars()
	e.setup.MediaTimeout, e.setup.Mute = timeout, true
	e.starts(t, quietParty{}, 0)
	at := time.Duration(0)
	run := func(until time.Duration) (over bool) {
		for ; at < until && !over; at += leg.FrameTime {
			over = e.tick(int64(at))
		}
		return over
	}
	if run(30 * time.Second) {
		t.Fatalf("the call ended after %v: %v", at, e.Stream.result.Cause)
	}
	speaks := e.setup
	speaks.Mute = false
	e.Retarget(speaks)
	if run(39 * time.Second) {
		t.Errorf("the call ended %v after the far end wanted to speak", at-30*time.Second)
	}
	if !run(42*time.Second) || e.Stream.result.Cause != MediaLost {
		t.Errorf("the call goes on: %v", e.Stream.result.Cause)
	}
}

// counting counts the reports sent.
type counting struct {
	nowhere

	reports *int
}

func (c counting) SendControl([]byte, netip.AddrPort) { *c.reports++ }

// TestReportsGoWhereTheFarEndWantsThem checks that a new address for reports is used even if
// nothing else has changed.
func TestReportsGoWhereTheFarEndWantsThem(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.setup.Remote, e.setup.Control = e.from, netip.MustParseAddrPort("127.0.0.1:4001")
	e.control = e.setup.Control
	to := e.setup
	to.Control = netip.MustParseAddrPort("127.0.0.1:4999")
	e.follow(&to)
	if e.control != to.Control || e.remote != e.from || !e.sawRemote {
		t.Errorf("reports go to %s, sound to %s", e.control, e.remote)
	}
}

// TestNoReportsGoToNobody checks that no report is sent if the far end holds the call in the old
// way, with an unspecified address.
func TestNoReportsGoToNobody(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]int{"0.0.0.0:4001": 0, "[::]:4001": 0, "127.0.0.1:4001": 1} {
		e, reports := newEars(), 0
		e.open(t)
		e.own.init(e.Stream, e.setup)
		e.sock, e.control = counting{reports: &reports}, netip.MustParseAddrPort(addr)
		e.sendReport(int64(time.Second))
		if reports != want {
			t.Errorf("%d reports went to %s, want %d", reports, addr, want)
		}
	}
}
