package room

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/line/pace"
)

func newTranscripts() transcripts { return transcripts{segments: map[segment]*words{}} }

// piece returns a piece of the agent's transcription.
func piece(segment, text string, final bool, sent int64) words {
	return words{of: "agent", segment: segment, text: text, final: final, sent: sent}
}

// kept returns what is kept of pieces that arrive a tenth of a second apart.
func kept(pieces ...words) []string {
	all := newTranscripts()
	for i, p := range pieces {
		p.at = int64(i) * int64(100*time.Millisecond)
		all.take(p)
	}
	var got []string
	at := int64(0)
	for _, w := range all.told() {
		got = append(got, fmt.Sprint(w.text, " ", w.final))
		if w.at < at {
			got = append(got, "out of time")
		}
		at = w.at
	}
	return got
}

// TestTranscriptsInPieces checks that each segment is kept once, with and without times from the
// sender.
func TestTranscriptsInPieces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pieces []words
		want   []string
	}{
		"whole at once":              {[]words{piece("", "Hello.", true, 0), piece("", "Hello.", true, 0)}, []string{"Hello. true", "Hello. true"}},
		"piece by piece":             {[]words{piece("1", "We", false, 0), piece("1", "We are", false, 0), piece("1", "We are open.", true, 0)}, []string{"We are open. true"}},
		"said again after the end":   {[]words{piece("1", "Yes.", true, 0), piece("1", "Yes.", false, 0), piece("1", "Yes.", true, 0)}, []string{"Yes. true"}},
		"never ended":                {[]words{piece("1", "Is", false, 0), piece("1", "Is there", false, 0), piece("2", "Goodbye.", true, 0)}, []string{"Is there false", "Goodbye. true"}},
		"the last is never ended":    {[]words{piece("1", "Goodbye.", true, 0), piece("2", "Is there", false, 0)}, []string{"Goodbye. true", "Is there false"}},
		"an older piece comes last":  {[]words{piece("1", "We are open.", true, 0), piece("2", "Is there", false, 0), piece("1", "We are", false, 0), piece("3", "Goodbye.", true, 0)}, []string{"We are open. true", "Is there false", "Goodbye. true"}},
		"ended after the next began": {[]words{piece("1", "Is there", false, 0), piece("2", "Good", false, 0), piece("1", "Is there more?", true, 0), piece("2", "Goodbye.", true, 0)}, []string{"Is there more? true", "Goodbye. true"}},
		"in two forms":               {[]words{piece("1", "We", false, 7), piece("1", "We", false, 0), piece("1", "We are", false, 8), piece("1", "We are", false, 0), piece("2", "Goodbye.", true, 9), piece("1", "We are open.", true, 0)}, []string{"We are open. true", "Goodbye. true"}},
		"nothing":                    {[]words{piece("1", "", true, 0)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := kept(c.pieces...); !slices.Equal(got, c.want) {
				t.Errorf("kept are %q, want %q", got, c.want)
			}
		})
	}
}

// TestTranscriptsInAnyOrder checks that the result does not depend on the order in which pieces
// arrive.
func TestTranscriptsInAnyOrder(t *testing.T) {
	t.Parallel()
	sent := []words{
		piece("1", "We", false, 1), piece("1", "We are", false, 2), piece("1", "We are open.", true, 3), piece("1", "We are open.", false, 4),
		piece("2", "Is there", false, 5), piece("3", "Goodbye.", true, 6),
	}
	want := []string{"We are open. true", "Is there false", "Goodbye. true"}
	orders := 0
	var try func(n int)
	try = func(n int) {
		if n == len(sent) {
			orders++
			if got := kept(sent...); !slices.Equal(got, want) {
				t.Errorf("of %v are kept %q, want %q", sent, got, want)
			}
			return
		}
		for i := n; i < len(sent); i++ {
			sent[n], sent[i] = sent[i], sent[n]
			try(n + 1)
			sent[n], sent[i] = sent[i], sent[n]
		}
	}
	try(0)
	if orders != 720 {
		t.Errorf("%d orders were tried, want 720", orders)
	}
}

// TestTranscriptsOfAClockThatIsPutBack checks that a sender's clock that is set back does not move
// its words by more than that, and only once.
func TestTranscriptsOfAClockThatIsPutBack(t *testing.T) {
	t.Parallel()
	all := newTranscripts()
	for i := range 20 {
		w := piece(fmt.Sprint(i), fmt.Sprint(i), true, 1_000_000+int64(i))
		if i >= 10 {
			w.sent -= 500_000
		}
		w.at = int64(i) * int64(time.Second)
		all.take(w)
	}
	told := all.told()
	if len(told) != 20 {
		t.Errorf("%d of 20 words are kept", len(told))
	}
	for _, w := range told {
		if want := all.segments[segment{"agent", w.segment}].at; w.at > want || want-w.at >= int64(overtaking) {
			t.Errorf("%s stands at %v, and came at %v", w.text, time.Duration(w.at), time.Duration(want))
		}
	}
}

