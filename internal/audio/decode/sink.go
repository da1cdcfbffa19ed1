package decode

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// sink receives a decoder's output, resamples it to the rate that is kept and enforces the limits.
type sink struct {
	ctx    context.Context
	limits Limits
	notes  []string

	rate     int // of the input
	out      int // of the output
	channels []track
	resample []*audio.Resampler
	filters  map[int]*audio.Resampler // by input rate: a file may change its rate with every frame
	taken    int64                    // samples per channel since the rate last changed
	samples  int64                    // samples per channel in total
	before   time.Duration            // duration before the last change
	mixed    []int16
	heavy    bool // limits.Heavy was called
}

// remark adds a note, once.
func (s *sink) remark(note string) {
	if !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
}

// add implements audio.Blocks.
func (s *sink) add(rate int, block [][]int16) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if err := s.open(rate, len(block)); err != nil {
		return err
	}
	s.taken += int64(len(block[0]))
	s.samples += int64(len(block[0]))
	if s.samples > s.limits.samples() {
		return fmt.Errorf("%w: more than %s have at %d Hz", ErrTooFine, s.limits.Length, usualRate)
	}
	if s.length() > s.limits.Length {
		return fmt.Errorf("%w: more than %s", ErrTooLong, s.limits.Length)
	}
	if err := s.weigh(); err != nil {
		return err
	}
	for c, pcm := range s.fit(block) {
		t := &s.channels[c]
		t.under = s.resample[c].Append(t.under, pcm)
		t.settle()
	}
	return nil
}

// pause adds n samples of silence, which cost no memory until the end: a file of a few bytes
// can claim hours of it, and most of those are rejected later.
func (s *sink) pause(rate, channels int, n int64) error {
	if err := s.open(rate, channels); err != nil {
		return err
	}
	s.taken += n
	if s.length() > s.limits.Length {
		return fmt.Errorf("%w: more than %s", ErrTooLong, s.limits.Length)
	}
	if err := s.weigh(); err != nil {
		return err
	}
	s.flush()
	n = n * int64(s.out) / int64(rate)
	for c := range s.channels {
		s.channels[c].rest(int(n))
		s.resample[c] = s.resample[c].Fresh()
	}
	return nil
}

// narrowRate is the rate at which long audio is kept: that of a telephone.
const narrowRate = 8000

// weigh calls limits.Heavy for long audio, and resamples very long audio.
func (s *sink) weigh() error {
	length := s.length()
	if length > HeavyLength && !s.heavy && s.limits.Heavy != nil {
		s.heavy = true
		if err := s.limits.Heavy(s.ctx); err != nil {
			return err
		}
	}
	if length <= s.limits.Wide || s.out <= narrowRate {
		return nil
	}
	s.flush()
	for c := range s.channels {
		s.channels[c].narrow(s.out, narrowRate)
	}
	s.out, s.filters, s.resample = narrowRate, nil, s.resample[:0]
	for range s.channels {
		s.resample = append(s.resample, s.filter(s.rate))
	}
	return nil
}

func (s *sink) length() time.Duration {
	if s.rate == 0 {
		return 0
	}
	return s.before + time.Duration(float64(s.taken)/float64(s.rate)*float64(time.Second))
}

// open begins, or continues at another rate, as concatenated files do.
func (s *sink) open(rate, channels int) error {
	switch {
	case channels < 1 || channels > 2:
		return fmt.Errorf("%w: it has %d channels; mono and stereo are read", ErrFormat, channels)
	case rate < minRate || rate > maxRate:
		return fmt.Errorf("%w: a sample rate of %d Hz (%d to %d are read)", ErrFormat, rate, minRate, maxRate)
	case rate == s.rate:
		return nil
	}
	if s.rate == 0 {
		s.out = min(rate, s.limits.Rate)
		s.channels = make([]track, channels)
	}
	s.flush()
	s.before, s.taken, s.rate = s.length(), 0, rate
	s.resample = s.resample[:0]
	for range s.channels {
		s.resample = append(s.resample, s.filter(rate))
	}
	return nil
}

// filter returns a resampler from a rate to the one that is kept.
func (s *sink) filter(rate int) *audio.Resampler {
	if s.filters[rate] == nil {
		if s.filters == nil {
			s.filters = map[int]*audio.Resampler{}
		}
		s.filters[rate] = audio.NewResampler(rate, s.out)
	}
	return s.filters[rate].Fresh()
}

// Limits of the supported sample rates, in Hz.
const (
	minRate = 4000
	maxRate = 192000
	// usualRate is the highest rate at which audio may have the full length allowed. The cost
	// of resampling is proportional to the number of samples, and a few bytes of FLAC can stand
	// for hours at the highest rate.
	usualRate = 48000
)

// samples returns the maximum number of samples per channel.
func (l Limits) samples() int64 { return int64(l.Length.Seconds() * usualRate) }

func (s *sink) flush() {
	for c, r := range s.resample {
		s.channels[c].under = r.End(s.channels[c].under)
	}
}

// fit returns a block with the number of channels with which the audio began.
func (s *sink) fit(block [][]int16) [][]int16 {
	switch {
	case len(block) == len(s.channels):
		return block
	case len(block) == 1:
		return [][]int16{block[0], block[0]}
	}
	mixed := s.mixed[:0]
	for i, l := range block[0] {
		mixed = append(mixed, int16((int32(l)+int32(block[1][i]))/2))
	}
	s.mixed = mixed
	return [][]int16{mixed}
}

// sound returns the result.
func (s *sink) sound() (audio.Sound, error) {
	s.flush()
	out := audio.Sound{Channels: make([][]int16, len(s.channels)), Rate: s.out, Note: strings.Join(s.notes, "; "), Cut: slices.Contains(s.notes, noteCut)}
	for c := range s.channels {
		out.Channels[c] = s.channels[c].whole()
	}
	if len(out.Channels) == 0 || len(out.Channels[0]) == 0 {
		return audio.Sound{}, fmt.Errorf("%w: there is no sound in it", ErrFormat)
	}
	return out, nil
}
