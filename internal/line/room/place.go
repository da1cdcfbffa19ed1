package room

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line"
)

const (
	// flowPatience is how long we wait for the first sound of a microphone that is
	// published: many agents send nothing before they speak.
	flowPatience = time.Second
	// hearPatience is how long we wait for the other side to take our sound.
	hearPatience = 2 * time.Second
	// takenPatience is how long a far end may be without the microphone that we heard.
	takenPatience = 10 * time.Second
	// mendPatience is how long our own connection to the server may be away.
	mendPatience = 10 * time.Second
	// lastWords is how long the end of a call waits for packets that are still under way:
	// the server takes no more of them from somebody who has left.
	lastWords = 60 * time.Millisecond
)

// placing is one call on its way.
type placing struct {
	line    *Line
	dial    leg.Dial
	party   leg.Party
	tape    *leg.Tape
	meeting *meeting
	attempt call.Attempt
}

func (c *placing) state(s leg.State) {
	if c.dial.OnState != nil {
		c.dial.OnState(s)
	}
}

func (c *placing) run(ctx context.Context) call.EndReason {
	if c.dial.Room == "" {
		return call.EndOf(call.EndConfiguration, "the call names no room").Blaming(call.BlameRingtrue)
	}
	token, err := c.line.opts.Server.CallerToken(c.dial.Room, CallerIdentity)
	if err != nil {
		return call.EndOf(call.EndRingtrueError, "no token for the room: "+err.Error())
	}
	c.meeting = newMeeting(c.line.pacer, c.line.log)
	defer c.meeting.leave()
	mic, err := c.meeting.enter(ctx, c.line.opts.Server.Address(), token)
	if ctx.Err() != nil {
		return call.EndOf(call.EndInterrupted, "canceled")
	}
	if err != nil {
		return call.EndOf(call.EndRingtrueError, err.Error())
	}
	voice, err := newOpus()
	if err != nil {
		return call.EndOf(call.EndRingtrueError, err.Error())
	}
	// Everything is ready by the time the agent is there: it speaks at once.
	keys := make(chan string, 64)
	s := newStream(c.line.pacer, setup{
		party: c.party, tape: c.tape, own: leg.CallerChannel, maxDuration: c.dial.MaxDuration,
		mediaTimeout: c.line.opts.MediaTimeout, loss: c.line.opts.Loss, track: mic, codec: voice,
		pressed: queueInto(keys),
	})
	if why, met := c.await(ctx); !met {
		return why
	}
	return c.converse(ctx, s, keys)
}

// enter joins the room and publishes our voice. The client library does not let go of
// either before its time, so that we do not wait for it when ctx ends.
func (m *meeting) enter(ctx context.Context, url, token string) (*lksdk.LocalTrack, error) {
	var mic *lksdk.LocalTrack
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		var err error
		if err = m.join(ctx, url, token); err != nil {
			failed = errors.New("the room could not be joined: " + err.Error())
		} else if mic, err = m.publish(); err != nil {
			failed = errors.New("our voice could not be published: " + err.Error())
		}
	}()
	select {
	case <-done:
		return mic, failed
	case <-ctx.Done():
		go func() {
			<-done
			m.leave()
		}()
		return nil, ctx.Err()
	}
}

// await waits until the agent's microphone is there and both sides hear each other.
func (c *placing) await(ctx context.Context) (call.EndReason, bool) {
	patience := c.dial.RingTimeout
	if patience <= 0 {
		patience = usualRing
	}
	ring := time.NewTimer(patience)
	defer ring.Stop()
	m := c.meeting
	look := time.NewTimer(time.Hour)
	defer look.Stop()
	for {
		if c.attempt.RingingAt.IsZero() && m.present() {
			c.attempt.RingingAt = c.line.opts.Now()
			c.state(leg.Ringing)
		}
		if why, gone := m.lost(); gone {
			return why.why, false
		}
		if m.choose() {
			wait := m.connecting()
			if wait <= 0 {
				return call.EndReason{}, true
			}
			look.Reset(wait)
		} else if m.cameAndWent() {
			return call.EndReason{}, true // it is a short call, but one
		}
		select {
		case <-m.notify:
		case <-look.C:
		case <-ring.C:
			return c.missed(), false
		case <-ctx.Done():
			return call.EndOf(call.EndInterrupted, "canceled"), false
		}
	}
}

