package decode

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ringtrue/ringtrue/internal/audio/mp3"
)

// mp3 decodes a file of MPEG audio layer III.
func (s *sink) mp3(b *bufio.Reader) error {
	d := mp3.New(b)
	for {
		rate, block, err := d.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := s.add(rate, block); err != nil {
			return err
		}
	}
	switch {
	case s.taken == 0 && s.before == 0:
		return fmt.Errorf("%w: no MP3 frame in it can be read", ErrFormat)
	case d.Damaged:
		s.remark(noteDamaged)
	case d.Cut:
		s.remark(noteCut)
	}
	return nil
}
