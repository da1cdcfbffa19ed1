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

// joinPatience bounds how long joining may take.
const joinPatience = 10 * time.Second

// The client library calls us with its locks held, and takes them when we call it. Therefore it
// must not be called with the meeting's own lock held.

// meeting is our presence in a room: who else is there, whose microphone we hear and whether we
// are heard. Events reported by the client library on its own threads are recorded here, and
// wake the goroutine that runs the call.
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
	ear    *stream // receives audio, also before the call

	others map[string]string // session ids of the other participants by identity
	// departed holds the sessions that have left; later events about them are outdated.
	departed map[string]bool
	offered  []offer // published microphones
	unread   string  // how a microphone that we cannot decode is published
	chosen   *lksdk.RemoteTrackPublication
	chosenOf string
	chosenAt int64
	// makeshift is true if the chosen source is not a microphone.
	makeshift bool
	source    uint32
	// sourceRead is the source whose track was read last.
	sourceRead uint32
	flows      bool // audio of the chosen source has arrived
	readings   int  // number of tracks read so far
	heardUs    bool // somebody receives our audio
	off        bool // the stream was told that the microphone is muted
	// unreachable is true while the media server receives nothing from the chosen participant.
	unreachable bool
	left        bool
	leftAt      int64
	leftWhy     livekit.DisconnectReason
	// unseen is true if the far end's leaving was only inferred, after our own connection had been lost and restored.
	unseen      bool
	takenAt     int64 // when the chosen microphone was unpublished, 0 while there is one
	gone        bool  // our own connection has ended
	leaving     bool  // because we left
	goneWhy     livekit.DisconnectReason
	messages    int
	answered    bool // the call has begun: later events belong to it
	readers     int  // number of readers of text streams
	transcripts transcripts
	reportedAt  int64 // when the server last reported on our audio; the beginning of the call until it has, 0 before that
	brokenAt    int64 // since when our own connection is being restored, 0 if it is up
	mendedAt    int64 // when it was last restored, 0 for never
}

func newMeeting(pacer *pace.Pacer, log *slog.Logger) *meeting {
	return &meeting{log: log, pacer: pacer, notify: make(chan struct{}, 1), others: map[string]string{}, departed: map[string]bool{}, transcripts: transcripts{segments: map[segment]*words{}}}
}

// change applies f and wakes the goroutine that runs the call.
func (m *meeting) change(f func()) {
	m.mu.Lock()
	f()
	m.mu.Unlock()
	select {
	case m.notify <- struct{}{}:
	default:
	}
}

// join enters the room. Its error never contains the token.
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

// joinError is the reason why a room could not be joined.
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

// leavePatience bounds the time taken to tell the server that we leave.
const leavePatience = 3 * time.Second

// leave leaves the room. Further calls do nothing.
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

// hearFor sets the stream that receives audio before there is a call.
func (m *meeting) hearFor(s *stream) {
	m.mu.Lock()
	m.ear = s
	m.mu.Unlock()
}

// attach sets the stream that receives audio and events. It is told if the agent has already left.
func (m *meeting) attach(s *stream) {
	m.mu.Lock()
	if s != nil && m.reportedAt == 0 {
		m.reportedAt = max(m.pacer.Clock(), 1)
	}
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

// tell calls f with the stream, if there is one.
func (m *meeting) tell(f func(*stream)) {
	m.mu.Lock()
	s := m.stream
	m.mu.Unlock()
	if s != nil {
		f(s)
	}
}

// sound passes a packet to the stream unless another track has been read since.
func (m *meeting) sound(b []byte, source uint32, reading int, at int64) {
	m.mu.Lock()
	s, over := m.ear, m.readings != reading
	m.mu.Unlock()
	if s != nil && !over {
		s.arrive(b, source, at)
	}
}

// came records that a participant is in the room.
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

// present reports whether there is another participant in the room.
func (m *meeting) present() bool { return m.other() != "" }

// other returns the identity of another participant, "" if there is none.
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

// isPerson reports whether a participant is not merely recording or feeding media into the room.
func isPerson(p *lksdk.RemoteParticipant) bool {
	return p.Kind() != lksdk.ParticipantEgress && p.Kind() != lksdk.ParticipantIngress
}

func (m *meeting) disconnected(p *lksdk.RemoteParticipant) {
	identity, session, why := p.Identity(), p.SID(), p.DisconnectReason()
	var s *stream
	m.change(func() {
		// While our own connection is restored, everybody appears to leave, and returns with it. Who really leaves does so for a reason.
		ours := m.brokenAt != 0 && why == livekit.DisconnectReason_UNKNOWN_REASON
		if !ours {
			m.departed[session] = true
		}
		// A participant that returns has the same identity, and may do so before the old session has ended.
		if m.others[identity] == session {
			delete(m.others, identity)
		}
		m.withdraw(func(o offer) bool { return o.session == session })
		if !ours && m.chosen == nil && (m.chosenOf == identity || len(m.others) == 0) && !m.left {
			s = m.missing(why, false)
		}
	})
	s.without(strings.ToLower(why.String()))
}

// missing records that the far end has left, and returns the stream to be told of it; m.mu must be held.
func (m *meeting) missing(why livekit.DisconnectReason, unseen bool) *stream {
	m.left, m.leftAt, m.leftWhy, m.unseen = true, m.pacer.Clock(), why, unseen
	return m.stream
}

// without tells the stream, if there is one, that the far end has left, and why.
func (s *stream) without(reason string) {
	if s != nil {
		s.note(call.KindAgentLeft, "", map[string]any{"reason": reason})
		s.inbox.order(func(o *orders) { o.away = 1 })
	}
}

// reportPatience is how long the server may send no report on our audio, which it does once a second, before
// the connection counts as interrupted; the client library notices only after 15 s. brokenPatience is that while the
// library is restoring the connection: our audio may arrive all the same, but then there are reports.
const (
	reportPatience = 5 * time.Second
	brokenPatience = 1500 * time.Millisecond
)

// report handles an RTCP packet with the server's report on our audio.
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

// asked queries what the far end has lost of our audio. The server reports only its own losses, and does not forward the
// reports of others.
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

// reported records that the server receives our audio. Absences of the agent while it did not are not the
// agent's doing.
func (m *meeting) reported() {
	m.mu.Lock()
	away := m.unreported()
	m.reportedAt = m.pacer.Clock()
	m.mu.Unlock()
	if away > reportPatience {
		what := fmt.Sprintf("the connection to the media server was lost for %.0f s", away.Seconds())
		m.tell(func(s *stream) { s.note(call.KindOurFault, "", map[string]any{"what": what}) })
	}
}

// unreported returns for how long the server has sent no report on our audio, 0 before the call; m.mu must be held.
func (m *meeting) unreported() time.Duration {
	if m.reportedAt == 0 {
		return 0
	}
	return time.Duration(m.pacer.Clock() - m.reportedAt)
}

// unconfirmed reports whether our audio is not known to reach the server; m.mu must be held.
func (m *meeting) unconfirmed() bool {
	if m.brokenAt != 0 {
		return m.unreported() > brokenPatience
	}
	return m.unreported() > reportPatience
}
