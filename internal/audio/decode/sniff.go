package decode

import (
	"bytes"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio/mp3"
)

// sniffBytes is how much of a file is examined to determine its format.
const sniffBytes = 64 << 10

type kind int

const (
	kindUnknown kind = iota
	kindWAV
	kindFLAC
	kindOgg
	kindMP3
)

// sniff determines the format of a file from its beginning.
func sniff(head []byte) kind {
	switch {
	case len(head) >= 12 && string(head[8:12]) == "WAVE" && slices.Contains([]string{"RIFF", "RF64", "BW64"}, string(head[:4])):
		return kindWAV
	case bytes.HasPrefix(head, []byte("fLaC")):
		return kindFLAC
	case bytes.HasPrefix(head, []byte("OggS")):
		return kindOgg
	case looksLike(head) == unknownContent && mp3.Find(head) >= 0:
		return kindMP3
	}
	return kindUnknown
}

const unknownContent = "its content is of no known kind"

// signature is the beginning of files of an unsupported format.
type signature struct {
	at   int
	head string
	says string
}

// strangers returns formats that people submit by mistake, or that are not supported.
func strangers() []signature {
	return []signature{
		{4, "ftyp", "it is an MP4 or M4A file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "\x1aE\xdf\xa3", "it is a WebM or Matroska file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "#!AMR", "it is an AMR file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "FORM", "it is an AIFF file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, ".snd", "it is an AU file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{4, "moov", "it is a QuickTime file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{4, "mdat", "it is a QuickTime file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{4, "wide", "it is a QuickTime file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "caff", "it is a CAF file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "\x30\x26\xb2\x75", "it is a WMA or ASF file; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "FLV\x01", "it is a Flash video; WAV, FLAC, MP3 and Ogg Opus are read"},
		{0, "riff\x2e\x91\xcf\x11", "it is a Wave64 file; plain WAV and RF64 are read"},
		{0, "#EXTM3U", "it is a playlist that leads to sound, and not the sound itself"},
		{0, "RIFX", "it is a WAV file with its bytes in reverse; plain WAV files are read"},
		{0, "RIFF", "it is a RIFF file but no WAV"},
		{0, "\x1f\x8b", "it is compressed with gzip"},
		{0, "PK\x03\x04", "it is a ZIP archive"},
		{0, "%PDF", "it is a PDF document"},
	}
}

// looksLike describes what a file seems to be, for the person who submitted it.
func looksLike(head []byte) string {
	if len(head) == 0 {
		return "it is empty"
	}
	for _, s := range strangers() {
		if len(head) >= s.at+len(s.head) && string(head[s.at:s.at+len(s.head)]) == s.head {
			return s.says
		}
	}
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) { // UTF-16
		text = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(text) == 0:
		return "it is blank"
	case bytes.HasPrefix(text, []byte("<")):
		return "it is a web page or XML document, as servers send in place of a file that is not to be had"
	case text[0] == '{' || text[0] == '[':
		return "it is a JSON document, as servers send in place of a file that is not to be had"
	}
	return unknownContent
}

// looksLikeMPEG is looksLike for unsupported kinds of MPEG audio. It checks only a few bits, so
// it is tried last.
func looksLikeMPEG(head []byte) string {
	if len(head) < 3 || head[0] != 0xff {
		return unknownContent
	}
	layer, bitrate, rate := head[1]>>1&3, head[2]>>4, head[2]>>2&3
	switch {
	case head[1]&0xf6 == 0xf0 && head[2]>>2&15 < 13:
		return "it seems to be AAC; WAV, FLAC, MP3 and Ogg Opus are read"
	case head[1]&0xe0 != 0xe0 || head[1]>>3&3 == 1 || bitrate == 15 || rate == 3 || layer == 0:
		return unknownContent
	case layer > 1:
		return "it seems to be MPEG audio of layer I or II; of MPEG audio, layer III is read"
	case bitrate == 0:
		return "it seems to be an MP3 of free bit rate, which is not read"
	}
	return unknownContent
}