// cameAndWent says that the agent's microphone was there, and that the agent has left.
func (m *meeting) cameAndWent() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left && m.chosenOf != ""
}

// missed says what an agent did that never was there to talk to.
func (c *placing) missed() call.EndReason {
	if c.attempt.RingingAt.IsZero() {
		return call.EndOf(call.EndAgentNeverCame, "nobody joined the room")
	}
	return call.EndOf(call.EndAgentNeverCame, "the agent joined the room but published no microphone")
}

// connecting is how long it may still take until both sides hear each other; 0 when they do.
func (m *meeting) connecting() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	since := time.Duration(m.pacer.Clock() - m.chosenAt)
	var wait time.Duration
	if !m.flows {
		wait = flowPatience - since
	}
	if !m.heardUs {
		wait = max(wait, hearPatience-since)
	}
	return max(wait, 0)
}

// converse runs the call to its end.
func (c *placing) converse(ctx context.Context, s *stream, keys <-chan string) call.EndReason {
	c.meeting.attach(s)
	s.start()
	c.state(leg.Answered)
	if c.dial.OnAnswered != nil {
		c.dial.OnAnswered(c.dial.Room)
	}
	c.meeting.hold(ctx, s, keys, c.line.opts.Rejoin)
	c.meeting.lastWords()
	c.book(&s.result)
	return c.meeting.told(s.result.ending)
}

// told is why a call ended, in the light of what was known of the agent: what its silence
// led to says nothing about an agent that was cut off.
func (m *meeting) told(e ending) call.EndReason {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unreachable && (e.by == byParty || e.why.Code == call.EndMaxDuration) {
		return call.EndOf(call.EndMediaLost, "the agent's connection was lost before the call ended")
	}
	return e.why
}

// queueInto passes keys on without waiting.
func queueInto(keys chan<- string) func(string) {
	return func(k string) {
		select {
		case keys <- k:
		default:
		}
	}
}

// hold sees a call to its end.
func (m *meeting) hold(ctx context.Context, s *stream, keys <-chan string, rejoin time.Duration) {
	look := time.NewTimer(time.Hour)
	defer look.Stop()
	canceled := ctx.Done()
	for {
		look.Reset(m.watch(s, rejoin))
		select {
		case <-s.done:
			m.attach(nil)
			return
		case <-m.notify:
		case <-look.C:
		case k := <-keys:
			m.press(k)
		case <-canceled:
			canceled = nil
			s.Halt()
		}
	}
}

