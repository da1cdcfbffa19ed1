package room

import (
	"strings"

	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
)

// listen takes the text streams of agents that publish their own transcription.
func (m *meeting) listen(r *lksdk.Room) {
	_ = r.RegisterTextStreamHandler(transcriptTopic, func(stream *lksdk.TextStreamReader, from string) {
		var b [1024]byte
		var said strings.Builder
		for {
			n, err := stream.Read(b[:])
			if said.Len() < longestSpoken {
				said.Write(b[:n])
			}
			if err != nil {
				break
			}
		}
		a := stream.Info.Attributes
		m.transcript(m.speaker(from, a["lk.transcribed_track_id"]), words{a["lk.segment_id"], said.String(), a["lk.transcription_final"] != "false"})
	})
}

// segments takes transcription in the older form.
func (m *meeting) segments(list []*lksdk.TranscriptionSegment, p lksdk.Participant, _ lksdk.TrackPublication) {
	from := ""
	if p != nil {
		from = p.Identity()
	}
	for _, s := range list {
		m.transcript(m.speaker(from, ""), words{s.ID, s.Text, s.Final})
	}
}

// speaker says whose words are transcribed.
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

// transcript puts what somebody said on the timeline.
func (m *meeting) transcript(of string, said words) {
	m.mu.Lock()
	whole := m.transcripts.take(of, said)
	m.mu.Unlock()
	for _, w := range whole {
		if s := m.onTimeline(&m.spoken, mostTranscripts); s != nil {
			s.note(call.KindTranscript, clip(w.text, longestSpoken), map[string]any{"of": of, "final": w.final})
		}
	}
}

// words are a piece of transcription: what is heard of a segment so far, or all of it.
// What is not told in pieces has no segment.
type words struct {
	segment, text string
	final         bool
}

// segment is one that somebody speaks.
type segment struct{ of, id string }

// transcripts find the whole in pieces. Frameworks send a segment anew with every word, in
// two forms at a time, and at last the whole: that alone is kept, or as far as it came
// when the next one begins. Pieces are read side by side, and an older one may come last.
type transcripts struct {
	saying  map[string]words // what each side said last
	written map[segment]bool // what has been given out, true with its end
}

// take takes a piece, and gives those that are to be kept as they are.
func (t *transcripts) take(of string, said words) []words {
	switch {
	case said.text == "":
		return nil
	case said.segment == "":
		return []words{said}
	}
	ended, known := t.written[segment{of, said.segment}]
	if ended || known && !said.final || len(t.written) >= mostTranscripts {
		return nil
	}
	if known { // its end is late: the next one has begun
		t.written[segment{of, said.segment}] = true
		return []words{said}
	}
	var out []words
	before := t.saying[of]
	if _, known := t.written[segment{of, before.segment}]; !known && before.segment != "" && before.segment != said.segment {
		out = append(out, before)
	}
	if t.saying[of] = said; said.final {
		out = append(out, said)
	}
	for _, w := range out {
		t.written[segment{of, w.segment}] = w.final
	}
	return out
}
