package room

import (
	"strings"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
)

// listen registers a reader of the text streams of agents that publish their own transcription.
// Each stream is read by a goroutine of its own. A stream's final attributes, which the library
// sets at its end, must not be read before that.
func (m *meeting) listen(r *lksdk.Room) {
	_ = r.RegisterTextStreamHandler(transcriptTopic, func(stream *lksdk.TextStreamReader, from string) {
		m.reads(r, 1)
		defer m.reads(r, -1)
		var b [1024]byte
		var text strings.Builder
		var size uint64
		for {
			n, err := stream.Read(b[:])
			if size += uint64(n); text.Len() < longestSpoken {
				text.Write(b[:n])
			}
			if err != nil {
				break
			}
		}
		a := stream.Info.Attributes
		whole := !m.cutOff() || stream.Info.Size != nil && *stream.Info.Size == size
		m.transcript(words{
			of: m.speaker(from, a["lk.transcribed_track_id"]), segment: a["lk.segment_id"], text: text.String(),
			final: whole && a["lk.transcription_final"] != "false", sent: stream.Info.Timestamp,
		})
	})
}

// reads limits the number of readers, since a far end could begin any number of streams and never end them: beyond
// what fits on a timeline, no stream is accepted until one of them has ended.
func (m *meeting) reads(r *lksdk.Room, more int) {
	m.listening.Lock()
	defer m.listening.Unlock()
	var before, now int
	m.change(func() {
		before, m.readers = m.readers, m.readers+more
		now = m.readers
	})
	switch {
	case before < mostTranscripts && now >= mostTranscripts:
		r.UnregisterTextStreamHandler(transcriptTopic)
	case before >= mostTranscripts && now < mostTranscripts:
		m.listen(r)
	}
}

// cutOff reports whether a stream may have ended because we are leaving, and not because it was complete.
func (m *meeting) cutOff() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.leaving || m.gone
}

// segments handles transcription in the older form.
func (m *meeting) segments(list []*lksdk.TranscriptionSegment, p lksdk.Participant, _ lksdk.TrackPublication) {
	from := ""
	if p != nil {
		from = p.Identity()
	}
	for _, s := range list {
		m.transcript(words{of: m.speaker(from, ""), segment: s.ID, text: s.Text, final: s.Final})
	}
}

// speaker returns whose words are transcribed.
func (m *meeting) speaker(from, track string) string {
	m.mu.Lock()
	r := m.room
	m.mu.Unlock()
	if r == nil {
		return "agent"
	}
	us := r.LocalParticipant
	if from == us.Identity() {
		return "caller"
	}
	for _, pub := range us.TrackPublications() {
		if track != "" && pub.SID() == track {
			return "caller"
		}
	}
	return "agent"
}

// transcript keeps what was said, unless that was before the call.
func (m *meeting) transcript(said words) {
	said.text = clip(said.text, longestSpoken)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.answered {
		said.at = m.pacer.Clock()
		m.transcripts.take(said)
	}
}

// readPatience bounds the wait for readers of unfinished text streams when we leave.
const readPatience = time.Second

// spoken returns the transcription for the timeline of a stream that has ended, once the
// readers have noticed that we have left the room.
func (m *meeting) spoken(s *stream) []call.Event {
	timer := time.NewTimer(readPatience)
	defer timer.Stop()
	for m.reading() {
		select {
		case <-m.notify:
			continue
		case <-timer.C:
		}
		break
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var events []call.Event
	for _, w := range m.transcripts.told() {
		events = append(events, call.Event{
			At: min(max(time.Duration(w.at-s.zero), 0), s.result.length), Kind: call.KindTranscript,
			Text: w.text, Data: map[string]any{"of": w.of, "final": w.final},
		})
	}
	return events
}

func (m *meeting) reading() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readers > 0
}
