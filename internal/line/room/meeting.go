package room

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// joinPatience bounds how long the media server may take to let us in.
const joinPatience = 10 * time.Second

// The client library calls us with locks of its own held, and takes them when we
// call it: so nothing of it is called while the meeting's own lock is held.

// meeting is our presence in a room: who else is there, whose microphone we hear and
// whether we are heard. What the client library tells from its own threads is
// written down here, and whoever runs the call is woken.
type meeting struct {
	log    *slog.Logger
	pacer  *pace.Pacer
	notify chan struct{}
	// lostBy is how many of our packets somebody has lost in its present stay, by its own count; nil when nobody can be asked.
	lostBy func(identity string) (lost int64, stay string, known bool)
	// listening is held by whoever counts those who read what is told.
	listening sync.Mutex

	mu     sync.Mutex
	room   *lksdk.Room
	stream *stream
	ear    *stream // where sound goes, which comes before there is a call

	others map[string]string // their sessions by identity
	// departed are the sessions that have left: what is told of them afterwards is old.
	departed map[string]bool
	offered  []offer // microphones that are published
	unread   string  // how one is published that we cannot read
	chosen   *lksdk.RemoteTrackPublication
	chosenOf string
	chosenAt int64
	// makeshift says that the chosen one is no microphone.
	makeshift bool
	source    uint32
	// sourceRead is the source whose track was read last.
	sourceRead uint32
	flows      bool // sound of the chosen one has come
	readings   int  // how many tracks have been read
	heardUs    bool // somebody takes our sound
	off        bool // the stream was told that the microphone is switched off
	// unreachable says that the media server hears nothing of the chosen one any more.
	unreachable bool
	left        bool
	leftAt      int64
	leftWhy     livekit.DisconnectReason
	takenAt     int64 // when the chosen microphone was taken away, 0 while there is one
	gone        bool  // our own connection is over
	leaving     bool  // because we leave
	goneWhy     livekit.DisconnectReason
	messages    int
	answered    bool // the call has begun: what is said from now on is of it
	readers     int  // how many read what is being told
	transcripts transcripts
	reportedAt  int64 // when the server last said how it hears us, 0 when it never did
	brokenAt    int64 // since when our own connection is being mended, 0 when it is whole
	mendedAt    int64 // when it was mended, 0 when it never had to be
}

func newMeeting(pacer *pace.Pacer, log *slog.Logger) *meeting {
	return &meeting{log: log, pacer: pacer, notify: make(chan struct{}, 1), others: map[string]string{}, departed: map[string]bool{}, transcripts: transcripts{segments: map[segment]*words{}}}
}

// change writes something down and wakes whoever runs the call.
func (m *meeting) change(f func()) {
	m.mu.Lock()
	f()
	m.mu.Unlock()
	select {
	case m.notify <- struct{}{}:
	default:
	}
}

// join enters the room. The token stands in no error.
func (m *meeting) join(ctx context.Context, url, token string) error {
	var r *lksdk.Room
	r = lksdk.NewRoom(m.callbacks(func() livekit.DisconnectReason { return r.DisconnectReason() }))
	guard(r)
	m.listen(r)
	err := r.JoinWithContextAndToken(ctx, url, token, lksdk.WithDisableRegionDiscovery(),
		lksdk.WithAutoSubscribe(false), lksdk.WithConnectTimeout(joinPatience))
	if err != nil {
		r.Disconnect()
		return joinError(strings.ReplaceAll(err.Error(), token, "(token)"))
	}
	there := r.GetRemoteParticipants()
	m.change(func() { m.room = r })
	for _, p := range there {
		m.came(p)
	}
	return nil
}

// joinError says why a room could not be joined.
type joinError string

func (e joinError) Error() string { return string(e) }

// publish publishes our voice.
func (m *meeting) publish() (*lksdk.LocalTrack, error) {
	t, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: opusClock, Channels: 2},
		lksdk.WithRTCPHandler(m.report))
	if err != nil {
		return nil, err
	}
	_, err = m.room.LocalParticipant.PublishTrack(t, &lksdk.TrackPublicationOptions{
		Name: "microphone", Source: livekit.TrackSource_MICROPHONE, DisableDTX: true,
	})
	return t, err
}

// leavePatience bounds the wait until the server has been told that we leave.
const leavePatience = 3 * time.Second

// leave leaves the room, once.
func (m *meeting) leave() {
	m.mu.Lock()
	r, already := m.room, m.leaving
	m.leaving = already || r != nil
	m.mu.Unlock()
	if r == nil || already {
		return
	}
	left := make(chan struct{})
	go func() {
		r.Disconnect()
		close(left)
	}()
	timer := time.NewTimer(leavePatience)
	defer timer.Stop()
	select {
	case <-left:
	case <-timer.C:
	}
}

// hearFor says where sound goes from now on, while there is no call yet.
func (m *meeting) hearFor(s *stream) {
	m.mu.Lock()
	m.ear = s
	m.mu.Unlock()
}

