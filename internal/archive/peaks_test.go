package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// wav is a file of 16-bit samples with an extra chunk before them, as other tools write.
func wav(channels uint16, samples ...int16) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	b.WriteString("RIFF")
	put(uint32(4 + 24 + 12 + 8 + 2*len(samples)))
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put(uint16(1))
	put(channels)
	put(uint32(8000))
	put(8000 * 2 * uint32(channels))
	put(2 * channels)
	put(uint16(16))
	b.WriteString("LIST")
	put(uint32(3))
	b.WriteString("abc\x00data")
	put(uint32(2 * len(samples)))
	put(samples)
	return b.Bytes()
}

func TestPeaksFollowBothChannels(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	blobs.blobs["k1"] = wav(2, 1, -1, -5, 7, 30, 0, 2, -9, 100, 1)
	p, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, Window{})
	if err != nil {
		t.Fatal(err)
	}
	want := Peaks{Rate: 8000, Samples: 5, Until: 5, Caller: []Peak{{-5, 1}, {2, 100}}, Agent: []Peak{{-1, 7}, {-9, 1}}}
	if !reflect.DeepEqual(want, p) {
		t.Fatalf("%+v", p)
	}
	p, err = s.Peaks(t.Context(), "ws_a", "call_1", maxPeaks, Window{})
	if err != nil || len(p.Caller) != 5 || p.Caller[2] != (Peak{30, 30}) || p.Agent[4] != (Peak{1, 1}) {
		t.Fatalf("one peak per sample: %+v, %v", p, err)
	}
	if blobs.closed != blobs.opened {
		t.Fatalf("%d readers opened, %d closed", blobs.opened, blobs.closed)
	}
}

// TestPeaksOfAStretch: a sample is 125 µs long at this rate.
func TestPeaksOfAStretch(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	blobs.blobs["k1"] = wav(2, 1, -1, -5, 7, 30, 0, 2, -9, 100, 1)
	const sample = 125 * time.Microsecond
	for _, c := range []struct {
		w      Window
		caller []Peak
	}{
		{Window{From: sample}, []Peak{{-5, 30}, {2, 100}}},
		{Window{From: 2 * sample, Until: 4 * sample}, []Peak{{30, 30}, {2, 2}}},
		{Window{Until: 2 * sample}, []Peak{{1, 1}, {-5, -5}}},
		{Window{From: 4 * sample, Until: 1 << 62}, []Peak{{100, 100}}},
		{Window{From: time.Hour}, []Peak{}},
	} {
		p, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, c.w)
		if err != nil || !reflect.DeepEqual(p.Caller, c.caller) || p.Samples != 5 {
			t.Errorf("%+v: %+v, %v", c.w, p, err)
		}
	}
	for _, w := range []Window{{From: -1}, {Until: -1}, {From: 2, Until: 2}} {
		if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 2, w); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if blobs.closed != blobs.opened {
		t.Errorf("%d readers opened, %d closed", blobs.opened, blobs.closed)
	}
}

