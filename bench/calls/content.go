package main

import (
	"hash/crc32"
	"math"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	frameSize = 160
	frameTime = 20_000_000 // ns
	rate      = 8000
)

// The far end's turns, in frames: it speaks and is quiet by turns, so that the
// callers hear speech begin and end, and answer.
const (
	turnFrames  = 200
	speakFrames = 80
)

// content is what the far end says: vowels in its turns and faint noise between
// them. Every frame of every call carries a code, so that it cannot be taken for another.
type content struct {
	loud, faint [][frameSize]byte
}

func newContent(seed uint64) *content {
	const seconds = 7
	c := &content{}
	pcm := vowels(seed, seconds*rate, -22)
	c.loud = cut(pcm)
	faint := make([]int16, seconds*rate)
	audio.NewNoise(seed+1).Pink(faint, -58)
	c.faint = cut(faint)
	return c
}

// vowels are harmonics of a gliding voice, n samples at the level (dBFS).
func vowels(seed uint64, n int, db float64) []int16 {
	pcm := make([]int16, n)
	pitch := 105 + float64(seed%7)*13
	phase := 0.0
	for i := range pcm {
		t := float64(i) / rate
		phase += 2 * math.Pi * pitch * (1 + 0.08*math.Sin(2*math.Pi*1.3*t)) / rate
		sum := 0.0
		for h := 1; h <= 18; h++ {
			f := pitch * float64(h)
			gain := 1/(1+math.Pow((f-600)/250, 2)) + 0.5/(1+math.Pow((f-1500)/300, 2))
			sum += gain * math.Sin(float64(h)*phase)
		}
		pcm[i] = int16(2000 * sum * (0.6 + 0.4*math.Sin(2*math.Pi*4*t)))
	}
	audio.Gain(pcm, db-audio.Level(pcm))
	return pcm
}

func cut(pcm []int16) [][frameSize]byte {
	frames := make([][frameSize]byte, len(pcm)/frameSize)
	for i := range frames {
		audio.EncodeMuLaw(frames[i][:], pcm[i*frameSize:(i+1)*frameSize])
	}
	return frames
}

// codeAt are the samples that carry the code: 16 of them, 4 bits each.
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
	code := mix(uint64(n)<<32 | uint64(uint32(i)))
	for k := range 16 {
		dst[codeFrom+k*codeStep] ^= byte(code>>(4*k)) & 15
	}
}

// speaks says that frame i of call n is of one of the turns.
func speaks(n, i int) bool { return (i+n*37)%turnFrames < speakFrames }

// mix spreads the bits of x (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// digester tells payloads apart; mu-law's two zeros are one.
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
