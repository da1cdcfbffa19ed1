package room

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
)

// offer is a published microphone.
type offer struct {
	pub      *lksdk.RemoteTrackPublication
	sid      string
	identity string
	session  string // session id of its participant
	rank     int    // 0 for declared microphones, 1 for other audio
	since    int64  // time of publication by the server's clock (µs), 0 if unknown
}

// offerOf returns the offer for a publication of a participant.
func offerOf(pub *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) offer {
	it := offer{
		pub: pub, sid: pub.SID(), identity: of.Identity(), session: of.SID(),
		since: pub.TrackInfo().GetVersion().GetUnixMicro(),
	}
	if pub.Source() != livekit.TrackSource_MICROPHONE {
		it.rank = 1
	}
	return it
}

// foremost returns the offer to listen to: the one published first. Audio not declared as a microphone, which may be
// background noise for the voice, is used only if there is no microphone. Participants that were there before us are
// reported in any order. m.mu must be held.
func (m *meeting) foremost() offer {
	return slices.MinFunc(m.offered, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.since, b.since))
	})
}

// choose picks a microphone if none is chosen, requests its audio from the server, and reports whether one is
// chosen. Other audio that was used for want of a microphone is replaced by the first microphone published.
func (m *meeting) choose() bool {
	m.mu.Lock()
	if len(m.offered) == 0 || m.chosen != nil && (!m.makeshift || m.foremost().rank > 0) {
		defer m.mu.Unlock()
		return m.chosen != nil
	}
	pick, before := m.foremost(), m.chosen
	m.chosen, m.chosenOf, m.chosenAt, m.makeshift = pick.pub, pick.identity, m.pacer.Clock(), pick.rank > 0
	m.source++
	changed, back := m.source > 1, m.left
	m.left, m.unreachable, m.takenAt = false, false, 0
	s := m.stream
	m.mu.Unlock()
	if s != nil {
		if back {
			s.note(call.KindAgentRejoined, "", nil)
		}
		if changed {
			s.note(call.KindSourceChanged, "", nil)
		}
		s.inbox.order(func(o *orders) { o.away = -1 })
		m.switched(s, pick.pub.IsMuted()) // the previous one may have been muted when it was unpublished
	}
	m.ask(pick.pub)
	if before != nil {
		m.want(before, false)
	}
	return true
}

// ask requests the audio of a microphone from the server.
func (m *meeting) ask(pub *lksdk.RemoteTrackPublication) { m.want(pub, true) }

// want tells the server whether the audio of a microphone is wanted.
func (m *meeting) want(pub *lksdk.RemoteTrackPublication, wanted bool) {
	if err := pub.SetSubscribed(wanted); err != nil {
		m.log.Debug("asking for a microphone failed", "wanted", wanted, "error", err)
	}
}

// isMicrophone reports whether a publication is a voice that we should hear.
func isMicrophone(pub *lksdk.RemoteTrackPublication) bool {
	return pub.Kind() == lksdk.TrackKindAudio &&
		(pub.Source() == livekit.TrackSource_MICROPHONE || pub.Source() == livekit.TrackSource_UNKNOWN)
}

// isRead reports whether a microphone with a codec can be decoded. An unknown codec is assumed to be.
func isRead(mime string) bool {
	return mime == "" || strings.EqualFold(mime, webrtc.MimeTypeOpus) || strings.EqualFold(mime, "audio/red")
}

// unread describes how a microphone is published that cannot be decoded, "" if it can.
func unread(track *livekit.TrackInfo) string {
	switch codec := track.GetMimeType(); {
	case !isRead(codec):
		return "in " + codecName(codec) + ", but only Opus is supported"
	case track.GetEncryption() != livekit.Encryption_NONE: // it would be decoded as noise
		return "with end-to-end encryption, so it cannot be heard"
	}
	return ""
}

func (m *meeting) published(pub *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
	if !isMicrophone(pub) || !isPerson(of) {
		return
	}
	if how := unread(pub.TrackInfo()); how != "" {
		m.change(func() { m.unread = how })
		return
	}
	it := offerOf(pub, of)
	m.change(func() {
		if m.departed[it.session] {
			return // an outdated event about a participant that has left
		}
		for _, o := range m.offered {
			if o.sid == it.sid {
				return
			}
		}
		m.others[it.identity] = it.session
		m.offered = append(m.offered, it)
	})
}

func (m *meeting) unpublished(pub *lksdk.RemoteTrackPublication) {
	sid := pub.SID()
	m.change(func() {
		if m.withdraw(func(o offer) bool { return o.sid == sid }); m.chosen == nil && m.chosenOf != "" && m.takenAt == 0 {
			m.takenAt = max(m.pacer.Clock(), 1)
		}
	})
}

// withdraw removes microphones that are no longer published; m.mu must be held.
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

// read passes on the audio of a track until it ends.
func (m *meeting) read(t *webrtc.TrackRemote, pub *lksdk.RemoteTrackPublication) {
	var source uint32
	var mine int
	var changed *stream
	m.change(func() {
		if m.chosen != pub {
			return
		}
		if m.sourceRead == m.source { // the same microphone after our connection was renewed
			m.source++
			changed = m.stream
		}
		m.flows, m.sourceRead = true, m.source
		m.readings++
		source, mine = m.source, m.readings
	})
	if mine == 0 {
		return
	}
	if changed != nil {
		changed.note(call.KindSourceChanged, "", nil)
	}
	var b [maxPacket]byte
	for {
		n, _, err := t.Read(b[:])
		if err != nil {
			ended := m.pacer.Clock()
			time.AfterFunc(unexplained, func() { m.trackOver(pub, mine, ended) })
			return
		}
		at := m.pacer.Clock()
		m.sound(b[:n], source, mine, at)
	}
}

// unexplained is how long after the end of a track its cause may remain unreported.
const unexplained = time.Second

// trackOver treats the end of the track that was heard as its participant's leaving, unless
// something else was reported about it. The server ends a track when its participant leaves, but
// its report of that is sometimes lost among those about others who come and go at the same moment. A track that ended
// before our own connection was restored ended with that.
func (m *meeting) trackOver(pub *lksdk.RemoteTrackPublication, reading int, ended int64) {
	var s *stream
	m.change(func() {
		if m.chosen != pub || m.readings != reading || m.left || m.gone {
			return
		}
		if m.brokenAt != 0 || m.mendedAt != 0 && m.pacer.Clock()-m.mendedAt < int64(mendPatience) {
			time.AfterFunc(unexplained, func() { m.trackOver(pub, reading, ended) }) // its audio has been requested again
			return
		}
		sid := pub.SID()
		m.withdraw(func(o offer) bool {
			if o.sid == sid && m.others[o.identity] == o.session { // and not another participant's in its place
				delete(m.others, o.identity)
			}
			return o.sid == sid
		})
		m.chosen = nil
		s = m.missing(livekit.DisconnectReason_UNKNOWN_REASON, ended < m.mendedAt)
	})
	s.without("its microphone ended")
}
