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
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

const (
	// flowPatience is how long to wait for the first audio of a published microphone: many
	// agents send nothing before they speak.
	flowPatience = time.Second
	// hearPatience is how long to wait until the other side receives our audio.
	hearPatience = 2 * time.Second
	// takenPatience is how long the far end may be without a microphone after unpublishing it.
	takenPatience = 10 * time.Second
	// mendPatience is how long our own connection to the server may be interrupted.
	mendPatience = 10 * time.Second
	// lastWords is how long the end of a call is delayed for packets that are still under way:
	// the server drops those of a participant that has left.
	lastWords = 60 * time.Millisecond
)

// placing is the state of one call of Place.
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
	token, err := c.line.opts.Server.CallerToken(c.dial.Room, CallerIdentity, c.dial.AttemptID)
	if err != nil {
		return call.EndOf(call.EndRingtrueError, "no token for the room: "+err.Error())
	}
	c.meeting = newMeeting(c.line.pacer, c.line.log)
	c.meeting.lostBy = func(identity string) (int64, string, bool) { return c.line.opts.Server.LostBy(c.dial.Room, identity) }
	defer c.meeting.leave()
	mic, err := c.meeting.enter(ctx, c.line.opts.Server.Address(), token)
	if ctx.Err() != nil {
		return call.EndOf(call.EndInterrupted, "canceled")
	}
	if err != nil { // the media server may have been restarted since the agent was seen there
		return call.EndOf(call.EndInterrupted, err.Error())
	}
	voice, err := newOpus()
	if err != nil {
		return call.EndOf(call.EndRingtrueError, err.Error())
	}
	// Everything must be ready before the agent arrives, since it speaks at once.
	keys := make(chan string, 64)
	s := newStream(c.line.pacer, setup{
		party: c.party, tape: c.tape, own: leg.CallerChannel, maxDuration: c.dial.MaxDuration,
		mediaTimeout: c.line.opts.MediaTimeout, loss: c.line.opts.Loss, track: mic, codec: voice,
		pressed: queueInto(keys),
	})
	c.meeting.hearFor(s)
	if why, met := c.await(ctx); !met {
		return why
	}
	return c.converse(ctx, s, keys)
}

// enter joins the room and publishes our voice. The client library cannot interrupt either, so
// enter does not wait for it if ctx ends.
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
	rung := false
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
			return call.EndReason{}, true // a short call, but a call
		} else if rung {
			return c.missed(), false
		}
		select {
		case <-m.notify:
		case <-look.C:
		case <-ring.C:
			rung = true // an agent with a microphone is not missing, only not heard yet
		case <-ctx.Done():
			return call.EndOf(call.EndInterrupted, "canceled"), false
		}
	}
}

// missed returns the end reason for an agent that never was there to talk to. While our own connection is being restored
// nobody tells us that it came.
func (c *placing) missed() call.EndReason {
	c.meeting.mu.Lock()
	unread, broken := c.meeting.unread, c.meeting.brokenAt != 0
	c.meeting.mu.Unlock()
	if broken {
		return call.EndOf(call.EndInterrupted, "our connection to the media server was lost while the agent was waited for")
	}
	if c.attempt.RingingAt.IsZero() {
		return call.EndOf(call.EndAgentNeverCame, "nobody was in the room while the caller waited there")
	}
	if unread != "" {
		return call.EndOf(call.EndAgentNeverCame, "the agent published its microphone "+unread)
	}
	// The server does not announce a microphone whose codec it rejects, and the agent's client does not notice.
	return call.EndOf(call.EndAgentNeverCame, "the agent joined the room but published no microphone, or none in Opus")
}

// codecName returns the name of a codec without its media type, as received from others.
func codecName(mime string) string {
	_, name, _ := strings.Cut(mime, "/")
	return cmp.Or(clip(name, 20), "another codec")
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
	why := c.meeting.told(s.result.ending) // at once: a connection that is mended later on does not change it
	c.meeting.lastWords()
	c.meeting.leave() // which ends the text streams being read
	s.result.timeline = append(s.result.timeline, c.meeting.spoken(s)...)
	c.book(&s.result)
	return why
}

// queueInto returns a function that passes keys on without blocking.
func queueInto(keys chan<- string) func(string) {
	return func(k string) {
		select {
		case keys <- k:
		default:
		}
	}
}

// hold watches over a call until its end.
func (m *meeting) hold(ctx context.Context, s *stream, keys <-chan string, rejoin time.Duration) {
	look := time.NewTimer(time.Hour)
	defer look.Stop()
	canceled := ctx.Done()
	go m.press(keys, s.done)
	for {
		look.Reset(m.watch(s, rejoin))
		select {
		case <-s.done:
			m.attach(nil)
			return
		case <-m.notify:
		case <-look.C:
		case <-canceled:
			canceled = nil
			s.Halt()
		}
	}
}

// press sends telephone keys to the other side until the call is over. While our own connection is restored, the client
// library takes ten seconds to give up on each.
func (m *meeting) press(keys <-chan string, over <-chan struct{}) {
	m.mu.Lock()
	r := m.room
	m.mu.Unlock()
	for {
		select {
		case <-over:
			return
		case k := <-keys:
			for i := range len(k) {
				m.pressOne(r, k[i:i+1])
			}
		}
	}
}

func (m *meeting) pressOne(r *lksdk.Room, key string) {
	code, _ := rtp.KeyCode(key[0])
	err := r.LocalParticipant.PublishDataPacket(&livekit.SipDTMF{Code: uint32(code), Digit: key}, lksdk.WithDataPublishReliable(true))
	if err != nil {
		m.log.Debug("a key could not be sent", "error", err)
	}
}

// book records the stream's result in the attempt.
func (c *placing) book(r *result) {
	a := &c.attempt
	a.AnsweredAt, a.EndedAt = r.zero, r.zero.Add(r.length)
	a.Rate, a.Codec, a.Stats = jitter.WidebandRate, "opus", r.stats
	if a.RingingAt.After(a.AnsweredAt) {
		a.RingingAt = a.AnsweredAt // the first word may be heard, and the call begins a little before it, as soon as it rings
	}
	if !a.RingingAt.IsZero() {
		a.Timeline = append(a.Timeline, call.Event{At: a.RingingAt.Sub(a.AnsweredAt), Kind: call.KindRinging})
	}
	a.Timeline = append(a.Timeline, call.Event{Kind: call.KindAnswered})
	a.Timeline = append(a.Timeline, r.timeline...)
	by := map[string]string{byParty: "caller", byFar: "agent", byLine: "line"}[r.by]
	a.Timeline = append(a.Timeline, call.Event{At: r.length, Kind: call.KindHangUp, Data: map[string]any{"by": by}})
	slices.SortStableFunc(a.Timeline, func(x, y call.Event) int { return cmp.Compare(x.At, y.At) })
}
