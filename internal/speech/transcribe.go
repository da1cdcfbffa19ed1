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

// sphinxRate is the sample rate of pocketsphinx's model in Hz.
const sphinxRate = 16000

// segmentMargin is how much audio around a segment is passed to the recogniser, edgeSilence the
// silence added around that.
const (
	segmentMargin = 150 * time.Millisecond
	edgeSilence   = 60 * time.Millisecond
)

// batchProgram recognises files, each as one utterance. The program used for ears detects
// utterances by itself and sometimes places one seconds away from where it was, which would put
// its words into another turn.
const batchProgram = "pocketsphinx_batch"

// Transcribe implements review.Transcriber with one process for all segments.
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
	// Removing silence would make the times of words relative to the speech alone.
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

// The recogniser's input: one file per segment, named by its number, and a list of the files.
const (
	partPrefix = "part"
	partSuffix = ".raw"
	// readingsSuffix is the suffix of the files with alternative hypotheses for a segment.
	readingsSuffix = ".readings"
	partList       = "parts"
)

// layOut writes each segment to a file of its own, at the recogniser's rate and with a margin.
// It returns the media time at which each file begins, and the total length.
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

// withMargin returns the range of a segment and its margin, in samples.
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

// partWord is a word and the number of the file in which it was recognised.
type partWord struct {
	part int
	word call.Word
}

// How many hypotheses per segment are requested and kept. Their scores are of little use: two texts
// that differ in many places can have distant scores although each difference matters little.
const (
	searched     = 100
	mostReadings = 60
)

// readingsIn parses the program's list of hypotheses, lines of words and a score, likeliest
// first. The chosen text is left out.
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

// parseWords parses the program's output in CTM format: lines of "file channel start length
// word confidence", with times in seconds from the beginning of the file. Invalid lines, and
// those about none of the n files, are skipped.
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

// confidence parses the program's confidence in a word. An explicit 0 is replaced by a small
// value, since 0 means that there is none.
func confidence(text string) float64 {
	sure, err := strconv.ParseFloat(text, 64)
	if err != nil || !(sure >= 0) {
		return 0
	}
	return min(max(math.Round(sure*100)/100, 0.01), 1)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// plainWord removes the number of a pronunciation variant ("to(2)"). It returns "" for what is
// not a word (silence, noise, empty grammar nodes).
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