// lastWords waits until what we said last has come to those who are still there.
func (m *meeting) lastWords() {
	if !m.present() {
		return
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	<-timer.C
}

// watch looks at who is there, ends the stream when nobody will be, and says when to look again.
func (m *meeting) watch(s *stream, rejoin time.Duration) time.Duration {
	if e, gone := m.lost(); gone {
		s.stop(e)
		return time.Hour
	}
	if m.choose() {
		return time.Second
	}
	e, wait := m.absence(rejoin)
	if wait <= 0 {
		m.note(s, e)
		s.stop(e)
		return time.Hour
	}
	return min(wait, time.Second)
}

// note writes down that the far end is gone if nothing has said so before.
func (m *meeting) note(s *stream, e ending) {
	m.mu.Lock()
	told := m.left
	m.left = true
	m.mu.Unlock()
	if !told {
		s.without(e.why.Detail)
	}
}

// absence is how long the far end, which has left, may still take to come back, and
// what it means when it does not. A far end that is there with its microphone is silent for as
// long as it likes; one that has taken it away is gone after a while, all the more as the
// server's word of its leaving is now and then lost.
func (m *meeting) absence(rejoin time.Duration) (ending, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.left {
		if m.takenAt == 0 || m.brokenAt != 0 {
			return ending{}, time.Hour
		}
		return ending{call.EndOf(call.EndAgentHungUp, "the agent took its microphone away"), byFar},
			takenPatience - time.Duration(m.pacer.Clock()-m.takenAt)
	}
	patience, why := usualRejoin, call.EndOf(call.EndAgentHungUp, "the agent left the room")
	if cut(m.leftWhy) {
		patience = lostRejoin
		why = call.EndOf(call.EndMediaLost, "the agent's connection was lost ("+strings.ToLower(m.leftWhy.String())+")")
	}
	if rejoin > 0 {
		patience = rejoin
	}
	by := byFar
	if why.Code == call.EndMediaLost {
		by = byLine
	}
	return ending{why, by}, patience - time.Duration(m.pacer.Clock()-m.leftAt)
}

// cut says whether somebody was lost without wanting to go.
func cut(why livekit.DisconnectReason) bool {
	return slices.Contains([]livekit.DisconnectReason{
		livekit.DisconnectReason_SIGNAL_CLOSE, livekit.DisconnectReason_STATE_MISMATCH, livekit.DisconnectReason_JOIN_FAILURE,
		livekit.DisconnectReason_CONNECTION_TIMEOUT, livekit.DisconnectReason_MEDIA_FAILURE,
	}, why)
}

// lost says whether our own connection is over, and what that means for the call.
func (m *meeting) lost() (ending, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if broken := m.brokenAt; !m.gone && (broken == 0 || m.pacer.Clock()-broken < int64(mendPatience)) {
		return ending{}, false
	}
	said := strings.ToLower(m.goneWhy.String())
	switch m.goneWhy { //nolint:exhaustive // all others are said as they are
	case livekit.DisconnectReason_ROOM_DELETED, livekit.DisconnectReason_ROOM_CLOSED:
		return ending{call.EndOf(call.EndAgentHungUp, "the room was closed"), byFar}, true
	case livekit.DisconnectReason_PARTICIPANT_REMOVED:
		return ending{call.EndOf(call.EndAgentHungUp, "our caller was removed from the room"), byFar}, true
	case livekit.DisconnectReason_DUPLICATE_IDENTITY:
		return ending{call.EndOf(call.EndInterrupted, "another caller of ours took the room"), byLine}, true
	case livekit.DisconnectReason_SERVER_SHUTDOWN:
		return ending{call.EndOf(call.EndInterrupted, "the media server stopped"), byLine}, true
	}
	return ending{call.EndOf(call.EndRingtrueError, "the connection to the media server was lost ("+said+")"), byLine}, true
}

// press sends keys of the telephone to the other side.
func (m *meeting) press(keys string) {
	m.mu.Lock()
	r := m.room
	m.mu.Unlock()
	for i := range len(keys) {
		code, _ := keyCode(keys[i])
		err := r.LocalParticipant.PublishDataPacket(&livekit.SipDTMF{Code: code, Digit: keys[i : i+1]}, lksdk.WithDataPublishReliable(true))
		if err != nil {
			m.log.Debug("a key could not be sent", "error", err)
		}
	}
}

// book writes what the stream found into the attempt.
func (c *placing) book(r *result) {
	a := &c.attempt
	a.AnsweredAt, a.EndedAt = r.zero, r.zero.Add(r.length)
	a.Rate, a.Codec, a.Stats = line.WidebandRate, "opus", r.stats
	if !a.RingingAt.IsZero() {
		a.Timeline = append(a.Timeline, call.Event{At: min(a.RingingAt.Sub(a.AnsweredAt), 0), Kind: call.KindRinging})
	}
	a.Timeline = append(a.Timeline, call.Event{Kind: call.KindAnswered})
	a.Timeline = append(a.Timeline, r.timeline...)
	by := map[string]string{byParty: "caller", byFar: "agent", byLine: "line"}[r.by]
	a.Timeline = append(a.Timeline, call.Event{At: r.length, Kind: call.KindHangUp, Data: map[string]any{"by": by}})
	slices.SortStableFunc(a.Timeline, func(x, y call.Event) int { return cmp.Compare(x.At, y.At) })
}
