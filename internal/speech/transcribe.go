package speech

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/review"
)

// sphinxRate is the rate of pocketsphinx's model in Hz.
const sphinxRate = 16000

// segmentMargin is how much of what lies around a segment the recogniser hears,
// edgeSilence the silence that is put around that.
const (
	segmentMargin = 150 * time.Millisecond
	edgeSilence   = 60 * time.Millisecond
)

// batchProgram recognises files, each as one utterance. The program that ears
// use finds utterances by itself and now and then places one seconds away from
// where it was, so that its words would be put into another turn.
const batchProgram = "pocketsphinx_batch"

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
	p, err := s.prepare(r.Hints, r.Maybe)
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
	offsets, length, err := layOut(p.dir, r)
	if err != nil {
		return err
	}
	// Silence is kept, because without it the words' times would be those of the speech alone.
	args := append(p.args, "-adcin", "yes", "-adchdr", "0", "-remove_silence", "no", "-cepdir", p.dir, "-cepext", partSuffix,
		"-ctl", filepath.Join(p.dir, partList), "-ctm", "/dev/stdout",
		"-nbest", strconv.Itoa(searched), "-nbestdir", p.dir, "-nbestext", readingsSuffix)
	text, err := s.programs.run(ctx, 2*time.Minute+2*length, prioIdle, batchProgram, args...)
	if err != nil {
		return err
	}
	for _, w := range parseWords(string(text), len(offsets)) {
		w.word.Start, w.word.End = w.word.Start+offsets[w.part], w.word.End+offsets[w.part]
		out[w.part].Words = append(out[w.part].Words, w.word)
	}
	for i := range out {
		out[i].Text = joinWords(out[i].Words)
		list, err := os.ReadFile(filepath.Join(p.dir, partPrefix+strconv.Itoa(i)+readingsSuffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("read what else was heard: %w", err)
		}
		out[i].Readings = readingsIn(string(list), out[i].Text)
	}
	return nil
}

// The recogniser's input: a file for each segment, named by its number, and the list of them.
const (
	partPrefix = "part"
	partSuffix = ".raw"
	// readingsSuffix is of what the program writes beside: other ways to understand a segment.
	readingsSuffix = ".readings"
	partList       = "parts"
)

// layOut writes each segment into a file of its own, at the recogniser's rate,
// with a little of what lies around it. It returns the media time at which each
// file begins, and the length of all together.
func layOut(dir string, r review.Speech) (offsets []time.Duration, length time.Duration, err error) {
	var list strings.Builder
	silence := make([]int16, int(edgeSilence*sphinxRate/time.Second))
	for i, seg := range r.Segments {
		from, to := withMargin(seg, r)
		input := slices.Concat(silence, audio.Resample(r.PCM[from:to], r.Rate, sphinxRate), silence)
		name := partPrefix + strconv.Itoa(i)
		if err := os.WriteFile(filepath.Join(dir, name+partSuffix), bytesOf(input), 0o600); err != nil {
			return nil, 0, fmt.Errorf("write the speech: %w", err)
		}
		list.WriteString(name + "\n")
		offsets = append(offsets, durationOf(from, r.Rate)-edgeSilence)
		length += durationOf(len(input), sphinxRate)
	}
	if err := os.WriteFile(filepath.Join(dir, partList), []byte(list.String()), 0o600); err != nil {
		return nil, 0, fmt.Errorf("write the list of speech: %w", err)
	}
	return offsets, length, nil
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

// partWord is a word with the number of the file it was heard in.
type partWord struct {
	part int
	word call.Word
}

// How many readings of each segment are looked for, and how many of them are
// kept. Their scores say little: two texts that differ in many places may lie
// apart although each of the differences is as good as none.
const (
	searched     = 100
	mostReadings = 60
)

// readingsIn reads the program's list of hypotheses, a line of words and their
// score each, the likeliest first. The text that was chosen is left out.
func readingsIn(list, chosen string) []string {
	var out []string
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		text := hypotheses([]byte(strings.Join(f[:len(f)-1], " ")))
		if text == chosen || text == "" || slices.Contains(out, text) {
			continue
		}
		if out = append(out, text); len(out) == mostReadings {
			break
		}
	}
	return out
}

// parseWords reads the program's output in the CTM format: lines of "file
// channel start length word confidence" in seconds from the beginning of the
// file. Lines that are none, or speak of none of the n files, say nothing.
func parseWords(text string, n int) []partWord {
	var out []partWord
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Fields(line)
		if len(f) != 6 {
			continue
		}
		number, isPart := strings.CutPrefix(f[0], partPrefix)
		part, err := strconv.Atoi(number)
		start, err1 := strconv.ParseFloat(f[2], 64)
		length, err2 := strconv.ParseFloat(f[3], 64)
		if !isPart || err != nil || part < 0 || part >= n || err1 != nil || err2 != nil || !(start >= 0 && length >= 0 && start+length < 1e6) {
			continue
		}
		if word := plainWord(f[4]); word != "" {
			out = append(out, partWord{part, call.Word{Text: word, Start: seconds(start), End: seconds(start + length), Confidence: confidence(f[5])}})
		}
	}
	return out
}

// confidence is how sure the program is of a word: what it writes, but never
// nought, which would mean that it does not tell, unless it tells nothing.
func confidence(text string) float64 {
	sure, err := strconv.ParseFloat(text, 64)
	if err != nil || !(sure >= 0) {
		return 0
	}
	return min(max(math.Round(sure*100)/100, 0.01), 1)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// plainWord drops the number of a pronunciation ("to(2)") and everything that
// is no word (silence, noise, empty grammar nodes).
func plainWord(s string) string {
	if s == "" || strings.ContainsAny(s[:1], "<[+(") {
		return ""
	}
	s, _, _ = strings.Cut(s, "(")
	if strings.ContainsAny(s, "<>[]") {
		return ""
	}
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
