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

// offer is a microphone that somebody publishes.
type offer struct {
	pub      *lksdk.RemoteTrackPublication
	sid      string
	identity string
	session  string // of whom it is
	rank     int    // 0 of what is said to be a microphone, 1 of other sound
	since    int64  // when it was published, by the server's clock (µs), 0 when that is not said
}

// offerOf writes down what is published, and by whom.
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

// foremost is the microphone to hear of those that are offered: the one that was published first. What is not said to be
// a microphone, as it may be the noise of an office behind the voice, is heard only where there is none. Those that were
// there before us are told of in any order. m.mu is held.
func (m *meeting) foremost() offer {
	return slices.MinFunc(m.offered, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.since, b.since))
	})
}

// choose takes the first microphone that is published when none is chosen, and asks
// the server for its sound. It says whether one is chosen. Other sound that was heard, as there was no
// microphone yet, makes way for the first that comes.
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
		m.switched(s, pick.pub.IsMuted()) // the one before it may have been switched off when it was taken away
	}
	m.ask(pick.pub)
	if before != nil {
		m.want(before, false)
	}
	return true
}

// ask asks the server for the sound of a microphone.
func (m *meeting) ask(pub *lksdk.RemoteTrackPublication) { m.want(pub, true) }

// want tells the server whether the sound of a microphone is wanted.
func (m *meeting) want(pub *lksdk.RemoteTrackPublication, wanted bool) {
	if err := pub.SetSubscribed(wanted); err != nil {
		m.log.Debug("asking for a microphone failed", "wanted", wanted, "error", err)
	}
}

// isMicrophone says whether a publication is a voice that we are to hear.
func isMicrophone(pub *lksdk.RemoteTrackPublication) bool {
	return pub.Kind() == lksdk.TrackKindAudio &&
		(pub.Source() == livekit.TrackSource_MICROPHONE || pub.Source() == livekit.TrackSource_UNKNOWN)
}

// isRead says whether a microphone of a codec can be heard here. Of what a server says nothing of is hoped so.
func isRead(mime string) bool {
	return mime == "" || strings.EqualFold(mime, webrtc.MimeTypeOpus) || strings.EqualFold(mime, "audio/red")
}

// unread says how a microphone is published that cannot be heard here, "" when it can.
func unread(track *livekit.TrackInfo) string {
	switch codec := track.GetMimeType(); {
	case !isRead(codec):
		return "in " + codecName(codec) + ", and only Opus is read here"
	case track.GetEncryption() != livekit.Encryption_NONE: // what comes would be taken for noise
		return "encrypted from end to end, and nobody here has the key"
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
			return // an older word about somebody who has left
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

// read passes the sound of a track on until it ends.
func (m *meeting) read(t *webrtc.TrackRemote, pub *lksdk.RemoteTrackPublication) {
	var source uint32
	var mine int
	var changed *stream
	m.change(func() {
		if m.chosen != pub {
			return
		}
		if m.sourceRead == m.source { // the same microphone over a connection of ours made anew
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
			time.AfterFunc(unexplained, func() { m.trackOver(pub, mine) })
			return
		}
		at := m.pacer.Clock()
		m.sound(b[:n], source, mine, at)
	}
}

// unexplained is how long after the end of a track nothing need be said of why.
const unexplained = time.Second

// trackOver takes the end of the track that was heard for the leaving of whose it
// was, unless something else has been said of it: the server takes a track away when
// somebody leaves, and what it says of that is now and then lost among what it says
// of those who come and go at the same moment.
func (m *meeting) trackOver(pub *lksdk.RemoteTrackPublication, reading int) {
	var s *stream
	m.change(func() {
		if m.chosen != pub || m.readings != reading || m.left || m.gone {
			return
		}
		if m.brokenAt != 0 || m.mendedAt != 0 && m.pacer.Clock()-m.mendedAt < int64(mendPatience) {
			time.AfterFunc(unexplained, func() { m.trackOver(pub, reading) }) // it has been asked for again
			return
		}
		sid := pub.SID()
		m.withdraw(func(o offer) bool {
			if o.sid == sid && m.others[o.identity] == o.session { // and not of another one's in its place
				delete(m.others, o.identity)
			}
			return o.sid == sid
		})
		m.chosen = nil
		s = m.missing(livekit.DisconnectReason_UNKNOWN_REASON)
	})
	s.without("its microphone ended")
}
