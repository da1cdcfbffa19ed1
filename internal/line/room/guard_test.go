package room_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// packet is a data packet to be sent as it is.
type packet struct{ of *livekit.DataPacket }

func (p packet) ToProto() *livekit.DataPacket { return p.of }

// sends sends parts of text streams as they are.
func (g *guest) sends(parts ...any) {
	g.t.Helper()
	for _, part := range parts {
		p := &livekit.DataPacket{}
		switch of := part.(type) {
		case *livekit.DataStream_Header:
			p.Value = &livekit.DataPacket_StreamHeader{StreamHeader: of}
		case *livekit.DataStream_Chunk:
			p.Value = &livekit.DataPacket_StreamChunk{StreamChunk: of}
		case *livekit.DataStream_Trailer:
			p.Value = &livekit.DataPacket_StreamTrailer{StreamTrailer: of}
		}
		if err := g.room.LocalParticipant.PublishDataPacket(packet{p}, lksdk.WithDataPublishReliable(true)); err != nil {
			g.t.Error("a part of a stream could not be sent")
		}
	}
}

// TestWordsThatAreToldOfAtTheirEnd checks a text stream whose attributes come only at its end, and
// one that restarts under the same name: neither may end more than its own words.
func TestWordsThatAreToldOfAtTheirEnd(t *testing.T) {
	t.Parallel()
	a, _ := meet(t, "call_trailer", room.Options{}, leg.Dial{}, func(s *scene) {
		g := comes(t, s.token)
		g.speaks(440, false)
		s.talks(25)
		begin := &livekit.DataStream_Header{
			StreamId: "one", Topic: "lk.transcription", ContentHeader: &livekit.DataStream_Header_TextHeader{TextHeader: &livekit.DataStream_TextHeader{}},
		}
		g.sends(
			begin, &livekit.DataStream_Chunk{StreamId: "one", Content: []byte("We are open.")},
			begin, &livekit.DataStream_Chunk{StreamId: "one", Content: []byte("Good")},
			&livekit.DataStream_Trailer{StreamId: "one", Attributes: map[string]string{"lk.transcription_final": "false", "lk.segment_id": "2"}},
		)
		g.presses("1") // sent after all of them
		s.until(s.pressed.Load)
		s.talks(25)
		s.hangsUp()
	})
	var said []string
	for _, e := range a.Timeline {
		if e.Kind == call.KindTranscript {
			said = append(said, fmt.Sprint(e.Text, " ", e.Data["final"]))
		}
	}
	slices.Sort(said)
	if want := []string{"Good false", "We are open. true"}; !slices.Equal(said, want) {
		t.Errorf("the timeline has %q, want %q", said, want)
	}
}