// Of a long recording the outline is made once; it holds every sample of its
// stretch and at most a stretch of the kept outline more.
func TestLongRecordingsAreReadOnce(t *testing.T) {
	t.Parallel()
	s, tx, blobs := bundle()
	const frames = readWhole + 12_345
	samples := make([]int16, 2*frames)
	for i := range frames {
		samples[2*i] = int16(i / 256 % 30_000)
	}
	samples[2*1_000_000+1], samples[2*(frames-1)+1] = 777, -888
	blobs.blobs["k1"] = wav(2, samples...)
	c := tx.calls[3]
	c.Recording.SHA256, c.Recording.Samples = "digest", frames
	first, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{})
	if err != nil || len(first.Caller) != 100 {
		t.Fatalf("%+v %v", first, err)
	}
	opened := blobs.opened
	again, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{})
	if err != nil || blobs.opened != opened || !reflect.DeepEqual(first, again) {
		t.Errorf("it was read again: %d opened, then %d; %v", opened, blobs.opened, err)
	}
	for i := range 100 {
		from, until := frames*i/100, frames*(i+1)/100
		var agent Peak
		caller := empty()
		for k := from; k < until; k++ {
			widen(&caller, samples[2*k])
			widen(&agent, samples[2*k+1])
		}
		got := first.Caller[i]
		if got.Min > caller.Min || got.Max < caller.Max || got.Min < caller.Min-1 && caller.Min != 0 || got.Max > caller.Max+1 {
			t.Errorf("peak %d is %+v, the samples %+v", i, got, caller)
		}
		if a := first.Agent[i]; a != agent {
			t.Errorf("peak %d of the agent is %+v, the samples %+v", i, a, agent)
		}
	}
	if zoomed, err := s.Peaks(t.Context(), "ws_a", "call_1", 4, Window{From: 125 * time.Second, Until: 125*time.Second + time.Millisecond}); err != nil || zoomed.Agent[0] != (Peak{0, 777}) || zoomed.Agent[1] != (Peak{}) {
		t.Errorf("a part is exact: %+v %v", zoomed, err)
	}
	c.Recording.SHA256 = "other"
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 100, Window{}); err != nil || blobs.opened != opened+3 {
		t.Errorf("a recording that has changed is the one before: %v", err)
	}
}

func TestOutlinesAreBounded(t *testing.T) {
	t.Parallel()
	var k outlines
	long := &outlineOf{caller: make([]Peak, outlinesBytes/8/4)}
	for i := range 10 {
		k.put(fmt.Sprint(i), long)
		if k.get("0") == nil {
			t.Errorf("the one that is asked for all the time is gone after %d", i)
		}
	}
	if k.bytes > outlinesBytes || len(k.kept) != 3 || len(k.order) != 3 {
		t.Errorf("%d bytes, %d kept, %d in order", k.bytes, len(k.kept), len(k.order))
	}
	k.put("too long", &outlineOf{caller: make([]Peak, outlinesBytes)})
	if k.get("too long") != nil {
		t.Error("one is kept that is larger than all may be")
	}
}

func TestPeaksRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	s, _, blobs := bundle()
	for _, n := range []int{0, -1, maxPeaks + 1} {
		if _, err := s.Peaks(t.Context(), "ws_a", "call_1", n, Window{}); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("n %d: %v", n, err)
		}
	}
	if blobs.opened != 0 {
		t.Error("a bad n opened the recording")
	}
	if _, err := s.Peaks(t.Context(), "ws_b", "call_1", 10, Window{}); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace: %v", err)
	}
	blobs.blobs["k1"] = wav(2, 1, 2, 3, 4)[:50]
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 1, Window{}); err == nil {
		t.Error("a recording that is cut off gave peaks")
	}
	blobs.blobs["k1"] = wav(1, 1, 2)
	if _, err := s.Peaks(t.Context(), "ws_a", "call_1", 1, Window{}); err == nil {
		t.Error("a single channel gave peaks of two")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	blobs.blobs["k1"] = wav(2, 1, 2)
	if _, err := s.Peaks(ctx, "ws_a", "call_1", 1, Window{}); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits any more: %v", err)
	}
}

func opener(data []byte) Opener {
	return func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
		part := data[min(offset, int64(len(data))):]
		if length >= 0 {
			part = part[:min(length, int64(len(part)))]
		}
		return io.NopCloser(bytes.NewReader(part)), nil
	}
}

func FuzzOutline(f *testing.F) {
	f.Add(wav(2, 1, 2, 3, 4), 2)
	f.Add(wav(1, 1), 1)
	f.Add([]byte("RIFF\xff\xff\xff\xffWAVEdata"), 4000)
	f.Add([]byte("RIFF0000WAVEfmt \xff\xff\xff\xff"), 3)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n < 1 || n > maxPeaks {
			return
		}
		p, err := outline(t.Context(), opener(data), n, Window{})
		if err != nil {
			return
		}
		if len(p.Caller) != len(p.Agent) || len(p.Caller) > n || p.Samples > int64(len(data)) {
			t.Fatalf("%d and %d peaks for n %d, %d samples of %d bytes", len(p.Caller), len(p.Agent), n, p.Samples, len(data))
		}
	})
}
