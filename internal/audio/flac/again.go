package flac

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// files reads the frames of one file after another, as whoever joins pieces leaves them.
func (d *decoder) files(out *sound, each audio.Blocks) (whole bool, err error) {
	for {
		whole, err = d.frames(out, each)
		if err != nil && !errors.Is(err, audio.ErrFormat) || !d.another() {
			break
		}
	}
	if err == nil && d.more {
		err = audio.ErrMore
	}
	return whole, err
}

// another goes on to a file that begins here. Where that is none, or one of another kind, nothing is
// taken from the sound before it.
func (d *decoder) another() bool {
	if mark, _ := d.bits.r.Peek(len(magic)); string(mark) != magic {
		return false
	}
	info, err := readHead(d.bits)
	if err != nil || info.rate != d.info.rate || info.channels != d.info.channels {
		d.more = true
		return false
	}
	if d.done < d.info.total {
		d.blame(fmt.Errorf("%w: frames are missing", errFormat))
	}
	d.info, d.done, d.count, d.joined = info, 0, counting{}, true
	return true
}

// frames reads all frames, and passes over those that are damaged. whole is false
// when the file ended before its sound; the error is that of the first damage.
func (d *decoder) frames(out *sound, each audio.Blocks) (whole bool, err error) {
	for d.info.total == 0 || d.done < d.info.total || d.goesOn() {
		switch err := d.next(out); {
		case errors.Is(err, errEnd):
			return d.fault == nil && d.info.total == 0, d.fault
		case errors.Is(err, io.ErrUnexpectedEOF) && (d.done > 0 || d.fault != nil || d.joined):
			return false, d.fault
		case err != nil:
			return false, faultOf(err)
		}
		if err := d.give(out, each); err != nil {
			return false, err
		}
	}
	return d.fault == nil, d.fault
}

// next reads the next frame that is whole.
func (d *decoder) next(out *sound) error {
	for {
		err := d.frame(out)
		if !errors.Is(err, audio.ErrFormat) {
			return err
		}
		d.blame(err)
		out.drop()
		if d.isWaste() {
			return errEnd
		}
		if err := d.resync(); err != nil {
			return err
		}
	}
}

const (
	// maxInVain is how many samples may be made for frames that turn out not to be whole,
	// beyond what so many bytes hold of sound: a few bytes can claim 65535 and have each predicted.
	maxInVain = 1 << 26
	// perByte is how many samples a byte of sound holds at most, other than of silence.
	perByte = 4
)

// isWaste reports whether the frames that were not whole have cost more than the file is worth.
// A file that is merely damaged comes nowhere near.
func (d *decoder) isWaste() bool {
	d.inVain += max(0, d.claimed-perByte*d.bits.taken)
	return d.inVain > maxInVain
}

// blame keeps the first fault.
func (d *decoder) blame(err error) {
	if d.fault == nil {
		d.fault = err
	}
}

// give gives a frame away, and silence for what is missing before it.
func (d *decoder) give(out *sound, each audio.Blocks) error {
	if missing := d.missing(); missing > 0 {
		d.blame(fmt.Errorf("%w: frames are missing", errFormat))
		if err := out.silence(missing, each); err != nil {
			return err
		}
		d.done += uint64(missing)
	}
	n := len(out.channels[0])
	d.done += uint64(n)
	if d.info.total > 0 && d.done > d.info.total {
		d.outgrow()
	}
	return out.hand(n, each)
}

// goesOn reports whether a frame follows although all samples are there that the file claims to
// have. Whatever else follows is no sound.
func (d *decoder) goesOn() bool {
	head, _ := d.bits.r.Peek(maxHead)
	if len(head) < 2 || head[0] != 0xff || head[1]&0xfe != 0xf8 || !d.begins(head) {
		return false
	}
	d.outgrow()
	return true
}

// outgrow believes the frames and not the description, which claims fewer samples than there are.
func (d *decoder) outgrow() {
	d.blame(fmt.Errorf("%w: it has more samples than it claims", errFormat))
	d.info.total = 0
}

// maxHead is the longest header of a frame, in bytes.
const maxHead = 16

// resync passes over what is damaged, up to where a frame seems to begin:
// errEnd when none does. It only goes on from where the damage was noticed, so
// that no file is read more than once; a frame that the damage reached is lost too.
func (d *decoder) resync() error {
	b := d.bits
	b.align()
	b.held = 0
	for {
		head, err := b.r.Peek(maxHead)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case len(head) < 2:
			return errEnd
		case head[0] == 0xff && head[1]&0xfe == 0xf8 && d.begins(head):
			return nil
		}
		// No frame begins before the next byte of ones.
		skip := bytes.IndexByte(head[1:], 0xff) + 1
		if skip == 0 {
			skip = len(head)
		}
		if _, err := b.r.Discard(skip); err != nil {
			return err
		}
	}
}

// begins says whether a whole header of a frame of this file stands there.
func (d *decoder) begins(head []byte) bool {
	if d.probe == nil {
		d.probe = newBitReader(nil)
	}
	p := d.probe
	p.r.Reset(bytes.NewReader(head))
	p.held, p.err = 0, nil
	p.begin()
	_, err := (&decoder{bits: p, info: d.info}).header()
	return err == nil
}

// counting is how the frames of a file are counted.
type counting struct {
	known bool
	// size is how many samples a number stands for, 1 where samples are counted.
	size uint64
	// first is what the first frame counts as: a stream that was joined late does
	// not begin with 0. Where the first was damaged it is taken for 0.
	first uint64
	// senseless says that frames which follow each other are not counted so.
	senseless bool
}

// maxHole is the longest stretch that is filled with silence, in seconds. A
// longer one is a fault of the counting.
const maxHole = 3600

// missing is how many samples are missing before the frame that was read last,
// by how the file counts its frames.
func (d *decoder) missing() int {
	f, c := d.last, &d.count
	if !c.known {
		*c = counting{known: true, size: uint64(f.size)}
		if f.variable {
			c.size = 1
		}
		if d.fault == nil {
			c.first = f.number * c.size
		}
	}
	place := f.number*c.size - c.first
	if c.senseless || place == d.done {
		return 0
	}
	if gap := place - d.done; place > d.done && gap <= uint64(d.info.rate)*maxHole && (d.info.total == 0 || place <= d.info.total) {
		return int(gap)
	}
	c.senseless = true
	return 0
}
