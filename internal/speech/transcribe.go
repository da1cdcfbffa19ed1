package speech

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/review"
)

// sphinxRate is the rate of pocketsphinx's model in Hz.
const sphinxRate = 16000

// The layout of what the recogniser is fed: each segment with a little of what
// lies around it, and enough silence between two that they become utterances of
// their own.
const (
	segmentMargin  = 150 * time.Millisecond
	segmentSilence = 900 * time.Millisecond
	// warmUp of the recording's own speech is heard twice. The recogniser learns
	// the voice and the line from what it hears; without it the first turns suffer.
	warmUp = 6 * time.Second
)

// placed is a segment's place in the recogniser's input.
type placed struct {
	start, end time.Duration // in the input
	offset     time.Duration // media time minus input time
}

// Transcribe implements review.Transcriber: one process hears all segments.
func (s *sphinx) Transcribe(ctx context.Context, r review.Speech) ([]review.Transcript, error) {
	out := make([]review.Transcript, len(r.Segments))
	if len(r.Segments) == 0 {
		return out, nil
	}
	if err := checkEnglish(r.Language); err != nil {
		return nil, err
	}
	if s.gate != nil {
		if err := s.gate(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.slots.take(ctx); err != nil {
		return nil, err
	}
	defer s.slots.give()
	p, err := s.prepare(r.Hints)
	if err != nil {
		return nil, err
	}
	defer p.done()
	if len(p.unknown) > 0 {
		s.log.Info("some hint words have no pronunciation and cannot be recognised", "words", len(p.unknown))
	}
	return out, s.hearAll(ctx, p, r, out)
}

func (s *sphinx) hearAll(ctx context.Context, p *prepared, r review.Speech, out []review.Transcript) error {
	input, places := layOut(r)
	raw := filepath.Join(p.dir, "speech.raw")
	if err := os.WriteFile(raw, bytesOf(input), 0o600); err != nil {
		return fmt.Errorf("write the speech: %w", err)
	}
	length := time.Duration(len(input)) * time.Second / sphinxRate
	args := append(p.args, "-infile", raw, "-time", "yes")
	text, err := s.programs.run(ctx, 2*time.Minute+2*length, prioIdle, sphinxProgram, args...)
	if err != nil {
		return err
	}
	for _, w := range parseWords(string(text)) {
		mid := (w.Start + w.End) / 2
		if i := placeOf(places, mid); i >= 0 && mid >= places[0].start-segmentSilence/2 {
			w.Start, w.End = w.Start+places[i].offset, w.End+places[i].offset
			out[i].Words = append(out[i].Words, w)
		}
	}
	for i := range out {
		out[i].Text = joinWords(out[i].Words)
	}
	return nil
}

// layOut puts the segments one after the other at the recogniser's rate, behind
// the warm-up.
func layOut(r review.Speech) ([]int16, []placed) {
	silence := make([]int16, int(segmentSilence*sphinxRate/time.Second))
	input := append([]int16(nil), silence...)
	left := int(warmUp * time.Duration(r.Rate) / time.Second)
	for _, seg := range r.Segments {
		from, to := withMargin(seg, r)
		to = min(to, from+left)
		left -= to - from
		if to > from {
			input = append(append(input, audio.Resample(r.PCM[from:to], r.Rate, sphinxRate)...), silence...)
		}
	}
	places := make([]placed, 0, len(r.Segments))
	for _, seg := range r.Segments {
		from, to := withMargin(seg, r)
		start := durationOf(len(input), sphinxRate)
		if to > from {
			input = append(input, audio.Resample(r.PCM[from:to], r.Rate, sphinxRate)...)
		}
		end := durationOf(len(input), sphinxRate)
		places = append(places, placed{start: start, end: end, offset: durationOf(from, r.Rate) - start})
		input = append(input, silence...)
	}
	return input, places
}

// withMargin is a segment with a little of what lies around it, in samples.
func withMargin(seg call.Segment, r review.Speech) (from, to int) {
	from = clampIndex(seg.Start-segmentMargin, r.Rate, len(r.PCM))
	return from, max(from, clampIndex(seg.End+segmentMargin, r.Rate, len(r.PCM)))
}

func clampIndex(at time.Duration, rate, n int) int {
	return min(max(int(at*time.Duration(rate)/time.Second), 0), n)
}

func durationOf(samples, rate int) time.Duration {
	return time.Duration(samples) * time.Second / time.Duration(rate)
}

func bytesOf(pcm []int16) []byte {
	out := make([]byte, 2*len(pcm))
	for i, v := range pcm {
		binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
	}
	return out
}

// placeOf finds the segment nearest to a time in the input.
func placeOf(places []placed, at time.Duration) int {
	best, distance := -1, time.Duration(1<<62)
	for i, p := range places {
		d := max(p.start-at, at-p.end, 0)
		if d < distance {
			best, distance = i, d
		}
	}
	return best
}

// parseWords reads the program's "-time yes" output: lines of "word start end
// confidence" in seconds. Other lines are whole hypotheses and say nothing new.
func parseWords(text string) []call.Word {
	var out []call.Word
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Fields(line)
		if len(f) != 4 {
			continue
		}
		start, err1 := strconv.ParseFloat(f[1], 64)
		end, err2 := strconv.ParseFloat(f[2], 64)
		_, err3 := strconv.ParseFloat(f[3], 64)
		if err1 != nil || err2 != nil || err3 != nil || !(start >= 0 && end >= start && end < 1e6) {
			continue
		}
		if word := plainWord(f[0]); word != "" {
			out = append(out, call.Word{Text: word, Start: seconds(start), End: seconds(end)})
		}
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// plainWord drops the number of a pronunciation ("to(2)") and everything that
// is no word (silence, noise, empty grammar nodes).
func plainWord(s string) string {
	if s == "" || strings.ContainsAny(s[:1], "<[+(") {
		return ""
	}
	s, _, _ = strings.Cut(s, "(")
	return s
}

func joinWords(words []call.Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
