package main

import (
	"hash/crc32"

	"github.com/ringtrue/ringtrue/bench/callers"
	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	frameSize = 160
	frameTime = 20_000_000 // ns
	rate      = 8000
)

// The far end's turns, in frames: it alternates between speech and silence, so that the callers
// hear speech begin and end, and answer.
const (
	turnFrames  = 200
	speakFrames = 80
)

// content is what the far end says: vowels during its turns and faint noise between them. Every
// frame of every call contains a code, so that it cannot be taken for another.
type content struct {
	loud, faint [][frameSize]byte
}

func newContent(seed uint64) *content {
	const seconds = 7
	c := &content{}
	pcm := callers.Vowels(seed, rate, seconds*rate, -22)
	c.loud = cut(pcm)
	faint := make([]int16, seconds*rate)
	audio.NewNoise(seed+1).Pink(faint, -58)
	c.faint = cut(faint)
	return c
}

func cut(pcm []int16) [][frameSize]byte {
	frames := make([][frameSize]byte, len(pcm)/frameSize)
	for i := range frames {
		audio.EncodeMuLaw(frames[i][:], pcm[i*frameSize:(i+1)*frameSize])
	}
	return frames
}

// The samples that contain the code: 16 of them, 4 bits each.
const (
	codeFrom = 16
	codeStep = 8
)

// frame fills dst with frame i of call n.
func (c *content) frame(dst []byte, n, i int) {
	if speaks(n, i) {
		copy(dst, c.loud[(i+n*29)%len(c.loud)][:])
	} else {
		copy(dst, c.faint[(i+n*31)%len(c.faint)][:])
	}
	code := callers.Mix(uint64(n)<<32 | uint64(uint32(i)))
	for k := range 16 {
		dst[codeFrom+k*codeStep] ^= byte(code>>(4*k)) & 15
	}
}

// speaks reports whether frame i of call n is part of a turn.
func speaks(n, i int) bool { return (i+n*37)%turnFrames < speakFrames }

// digester calculates digests of payloads, in which mu-law's two zeros are equal.
type digester struct {
	same  [256]byte
	table *crc32.Table
	buf   [frameSize]byte
}

func newDigester() *digester {
	d := &digester{table: crc32.MakeTable(crc32.Castagnoli)}
	for i := range d.same {
		d.same[i] = byte(i)
	}
	d.same[0x7f] = 0xff
	return d
}

func (d *digester) sum(payload []byte) uint32 {
	n := min(len(payload), frameSize)
	for i, b := range payload[:n] {
		d.buf[i] = d.same[b]
	}
	return crc32.Checksum(d.buf[:n], d.table)
}
