// Package decodetest builds files that claim to be recordings and are meant to break their
// reader: truncated in their headers, with false lengths, or designed to be expensive. Package
// decode tests its decoders with them, package app a whole service that fetches them.
package decodetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"strings"
)

// Broken returns the files, by what is wrong with them. None is larger than 2 MB.
func Broken() map[string][]byte {
	out := map[string][]byte{}
	for _, all := range []map[string][]byte{waves(), flacs(), mp3s(), oggs()} {
		maps.Copy(out, all)
	}
	return out
}

// head is the header of a WAV file.
type head struct {
	tag, channels    uint16
	rate, perSecond  uint32
	align, bits      uint16
	riff, form, data uint32 // lengths; 0 means the correct one
}

func (h head) wave(pcm []byte) []byte {
	le := binary.LittleEndian
	or := func(n, truth uint32) uint32 {
		if n == 0 {
			return truth
		}
		return n
	}
	b := append([]byte("RIFF"), 0, 0, 0, 0)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, or(h.form, 16))
	b = le.AppendUint16(b, h.tag)
	b = le.AppendUint16(b, h.channels)
	b = le.AppendUint32(b, h.rate)
	b = le.AppendUint32(b, h.perSecond)
	b = le.AppendUint16(b, h.align)
	b = le.AppendUint16(b, h.bits)
	b = append(b, "data"...)
	b = le.AppendUint32(b, or(h.data, uint32(len(pcm))))
	b = append(b, pcm...)
	le.PutUint32(b[4:], or(h.riff, uint32(len(b)-8)))
	return b
}

// plain returns a valid header.
func plain() head {
	return head{tag: 1, channels: 2, rate: 8000, perSecond: 32000, align: 4, bits: 16}
}

// sine returns two seconds of audio in two channels, 16 bits each.
func sine() []byte {
	var b []byte
	for i := range 16000 {
		v := uint16(int16(8000 * math.Sin(float64(i)/3)))
		b = binary.LittleEndian.AppendUint16(b, v)
		b = binary.LittleEndian.AppendUint16(b, v/2)
	}
	return b
}

func waves() map[string][]byte {
	out := map[string][]byte{}
	whole := plain().wave(sine())
	for n := 1; n < 60; n += 4 {
		out[fmt.Sprintf("wav of %d bytes", n)] = whole[:n]
	}
	for name, change := range map[string]func(*head){
		"no channels": func(h *head) { h.channels = 0 }, "255 channels": func(h *head) { h.channels = 255 }, "65535 channels": func(h *head) { h.channels, h.align = 65535, 65535 },
		"0 Hz": func(h *head) { h.rate = 0 }, "1 Hz": func(h *head) { h.rate = 1 }, "4 GHz": func(h *head) { h.rate = math.MaxUint32 }, "lying pace": func(h *head) { h.perSecond = 1 },
		"no align": func(h *head) { h.align = 0 }, "odd align": func(h *head) { h.align = 3 }, "huge align": func(h *head) { h.align = math.MaxUint16 },
		"0 bits": func(h *head) { h.bits = 0 }, "1 bit": func(h *head) { h.bits = 1 }, "7 bits": func(h *head) { h.bits = 7 }, "255 bits": func(h *head) { h.bits = 255 }, "65535 bits": func(h *head) { h.bits = 65535 },
		"4 GB of sound": func(h *head) { h.data = math.MaxUint32 }, "more sound than there is": func(h *head) { h.data = 1 << 30 }, "a little sound": func(h *head) { h.data = 3 },
		"a form of 4 GB": func(h *head) { h.form = math.MaxUint32 }, "a form of 2 bytes": func(h *head) { h.form = 2 }, "a form of 15 bytes": func(h *head) { h.form = 15 }, "a file of 4 bytes": func(h *head) { h.riff = 4 },
		"floats of nonsense": func(h *head) { h.tag, h.bits, h.align = 3, 32, 8 }, "an unknown tag": func(h *head) { h.tag = 0x1234 }, "extensible without more": func(h *head) { h.tag = 0xfffe },
	} {
		h := plain()
		change(&h)
		out["wav with "+name] = h.wave(sine())
	}
	empty := append([]byte("RIFF\xff\xff\xff\xffWAVE"), bytes.Repeat([]byte("JUNK\x00\x00\x00\x00"), 100_000)...)
	out["wav of empty chunks"] = empty
	out["wav with a chunk that ends nowhere"] = []byte("RIFF\x00\x00\x00\x00WAVELIST\xff\xff\xff\xffabc")
	out["wav with the sound before its form"] = append([]byte("RIFF\x00\x00\x00\x00WAVEdata\x04\x00\x00\x00abcd"), whole[12:]...)
	nan := plain()
	nan.tag, nan.bits, nan.align = 3, 64, 16
	out["wav of no numbers"] = nan.wave(bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0, 0, 0, 0, 0, 0, 0xf0, 0xff}, 2000))
	return out
}