// attach says where sound and events go from now on. An agent that left before there was
// a stream to be told of it has left all the same.
func (m *meeting) attach(s *stream) {
	m.mu.Lock()
	m.stream, m.ear, m.answered = s, s, m.answered || s != nil
	mic, left, why, asked := m.chosen, m.left, m.leftWhy, m.chosenAt
	m.mu.Unlock()
	if s == nil {
		return
	}
	s.asked = asked
	if left {
		s.without(strings.ToLower(why.String()))
	}
	if mic != nil {
		m.switched(s, mic.IsMuted())
	}
}

// tell hands something to the stream if there is one.
func (m *meeting) tell(f func(*stream)) {
	m.mu.Lock()
	s := m.stream
	m.mu.Unlock()
	if s != nil {
		f(s)
	}
}

// sound hands a packet to whoever is to hear it, unless another track has been read since.
func (m *meeting) sound(b []byte, source uint32, reading int, at int64) {
	m.mu.Lock()
	s, over := m.ear, m.readings != reading
	m.mu.Unlock()
	if s != nil && !over {
		s.arrive(b, source, at)
	}
}

// came writes down that somebody is in the room.
func (m *meeting) came(p *lksdk.RemoteParticipant) {
	if isPerson(p) {
		identity, session := p.Identity(), p.SID()
		m.change(func() {
			if !m.departed[session] {
				m.others[identity] = session
			}
		})
	}
}

// present says whether somebody else is in the room.
func (m *meeting) present() bool { return m.other() != "" }

// other is the identity of somebody else in the room, "" when there is nobody.
func (m *meeting) other() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.others[CallerIdentity] != "" {
		return CallerIdentity
	}
	for id := range m.others {
		return id
	}
	return ""
}

// isPerson leaves out those who only record or feed a room.
func isPerson(p *lksdk.RemoteParticipant) bool {
	return p.Kind() != lksdk.ParticipantEgress && p.Kind() != lksdk.ParticipantIngress
}

func (m *meeting) disconnected(p *lksdk.RemoteParticipant) {
	identity, session, why := p.Identity(), p.SID(), p.DisconnectReason()
	var s *stream
	m.change(func() {
		// While our own connection is mended everybody seems to go, and comes back with it.
		ours := m.brokenAt != 0
		if !ours {
			m.departed[session] = true
		}
		// Who comes back does so under the same name, maybe before the old one is gone.
		if m.others[identity] == session {
			delete(m.others, identity)
		}
		m.withdraw(func(o offer) bool { return o.session == session })
		if !ours && m.chosen == nil && (m.chosenOf == identity || len(m.others) == 0) && !m.left {
			s = m.missing(why)
		}
	})
	s.without(strings.ToLower(why.String()))
}

// missing writes down that the far end has left, and gives the stream that is to be
// told of it; m.mu is held.
func (m *meeting) missing(why livekit.DisconnectReason) *stream {
	m.left, m.leftAt, m.leftWhy = true, m.pacer.Clock(), why
	return m.stream
}

// without tells the stream, if there is one, that the far end has left, and why.
func (s *stream) without(reason string) {
	if s != nil {
		s.note(call.KindAgentLeft, "", map[string]any{"reason": reason})
		s.inbox.order(func(o *orders) { o.away = 1 })
	}
}

// reportPatience is how long the server may say nothing of how it hears us, which it does once a second, before
// nothing comes through to it, or from it. The client library notices after 15 s.
const reportPatience = 5 * time.Second

// report takes what the server says of how it hears us.
func (m *meeting) report(p rtcp.Packet) {
	rr, ok := p.(*rtcp.ReceiverReport)
	if !ok {
		return
	}
	m.reported()
	m.tell(func(s *stream) {
		m.asked(s)
		for _, r := range rr.Reports {
			s.remoteLost.hear(r.SSRC, int64(r.TotalLost))
			if r.LastSenderReport != 0 {
				heard := rtp.Block{LastSR: r.LastSenderReport, DelaySR: r.Delay}
				s.roundTrip.Store(int64(heard.RoundTrip(m.pacer.Wall(m.pacer.Clock()))))
			}
		}
	})
}

// asked asks what the far end has lost of ours. The server counts for itself how it hears us, and passes on nothing of what
// others count.
func (m *meeting) asked(s *stream) {
	if m.lostBy == nil {
		return
	}
	m.mu.Lock()
	identity := m.chosenOf
	m.mu.Unlock()
	if n, stay, told := m.lostBy(identity); told {
		s.unheard.hear(stay, n)
	}
}

// reported writes down that the server hears us. What an agent did while it did not is not its own doing.
func (m *meeting) reported() {
	m.mu.Lock()
	away := m.unreported()
	m.reportedAt = m.pacer.Clock()
	m.mu.Unlock()
	if away > reportPatience {
		what := fmt.Sprintf("the way to the media server, which was away for %.0f s", away.Seconds())
		m.tell(func(s *stream) { s.note(call.KindOurFault, "", map[string]any{"what": what}) })
	}
}

// unreported is how long the server has said nothing of how it hears us, 0 when it never did; m.mu is held.
func (m *meeting) unreported() time.Duration {
	if m.reportedAt == 0 {
		return 0
	}
	return time.Duration(m.pacer.Clock() - m.reportedAt)
}
