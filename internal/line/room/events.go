package room

import (
	"strings"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// Limits of what the far end can put on the timeline.
const (
	mostMessages    = 200
	mostTranscripts = 1000
	longestMessage  = 500
	longestSpoken   = 4000
)

// transcriptTopic is the topic on which agents publish transcriptions of both sides.
const transcriptTopic = "lk.transcription"

// callbacks returns the functions called by the client library, on its own threads and with its
// locks held: they only record what happened. reason returns why the connection has ended.
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

// mending records that our own connection was lost and is being restored, or that it has been.
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
				without = m.missing(livekit.DisconnectReason_UNKNOWN_REASON, true)
			}
		}
	})
	m.tell(func(s *stream) { s.note(kind, "", nil) })
	without.without("it left while our own connection was mended")
	if !broken {
		m.askAgain()
	}
}

// askAgain requests the audio of the microphone again, which the server forgets when our
// connection is renewed.
func (m *meeting) askAgain() {
	m.mu.Lock()
	pub := m.chosen
	m.mu.Unlock()
	if pub != nil {
		m.ask(pub)
	}
}

// alone reports whether the participant that we heard left while our own connection was being
// restored. The library reports participants some time after it has added them.
func (m *meeting) alone() bool {
	m.mu.Lock()
	r, heard := m.room, m.chosenOf
	m.mu.Unlock()
	return r != nil && heard != "" && r.GetParticipantByIdentity(heard) == nil
}

// reached records whether the media server still receives anything from a participant. An agent that died
// or lost its network stays in the room for twenty seconds; one that is merely silent is still reachable.
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

// switched tells the stream if the microphone was muted or unmuted.
func (m *meeting) switched(s *stream, off bool) {
	m.mu.Lock()
	news := m.off != off
	m.off = off
	m.mu.Unlock()
	if news {
		s.mute(off)
	}
}

// mute tells the stream that the far end has muted its microphone, or unmuted it.
func (s *stream) mute(off bool) {
	kind, mute := call.KindUnmuted, -1
	if off {
		kind, mute = call.KindMuted, 1
	}
	s.note(kind, "", nil)
	s.inbox.order(func(o *orders) { o.mute = mute })
}

// data handles a message: a telephone key, or anything else.
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

// pressAll passes on keys pressed by the far end; some agents send a whole number at once.
func pressAll(s *stream, keys string) {
	for i := range min(len(keys), maxKeys) {
		if _, ok := rtp.KeyCode(keys[i]); ok {
			s.press(keys[i : i+1])
		}
	}
}

// message puts the beginning of a message on the timeline.
func (m *meeting) message(topic string, payload []byte) {
	s := m.counted()
	if s == nil {
		return
	}
	s.note(call.KindMessage, "", map[string]any{
		"topic": clip(topic, longestMessage), "bytes": len(payload), "text": clip(string(payload[:min(len(payload), 4*longestMessage)]), longestMessage),
	})
}

// counted counts a message and returns the stream on whose timeline it belongs, nil outside the
// call and when there are too many.
func (m *meeting) counted() *stream {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stream == nil || m.messages >= mostMessages {
		return nil
	}
	m.messages++
	return m.stream
}

// clip limits a received text and removes what cannot be displayed. Invalid UTF-8, such as half of a
// character at the cut, is removed first, as it would otherwise be replaced by a replacement character.
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
