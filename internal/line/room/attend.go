package room

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// AttendOptions say which room to join as the agent.
type AttendOptions struct {
	// URL and Token are as an agent is told them.
	URL, Token string
	// Room is the room's name; "" takes the one that the server says.
	Room string
	// Answerer decides about the call and gives the Party that takes it: CallID is the
	// room's name without its prefix, To the room and From the caller's identity.
	// A refusal leaves the room, ringing stays and publishes nothing.
	Answerer leg.Answerer
	// Pacer paces the media of many rooms together; nil makes one for this room alone.
	Pacer *pace.Pacer
	// Loss is what our packets suffer on their way out.
	Loss loss.Model
	// JoinFor is for how long joining is tried again while it fails in a way that may pass;
	// 0 tries once.
	JoinFor time.Duration
	// Log is where it logs, nil logs nothing.
	Log *slog.Logger
	// Now is the wall clock with its monotonic reading. It must be set.
	Now func() time.Time
}

// Attend joins a room as the agent, waits for the caller and returns when the call
// is over or ctx has ended. An error says that the room could not be joined.
func Attend(ctx context.Context, o AttendOptions) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pacer == nil {
		o.Pacer = pace.NewPacer(o.Now, 1)
		defer o.Pacer.Close()
	}
	m, err := o.joined(ctx)
	if err != nil {
		return err
	}
	a := &attending{AttendOptions: o, meeting: m}
	defer a.meeting.leave()
	if a.Room == "" {
		a.Room = a.meeting.room.Name()
	}
	return a.run(ctx)
}

const (
	// joinPause is the wait before a room is joined again, which grows to joinPauseMost.
	joinPause, joinPauseMost = 250 * time.Millisecond, 2 * time.Second
	// unknownFor is how long a room that is not there may still come: a media server that was
	// started anew has none until somebody looks after them.
	unknownFor = 5 * time.Second
)

// joined joins the room. A service that is being started lets nobody in yet, so it tries for a while.
func (o AttendOptions) joined(ctx context.Context) (*meeting, error) {
	begun := o.Now()
	for pause := joinPause; ; pause = min(2*pause, joinPauseMost) {
		m := newMeeting(o.Pacer, o.Log)
		err := m.join(ctx, o.URL, o.Token)
		if err == nil {
			return m, nil
		}
		if ctx.Err() != nil || o.Now().Sub(begun)+pause > o.patience(err) {
			return nil, err
		}
		if pause == joinPause {
			o.Log.WarnContext(ctx, "the room cannot be joined yet", "error", err)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		}
	}
}

// patience is for how long joining is tried that failed like this.
func (o AttendOptions) patience(err error) time.Duration {
	var why joinError
	switch _ = errors.As(err, &why); {
	case strings.HasPrefix(string(why), "unauthorized"):
		return 0
	case strings.HasPrefix(string(why), "not found"):
		return min(o.JoinFor, unknownFor)
	}
	return o.JoinFor
}

// callerBack is how long a caller that has left may take to come back: it hangs up for
// good, but a connection that is made anew leaves first.
const callerBack = 300 * time.Millisecond

// attending is one room that we are in as the agent.
type attending struct {
	AttendOptions
	meeting *meeting
}

func (a *attending) run(ctx context.Context) error {
	if !a.until(ctx, time.Hour, a.meeting.present) {
		return nil
	}
	answer := a.Answerer(ctx, leg.Incoming{
		CallID: strings.TrimPrefix(a.Room, Prefix), From: a.meeting.other(), To: a.Room,
	})
	if answer.Refuse == leg.RefuseRing {
		a.until(ctx, time.Hour, func() bool { return !a.meeting.present() })
		return nil
	}
	if answer.Refuse != leg.RefuseNot || answer.Party == nil {
		return nil
	}
	if answer.Done != nil {
		defer answer.Done()
	}
	if answer.RingFor > 0 && a.until(ctx, answer.RingFor, func() bool { return !a.meeting.present() }) {
		return nil
	}
	if ctx.Err() != nil {
		return nil
	}
	return a.converse(ctx, answer)
}

// until waits until something is so; false when the time, ctx or the room was over first.
func (a *attending) until(ctx context.Context, most time.Duration, so func() bool) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for !so() {
		if _, gone := a.meeting.lost(); gone {
			return false
		}
		select {
		case <-a.meeting.notify:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// converse publishes the agent's voice and talks until somebody hangs up.
func (a *attending) converse(ctx context.Context, answer leg.Answer) error {
	voice, err := newOpus()
	if err != nil {
		return err
	}
	mic, err := a.meeting.publish()
	if err != nil {
		return errors.New("the agent's voice could not be published")
	}
	keys := make(chan string, 64)
	s := newStream(a.Pacer, setup{
		party: answer.Party, tape: answer.Tape, own: leg.AgentChannel, loss: a.Loss, track: mic, codec: voice, pressed: queueInto(keys),
	})
	a.meeting.hearFor(s)
	// The agent begins once it is heard, so that nothing of it is lost. The server's word of that is now and then lost
	// where many calls begin at once, so it is not waited for longer than our caller waits for it.
	a.until(ctx, usualRing, a.meeting.choose)
	a.until(ctx, hearPatience, a.meeting.isHeard)
	a.meeting.attach(s)
	s.start()
	a.meeting.hold(ctx, s, keys, callerBack)
	a.meeting.lastWords()
	return nil
}