// flac returns a FLAC file with the given stream information, followed by after.
func flac(minBlock, maxBlock uint16, rate uint32, channels, bits uint64, samples uint64, after ...byte) []byte {
	be := binary.BigEndian
	b := append([]byte("fLaC"), 0x80, 0, 0, 34)
	b = be.AppendUint16(b, minBlock)
	b = be.AppendUint16(b, maxBlock)
	b = append(b, 0, 0, 0, 0, 0, 0)
	b = be.AppendUint64(b, uint64(rate)<<44|channels<<41|bits<<36|samples)
	return append(append(b, make([]byte, 16)...), after...)
}

func flacs() map[string][]byte {
	frame := []byte{0xff, 0xf8, 0xc9, 0x18, 0, 0xc2, 0, 0, 0, 0, 0, 0}
	whole := flac(4096, 4096, 8000, 1, 15, 16000, bytes.Repeat(frame, 50)...)
	out := map[string][]byte{
		"flac at 0 Hz":                  flac(4096, 4096, 0, 1, 15, 1000, frame...),
		"flac at 1 Hz":                  flac(4096, 4096, 1, 1, 15, 1000, frame...),
		"flac with blocks of nothing":   flac(0, 0, 8000, 1, 15, 1000, frame...),
		"flac with lying blocks":        flac(65535, 1, 8000, 1, 15, 1000, frame...),
		"flac with eight channels":      flac(4096, 4096, 8000, 7, 15, 1000, frame...),
		"flac of one bit":               flac(4096, 4096, 8000, 1, 0, 1000, frame...),
		"flac of years":                 flac(4096, 4096, 8000, 1, 15, 1<<36-1, frame...),
		"flac of frames that are none":  whole,
		"flac with an endless picture":  append([]byte("fLaC\x06\xff\xff\xff"), make([]byte, 1000)...),
		"flac of empty blocks":          append([]byte("fLaC"), bytes.Repeat([]byte{1, 0, 0, 0}, 200_000)...),
		"flac of nothing but frames":    append([]byte("fLaC"), bytes.Repeat(frame, 1000)...),
		"flac of nothing but sync":      append(flac(4096, 4096, 8000, 1, 15, 0), bytes.Repeat([]byte{0xff, 0xf8}, 300_000)...),
		"flac with endless unary codes": flac(4096, 4096, 8000, 1, 15, 16000, append(bytes.Clone(frame[:6]), make([]byte, 500_000)...)...),
	}
	huge := []byte{0xff, 0xf8, 0x70, 0x08, 0, 0xff, 0xfe, 0x39, 0, 0, 0, 0, 1} // 65535 samples, and a wrong checksum
	out["flac of huge frames that are not whole"] = flac(16, 65535, 8000, 0, 15, 1<<30, bytes.Repeat(huge, 150_000)...)
	for n := 3; n < 60; n += 6 {
		out[fmt.Sprintf("flac of %d bytes", n)] = whole[:n]
	}
	return out
}

func mp3s() map[string][]byte {
	tag := func(size string, flags byte) []byte { return append([]byte{'I', 'D', '3', 4, 0, flags}, size...) }
	frame := append([]byte{0xff, 0xfb, 0x90, 0x64}, bytes.Repeat([]byte{0xff}, 413)...)
	free := append([]byte{0xff, 0xfb, 0x00, 0x64}, bytes.Repeat([]byte{0x55}, 600)...)
	xing := append([]byte{0xff, 0xfb, 0x90, 0x64}, make([]byte, 413)...)
	copy(xing[36:], "Xing\x00\x00\x00\x0f\xff\xff\xff\xff\xff\xff\xff\xff")
	mono := func(rate byte) []byte { // 44.1 and 48 kHz at 32 kbit/s
		return append([]byte{0xff, 0xfb, rate, 0xc4}, make([]byte, map[byte]int{0x10: 100, 0x14: 92}[rate])...)
	}
	return map[string][]byte{
		"mp3 with a tag of 256 MB":           append(tag("\x7f\x7f\x7f\x7f", 0), frame...),
		"mp3 with a tag of no size":          tag("\xff\xff\xff\xff", 0xff),
		"mp3 of tags":                        bytes.Repeat(tag("\x00\x00\x00\x00", 0), 150_000),
		"mp3 of tags in tags":                bytes.Repeat(append(tag("\x00\x00\x00\x0a", 0x10), tag("\x7f\x7f\x7f\x7f", 0)...), 50_000),
		"mp3 of full frames":                 bytes.Repeat(frame, 300),
		"mp3 of frames of free length":       bytes.Repeat(free, 300),
		"mp3 of heads":                       bytes.Repeat([]byte{0xff, 0xfb, 0x90, 0x64}, 200_000),
		"mp3 of sync":                        bytes.Repeat([]byte{0xff}, 800_000),
		"mp3 that claims four billion":       append(xing, bytes.Repeat(frame, 20)...),
		"mp3 with a table of contents alone": xing,
		"mp3 whose kind changes":             bytes.Repeat(append(bytes.Clone(frame), append([]byte{0xff, 0xf3, 0x90, 0xc4}, make([]byte, 300)...)...), 100),
		"mp3 with half a head":               {0xff, 0xfb},
		"mp3 whose rate changes":             append(mono(0x10), bytes.Repeat(append(mono(0x10), mono(0x14)...), 2500)...),
	}
}

