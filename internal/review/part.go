package review

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// parted splits a heard turn where, by the times of the transcript, another speaker goes on in the
// same channel, as after a transfer. Each turn then belongs to one speaker.
func parted(told, heard []call.Turn, offset time.Duration) []call.Turn {
	if !slices.ContainsFunc(told, func(t call.Turn) bool { return t.By != "" }) {
		return heard
	}
	out := make([]call.Turn, 0, len(heard))
	for _, h := range heard {
		for i, s := range h.Segments {
			by, now := speakerIn(told, h.Speaker, s, offset), len(out)-1
			if i > 0 && out[now].By == by {
				out[now].Segments, out[now].End = append(out[now].Segments, s), max(out[now].End, s.End)
				continue
			}
			part := h
			part.By, part.Start, part.End, part.Segments = by, s.Start, s.End, []call.Segment{s}
			out = append(out, part)
		}
		if len(h.Segments) == 0 {
			out = append(out, h)
		}
	}
	return out
}

// speakerIn is who speaks most in a stretch of a side's channel according to the transcript; where
// no turn lies in the stretch, the speaker of the nearest one.
func speakerIn(told []call.Turn, who call.Speaker, s call.Segment, offset time.Duration) (by string) {
	best, found := time.Duration(0), false
	for _, t := range told {
		if t.Speaker != who || t.Start < 0 {
			continue
		}
		t = moved(t, offset)
		if shared := min(endOf(t), s.End) - max(t.Start, s.Start); !found || shared > best {
			best, by, found = shared, t.By, true
		}
	}
	return by
}

// speaks reports whether a speaker's words may be written into a heard turn: it is theirs, or
// nobody's yet. Two people never share one.
func speaks(heard *call.Turn, by string) bool {
	if heard.Text == "" {
		heard.By = by
	}
	return heard.By == by
}
