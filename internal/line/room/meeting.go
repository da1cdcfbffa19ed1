package room

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line"
)

// joinPatience bounds how long the media server may take to let us in.
const joinPatience = 10 * time.Second

// meeting is our presence in a room: who else is there, whose microphone we hear and
// whether we are heard. What the client library tells from its own threads is
// written down here, and whoever runs the call is woken.
type meeting struct {
	log    *slog.Logger
	pacer  *line.Pacer
	notify chan struct{}

	mu     sync.Mutex
	room   *lksdk.Room
	stream *stream
	mic    *lksdk.LocalTrack

	others   map[string]*lksdk.RemoteParticipant // by identity
	offered  []offer                             // microphones that are published
	chosen   *lksdk.RemoteTrackPublication
	chosenOf string
	chosenAt int64
	source   uint32
	flows    bool // sound of the chosen one has come
	heardUs  bool // somebody takes our sound
	left     bool
	leftAt   int64
	leftWhy  livekit.DisconnectReason
	gone     bool // our own connection is over
	goneWhy  livekit.DisconnectReason
	messages int
	spoken   int
	brokenAt int64 // since when our own connection is being mended, 0 when it is whole
}

// offer is a microphone that somebody publishes.
type offer struct {
	pub *lksdk.RemoteTrackPublication
	of  *lksdk.RemoteParticipant
}