// page returns an Ogg page with a valid checksum.
func page(flags byte, granule int64, serial, number uint32, lacing, body []byte) []byte {
	le := binary.LittleEndian
	b := append([]byte("OggS\x00"), flags)
	b = le.AppendUint64(b, uint64(granule))
	b = le.AppendUint32(b, serial)
	b = le.AppendUint32(b, number)
	b = append(b, 0, 0, 0, 0, byte(len(lacing)))
	b = append(append(b, lacing...), body...)
	var sum uint32
	for _, x := range b {
		sum ^= uint32(x) << 24
		for range 8 {
			top := sum >> 31
			sum = sum<<1 ^ top*0x04c11db7
		}
	}
	le.PutUint32(b[22:], sum)
	return b
}

// opus returns the beginning of an Opus stream.
func opus(channels byte, skip uint16, family byte) []byte {
	h := append([]byte("OpusHead\x01"), channels, byte(skip), byte(skip>>8), 0x80, 0xbb, 0, 0, 0, 0, family)
	b := page(2, 0, 1, 0, []byte{byte(len(h))}, h)
	tags := []byte("OpusTags\x00\x00\x00\x00\x00\x00\x00\x00")
	return append(b, page(0, 0, 1, 1, []byte{byte(len(tags))}, tags)...)
}

func oggs() map[string][]byte {
	loop := func(n int, one func(i int) []byte) []byte {
		b := opus(1, 312, 0)
		for i := range n {
			b = append(b, one(i)...)
		}
		return b
	}
	full := bytes.Repeat([]byte{255}, 255)
	silent := []byte{0xfc, 0xff, 0xfe}
	whole := loop(5, func(i int) []byte { return page(0, int64(i+1)*960, 1, uint32(i+2), []byte{3}, silent) })
	out := map[string][]byte{
		"ogg of one page for ever":      loop(5000, func(int) []byte { return page(0, 960, 1, 2, []byte{3}, silent) }),
		"ogg whose time goes back":      loop(200, func(i int) []byte { return page(0, int64(200-i)*960, 1, uint32(i+2), []byte{3}, silent) }),
		"ogg whose time leaps":          loop(50, func(i int) []byte { return page(0, int64(i)<<56, 1, uint32(i+2), []byte{3}, silent) }),
		"ogg before all time":           loop(50, func(int) []byte { return page(0, math.MinInt64, 1, 2, []byte{3}, silent) }),
		"ogg that ends before all time": append(opus(1, 0, 0), page(4, -1<<50, 1, 2, []byte{3}, silent)...),
		"ogg of no time":                loop(50, func(i int) []byte { return page(0, -1, 1, uint32(i+2), []byte{3}, silent) }),
		"ogg of streams": loop(2000, func(i int) []byte {
			return page(2, 0, uint32(i), 0, []byte{19}, []byte("OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00"))
		}),
		"ogg of streams that skip all":  bytes.Repeat(append(opus(1, 65535, 0), page(4, 63360, 1, 2, bytes.Repeat([]byte{2}, 11), bytes.Repeat([]byte{0x1b, 2}, 11))...), 12_000),
		"ogg of one packet without end": loop(20, func(i int) []byte { return page(1, -1, 1, uint32(i+2), full, bytes.Repeat([]byte{0xfc}, 255*255)) }),
		"ogg of empty pages":            loop(10_000, func(i int) []byte { return page(0, 960, 1, uint32(i+2), nil, nil) }),
		"ogg of empty packets":          loop(500, func(i int) []byte { return page(0, 960, 1, uint32(i+2), make([]byte, 255), nil) }),
		"ogg without channels":          opus(0, 312, 0),
		"ogg with 255 channels":         append(opus(255, 312, 255), whole[len(opus(1, 312, 0)):]...),
		"ogg that skips all":            append(opus(1, 65535, 0), whole[len(opus(1, 312, 0)):]...),
		"ogg of an unknown family":      opus(2, 312, 7),
		"ogg with tags of 4 GB":         append(page(2, 0, 1, 0, []byte{19}, []byte("OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00")), page(0, 0, 1, 1, []byte{16}, []byte("OpusTags\xff\xff\xff\xff\xff\xff\xff\xff"))...),
		"ogg of wrong sums":             bytes.ReplaceAll(whole, silent, []byte{0xfc, 0xfe, 0xfe}),
		"ogg of heads in heads":         append(bytes.Clone(whole), bytes.Repeat(append([]byte("OggS\x00"), bytes.Repeat([]byte{255}, 22)...), 70_000)...),
		"ogg of capture patterns":       []byte(strings.Repeat("OggS", 200_000)),
		"ogg of packets that are no Opus": loop(200, func(i int) []byte {
			return page(0, int64(i+1)*960, 1, uint32(i+2), []byte{9}, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
		}),
	}
	for n := 1; n < 60; n += 6 {
		out[fmt.Sprintf("ogg of %d bytes", n)] = whole[:n]
	}
	return out
}
