package foreign

import (
	"cmp"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// calledCase is a call of ours to a sipp that answers as the steps say.
type calledCase struct {
	steps []step
	echo  bool
	// sounds are the files that steps play; silence is how long a pause in the RTP may be.
	sounds  map[string][]byte
	silence time.Duration
	ring    time.Duration
	party   talker
	trunk   func(*sip.Trunk)
	code    call.EndCode
	blame   call.Blame
	words   []string
	// check examines the attempt and what sipp saw, sound the recording of a call for which the
	// machine had time.
	check func(*testing.T, call.Attempt, *sipp, *leg.Tape)
	sound func(*testing.T, *leg.Tape)
}

// run places the call, and repeats it if its audio matters and the machine was too busy.
func (c *calledCase) run(t *testing.T, transport sip.Transport) {
	t.Helper()
	if c.sound == nil {
		c.once(t, transport)
		return
	}
	var tape *leg.Tape
	if linetest.Fairly(t, func(m *linetest.Machine) string {
		var a call.Attempt
		a, tape = c.once(t, transport)
		return cmp.Or(starved(a), m.Stalled(longStall))
	}) {
		c.sound(t, tape)
	}
}

func (c *calledCase) once(t *testing.T, transport sip.Transport) (call.Attempt, *leg.Tape) {
	t.Helper()
	p := start(t, setting{transport: transport, echo: c.echo, sounds: c.sounds}, c.steps...)
	trunk := p.trunk()
	if c.trunk != nil {
		c.trunk(&trunk)
	}
	d := dial()
	if c.ring > 0 {
		d.RingTimeout = c.ring
	}
	party := c.party
	tape := leg.NewTape(time.Minute)
	l := lineTo(t, trunk, func(o *sip.Options) { o.MediaTimeout = c.silence })
	a := l.Place(t.Context(), d, &party, tape)
	p.finish()
	ended(t, a, c.code, c.blame, c.words...)
	if c.check != nil {
		c.check(t, a, p, tape)
	}
	return a, tape
}

// hangsUp returns the steps that follow when our caller hangs up.
func hangsUp() []step { return []step{recv("BYE"), ok(), wait(100 * time.Millisecond)} }

func steps(all ...any) []step {
	var out []step
	for _, s := range all {
		switch s := s.(type) {
		case step:
			out = append(out, s)
		case []step:
			out = append(out, s...)
		}
	}
	return out
}

// brief returns a caller that says nothing and soon hangs up.
func brief() talker { return talker{hangUpAt: 300 * time.Millisecond} }

func TestCallsToSIPp(t *testing.T) {
	t.Parallel()
	for name, c := range calledCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			transports(t, func(t *testing.T, transport sip.Transport) {
				t.Helper()
				c.run(t, transport)
			})
		})
	}
}