func newMeeting(pacer *line.Pacer, log *slog.Logger) *meeting {
	return &meeting{log: log, pacer: pacer, notify: make(chan struct{}, 1), others: map[string]*lksdk.RemoteParticipant{}}
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
	r := lksdk.NewRoom(m.callbacks())
	m.listen(r)
	err := r.JoinWithContextAndToken(ctx, url, token, lksdk.WithDisableRegionDiscovery(),
		lksdk.WithAutoSubscribe(false), lksdk.WithConnectTimeout(joinPatience))
	if err != nil {
		r.Disconnect()
		return joinError(strings.ReplaceAll(err.Error(), token, "(token)"))
	}
	m.change(func() {
		m.room = r
		for _, p := range r.GetRemoteParticipants() {
			m.others[p.Identity()] = p
		}
	})
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

// leave leaves the room.
func (m *meeting) leave() {
	m.mu.Lock()
	r := m.room
	m.mu.Unlock()
	if r != nil {
		r.Disconnect()
	}
}

// attach says where sound and events go from now on.
func (m *meeting) attach(s *stream) {
	m.mu.Lock()
	m.stream = s
	muted := m.chosen != nil && m.chosen.IsMuted()
	m.mu.Unlock()
	if s != nil && muted {
		s.order(func(o *orders) { o.mute = 1 })
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

// present says whether somebody else is in the room.
func (m *meeting) present() bool { return m.other() != "" }

// other is the identity of somebody else in the room, "" when there is nobody.
func (m *meeting) other() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.others[CallerIdentity] != nil {
		return CallerIdentity
	}
	for id := range m.others {
		return id
	}
	return ""
}

// choose takes the first microphone that is published when none is chosen, and asks
// the server for its sound. It says whether one is chosen.
func (m *meeting) choose() bool {
	m.mu.Lock()
	if m.chosen != nil || len(m.offered) == 0 {
		defer m.mu.Unlock()
		return m.chosen != nil
	}
	pick := m.offered[0]
	m.chosen, m.chosenOf, m.chosenAt = pick.pub, pick.of.Identity(), m.pacer.Clock()
	m.source++
	changed, back, muted := m.source > 1, m.left, pick.pub.IsMuted()
	m.left = false
	s := m.stream
	m.mu.Unlock()
	if s != nil {
		if back {
			s.note(call.KindAgentRejoined, "", nil)
		}
		if changed {
			s.note(call.KindSourceChanged, "", nil)
		}
		s.order(func(o *orders) { o.away = -1 })
		if muted {
			s.order(func(o *orders) { o.mute = 1 })
		}
	}
	if err := pick.pub.SetSubscribed(true); err != nil {
		m.log.Debug("asking for a microphone failed", "error", err)
	}
	return true
}

// isMicrophone says whether a publication is a voice that we are to hear.
func isMicrophone(pub *lksdk.RemoteTrackPublication) bool {
	return pub.Kind() == lksdk.TrackKindAudio &&
		(pub.Source() == livekit.TrackSource_MICROPHONE || pub.Source() == livekit.TrackSource_UNKNOWN)
}

// isPerson leaves out those who only record or feed a room.
func isPerson(p *lksdk.RemoteParticipant) bool {
	return p.Kind() != lksdk.ParticipantEgress && p.Kind() != lksdk.ParticipantIngress
}

func (m *meeting) published(pub *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
	if !isMicrophone(pub) || !isPerson(of) {
		return
	}
	m.change(func() {
		for _, o := range m.offered {
			if o.pub.SID() == pub.SID() {
				return
			}
		}
		m.others[of.Identity()] = of
		m.offered = append(m.offered, offer{pub, of})
	})
}

func (m *meeting) unpublished(pub *lksdk.RemoteTrackPublication) {
	m.change(func() { m.withdraw(func(o offer) bool { return o.pub.SID() == pub.SID() }) })
}

// withdraw takes microphones back that are no longer published; m.mu is held.
func (m *meeting) withdraw(which func(offer) bool) {
	kept := m.offered[:0]
	for _, o := range m.offered {
		switch {
		case !which(o):
			kept = append(kept, o)
		case m.chosen == o.pub:
			m.chosen = nil
		}
	}
	m.offered = kept
}

func (m *meeting) disconnected(p *lksdk.RemoteParticipant) {
	m.change(func() {
		// Who comes back does so under the same name, maybe before the old one is gone.
		if now := m.others[p.Identity()]; now != nil && now.SID() == p.SID() {
			delete(m.others, p.Identity())
		}
		m.withdraw(func(o offer) bool { return o.of.SID() == p.SID() })
		if m.chosen == nil && (m.chosenOf == p.Identity() || len(m.others) == 0) && !m.left {
			m.left, m.leftAt, m.leftWhy = true, m.pacer.Clock(), p.DisconnectReason()
			if m.stream != nil {
				m.stream.note(call.KindAgentLeft, "", map[string]any{"reason": strings.ToLower(m.leftWhy.String())})
				m.stream.order(func(o *orders) { o.away = 1 })
			}
		}
	})
}

// read passes the sound of a track on until it ends.
func (m *meeting) read(t *webrtc.TrackRemote, pub *lksdk.RemoteTrackPublication) {
	m.mu.Lock()
	source, wanted := m.source, m.chosen == pub
	m.mu.Unlock()
	if !wanted {
		return
	}
	m.change(func() { m.flows = true })
	var b [maxPacket]byte
	for {
		n, _, err := t.Read(b[:])
		if err != nil {
			return
		}
		at := m.pacer.Clock()
		m.tell(func(s *stream) { s.arrive(b[:n], source, at) })
	}
}

// report takes what the server says of how it hears us.
func (m *meeting) report(p rtcp.Packet) {
	rr, ok := p.(*rtcp.ReceiverReport)
	if !ok {
		return
	}
	m.tell(func(s *stream) {
		for _, r := range rr.Reports {
			s.remoteLost.Store(int64(r.TotalLost))
			if r.LastSenderReport != 0 {
				s.roundTrip.Store(int64(roundTrip(m.pacer.Wall(m.pacer.Clock()), r.LastSenderReport, r.Delay)))
			}
		}
	})
}

// roundTrip is RFC 3550's: now less when the report was sent less how long it was held.
func roundTrip(now time.Time, lastReport, delay uint32) time.Duration {
	const since1900 = 2208988800
	compact := uint32((now.Unix()+since1900)<<16) | uint32(int64(now.Nanosecond())<<16/int64(time.Second))
	d := int32(compact - lastReport - delay)
	return max(0, time.Duration(d)*time.Second>>16)
}
