package room

import (
	"strings"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// What a flood may leave on the timeline of a call.
const (
	mostMessages    = 200
	mostTranscripts = 1000
	longestMessage  = 500
	longestSpoken   = 4000
)

// transcriptTopic is where agents publish what they understood and what they say.
const transcriptTopic = "lk.transcription"

// callbacks are what the client library calls, from threads of its own and with its
// locks held: everything is written down and nothing done. reason says why the
// connection is over.
func (m *meeting) callbacks(reason func() livekit.DisconnectReason) *lksdk.RoomCallback {
	return &lksdk.RoomCallback{
		OnDisconnectedWithReason: func(lksdk.DisconnectionReason) {
			why := reason()
			m.change(func() { m.gone, m.goneWhy = true, why })
		},
		OnParticipantConnected: func(p *lksdk.RemoteParticipant) {
			m.came(p)
		},
		OnParticipantDisconnected: m.disconnected,
		OnReconnecting:            func() { m.mending(true) },
		OnReconnected:             func() { m.mending(false) },
		OnLocalTrackSubscribed: func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) {
			m.change(func() { m.heardUs = true })
		},
		ParticipantCallback: lksdk.ParticipantCallback{
			OnTrackPublished:   m.published,
			OnTrackUnpublished: func(pub *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) { m.unpublished(pub) },
			OnTrackSubscribed: func(t *webrtc.TrackRemote, pub *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
				go m.read(t, pub)
			},
			OnTrackMuted:   func(pub lksdk.TrackPublication, _ lksdk.Participant) { m.muted(pub, true) },
			OnTrackUnmuted: func(pub lksdk.TrackPublication, _ lksdk.Participant) { m.muted(pub, false) },
			OnDataPacket:   m.data,
			OnConnectionQualityChanged: func(of *livekit.ConnectionQualityInfo, p lksdk.Participant) {
				m.reached(p.Identity(), of.GetQuality() != livekit.ConnectionQuality_LOST)
			},
			OnTranscriptionReceived: m.segments,
		},
	}
}

// mending says that our own connection was lost and is being made anew, or that it is whole again.
func (m *meeting) mending(broken bool) {
	kind := call.KindReconnected
	if broken {
		kind = call.KindReconnecting
	}
	alone := !broken && m.alone()
	var without *stream
	m.change(func() {
		switch {
		case broken && m.brokenAt == 0:
			m.brokenAt = max(m.pacer.Clock(), 1)
		case !broken:
			m.brokenAt, m.mendedAt = 0, max(m.pacer.Clock(), 1)
			if alone && !m.left {
				without = m.missing(livekit.DisconnectReason_UNKNOWN_REASON)
			}
		}
	})
	m.tell(func(s *stream) { s.note(kind, "", nil) })
	without.without("it left while our own connection was mended")
	if !broken {
		m.askAgain()
	}
}

// askAgain asks for the sound that we heard, which the server has forgotten when our
// connection was made anew.
func (m *meeting) askAgain() {
	m.mu.Lock()
	pub := m.chosen
	m.mu.Unlock()
	if pub != nil {
		m.ask(pub)
	}
}

// alone says that the one whom we heard went while our own connection was mended. The
// library tells of those who come a while after it has taken them in.
func (m *meeting) alone() bool {
	m.mu.Lock()
	r, heard := m.room, m.chosenOf
	m.mu.Unlock()
	return r != nil && heard != "" && r.GetParticipantByIdentity(heard) == nil
}

// reached takes whether the media server still hears of somebody: an agent that died or whose network
// is away stays in the room for twenty seconds, and one that has nothing to say is well.
func (m *meeting) reached(identity string, well bool) {
	var s *stream
	m.change(func() {
		if identity == m.chosenOf && m.unreachable == well {
			m.unreachable, s = !well, m.stream
		}
	})
	switch {
	case s == nil:
	case well:
		s.note(call.KindReachable, "", nil)
	default:
		s.note(call.KindUnreachable, "", nil)
	}
}

func (m *meeting) muted(pub lksdk.TrackPublication, off bool) {
	m.mu.Lock()
	s, mic := m.stream, m.chosen
	m.mu.Unlock()
	if s == nil || mic == nil || pub.SID() != mic.SID() {
		return
	}
	m.switched(s, off)
}

// switched tells the stream whether the microphone that is heard is switched off, if that is news.
func (m *meeting) switched(s *stream, off bool) {
	m.mu.Lock()
	news := m.off != off
	m.off = off
	m.mu.Unlock()
	if news {
		s.mute(off)
	}
}

// mute tells the stream that the far end has switched its microphone off, or on again.
func (s *stream) mute(off bool) {
	kind, mute := call.KindUnmuted, -1
	if off {
		kind, mute = call.KindMuted, 1
	}
	s.note(kind, "", nil)
	s.inbox.order(func(o *orders) { o.mute = mute })
}

// data takes a message: a key of the telephone, or anything at all.
func (m *meeting) data(p lksdk.DataPacket, _ lksdk.DataReceiveParams) {
	switch d := p.(type) {
	case *livekit.SipDTMF:
		m.tell(func(s *stream) { pressAll(s, d.GetDigit()) })
	case *livekit.ChatMessage:
		m.message("chat", []byte(d.GetMessage()))
	case *lksdk.UserDataPacket:
		m.message(d.Topic, d.Payload)
	}
}

// pressAll hands in the keys that the far end pressed: some agents send a whole number at a time.
func pressAll(s *stream, keys string) {
	for i := range min(len(keys), maxKeys) {
		if _, ok := rtp.KeyCode(keys[i]); ok {
			s.press(keys[i : i+1])
		}
	}
}

// message puts the first of what is sent on the timeline.
func (m *meeting) message(topic string, payload []byte) {
	s := m.counted()
	if s == nil {
		return
	}
	s.note(call.KindMessage, "", map[string]any{
		"topic": clip(topic, longestMessage), "bytes": len(payload), "text": clip(string(payload[:min(len(payload), 4*longestMessage)]), longestMessage),
	})
}

// counted counts a message and gives the stream on whose timeline it is to stand,
// nil before the call, after it, and when there are too many.
func (m *meeting) counted() *stream {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stream == nil || m.messages >= mostMessages {
		return nil
	}
	m.messages++
	return m.stream
}

// clip bounds a foreign text and leaves what can be shown. What is no text, as the half of a character
// is at which it was cut, goes first: it would be replaced by a sign for that.
func clip(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}