// TestTranscriptsOfBothAndOfMany checks that one side's words do not end the other's, and that
// memory is bounded.
func TestTranscriptsOfBothAndOfMany(t *testing.T) {
	t.Parallel()
	all := newTranscripts()
	all.take(words{of: "agent", segment: "1", text: "How", at: 1})
	all.take(words{of: "caller", segment: "1", text: "Hi.", final: true, at: 2})
	all.take(words{of: "agent", segment: "1", text: "How are you?", final: true, at: 3})
	if got := all.told(); len(got) != 2 || got[0].text != "How are you?" || got[1].text != "Hi." {
		t.Errorf("kept are %v, want How are you? and Hi.", got)
	}
	for i := range 5 * mostTranscripts {
		all.take(words{of: "agent", segment: fmt.Sprint("s", i), text: "x", final: i%2 == 0})
	}
	if len(all.kept) != mostTranscripts || len(all.segments) != mostTranscripts {
		t.Errorf("%d words and %d segments are remembered, want %d", len(all.kept), len(all.segments), mostTranscripts)
	}
}

// TestNoMoreIsReadThanCanBeKept checks that streams that never end are only read up to the number
// that fits on the timeline, and that further ones are read once others have ended.
func TestNoMoreIsReadThanCanBeKept(t *testing.T) {
	t.Parallel()
	pacer := pace.NewPacer(time.Now, 1)
	t.Cleanup(pacer.Close)
	const long = 20 * time.Second // for a busy machine
	m := newMeeting(pacer, slog.New(slog.DiscardHandler))
	r := lksdk.NewRoom(&lksdk.RoomCallback{})
	m.listen(r)
	id := func(n int) string { return fmt.Sprint("s", n) }
	reads := func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.readers
	}
	tell := func(n int, patience time.Duration) (taken bool) {
		before := reads()
		r.OnStreamHeader(&livekit.DataStream_Header{
			StreamId: id(n), Topic: transcriptTopic, ContentHeader: &livekit.DataStream_Header_TextHeader{TextHeader: &livekit.DataStream_TextHeader{}},
		}, "agent")
		return settles(patience, func() bool { return reads() > before })
	}
	for n := range mostTranscripts {
		if !tell(n, long) {
			t.Fatalf("stream %d is not read", n)
		}
	}
	if tell(mostTranscripts, 100*time.Millisecond) {
		t.Error("one more is read than can be kept")
	}
	r.OnStreamTrailer(&livekit.DataStream_Trailer{StreamId: id(7)})
	if !settles(long, func() bool { return reads() == mostTranscripts-1 }) || !tell(mostTranscripts+1, long) {
		t.Error("nothing more is read when one is over")
	}
	for n := range mostTranscripts + 2 {
		r.OnStreamTrailer(&livekit.DataStream_Trailer{StreamId: id(n)})
	}
	if !settles(long, func() bool { return reads() == 0 }) {
		t.Errorf("%d are still read", reads())
	}
}

// listening returns a meeting that listens to a room.
func listening(t *testing.T) (*meeting, *guarded) {
	t.Helper()
	pacer := pace.NewPacer(time.Now, 1)
	t.Cleanup(pacer.Close)
	m := newMeeting(pacer, slog.New(slog.DiscardHandler))
	r := &guarded{Room: lksdk.NewRoom(&lksdk.RoomCallback{})}
	m.listen(r.Room)
	return m, r
}

// TestOneWhoBeginsAnewIsReadOnce checks that of several streams with the same name, only the newest
// has a reader.
func TestOneWhoBeginsAnewIsReadOnce(t *testing.T) {
	t.Parallel()
	m, r := listening(t)
	for range 20 {
		r.OnStreamHeader(&livekit.DataStream_Header{
			StreamId: "one", Topic: transcriptTopic, ContentHeader: &livekit.DataStream_Header_TextHeader{TextHeader: &livekit.DataStream_TextHeader{}},
		}, "agent")
		if !settles(20*time.Second, m.reading) {
			t.Fatal("nobody reads")
		}
	}
	r.OnStreamTrailer(&livekit.DataStream_Trailer{StreamId: "one"})
	if !settles(20*time.Second, func() bool { return !m.reading() }) {
		t.Error("one is still read that was begun anew")
	}
}

// TestOneWhoEndsTwiceAtOnceEndsNothingElse ends a stream on both data channels at once: the
// resulting race in the library's map would otherwise crash the process, with all its other calls.
func TestOneWhoEndsTwiceAtOnceEndsNothingElse(t *testing.T) {
	t.Parallel()
	m, r := listening(t)
	much := map[string]string{}
	for i := range 20_000 {
		much[strconv.Itoa(i)] = "value"
	}
	for range 5 {
		r.OnStreamHeader(&livekit.DataStream_Header{
			StreamId: "one", Topic: transcriptTopic, ContentHeader: &livekit.DataStream_Header_TextHeader{TextHeader: &livekit.DataStream_TextHeader{}},
		}, "agent")
		var channels sync.WaitGroup
		for range 2 {
			channels.Go(func() { r.OnStreamTrailer(&livekit.DataStream_Trailer{StreamId: "one", Attributes: much}) })
		}
		channels.Wait()
	}
	if !settles(20*time.Second, func() bool { return !m.reading() }) {
		t.Error("one is still read that has ended")
	}
}

// settles waits until a condition holds, for at most patience.
func settles(patience time.Duration, so func() bool) bool {
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if so() {
			return true
		}
	}
	return so()
}

// TestClip checks that a cut within a character removes all of it, and that bytes that are not text
// are removed.
func TestClip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"as it is": "as it is", "äöüäöü": "äöüäö", "12345678€": "12345678", "1234567890123": "1234567890",
		"\xff\xfe\x00a\tb\x1b\n": "a\tb\n", "\xff\xff\xff\xff": "", "a�b": "a�b",
	} {
		if got := clip(text, 10); got != want {
			t.Errorf("%q is clipped to %q, want %q", text, got, want)
		}
	}
}
