package sip

import "github.com/ringtrue/ringtrue/internal/line/g711"

// firstDynamic is the first payload type that may stand for any codec (RFC 3551 section 6).
const firstDynamic = 96

// format is one payload type of the audio.
type format struct {
	Type uint8
	Name string // upper case
	Rate int
}

func staticFormat(n uint8) format {
	switch n {
	case 0:
		return format{Type: 0, Name: "PCMU", Rate: 8000}
	case 8:
		return format{Type: 8, Name: "PCMA", Rate: 8000}
	}
	return format{Type: n}
}

// choice is what is taken of the formats that the other side names.
type choice struct {
	codec g711.Codec
	audio uint8 // its payload type where that is not its own, else 0
	event uint8 // that of telephone-event, 0 when there is none
}

// choose picks the first codec of ours that the other side names, in its order,
// and its telephone-event; false when there is no common codec.
func (s *session) choose(ours []g711.Codec) (taken choice, ok bool) {
	for _, f := range s.Formats {
		if f.Rate != 8000 {
			continue
		}
		if f.Name == "TELEPHONE-EVENT" && taken.event == 0 {
			taken.event = f.Type
		}
		for _, c := range ours {
			if ok || f.Name != c.Name || f.Type != c.Type && f.Type < firstDynamic {
				continue
			}
			taken.codec, ok = c, true
			if f.Type != c.Type {
				taken.audio = f.Type
			}
		}
	}
	return taken, ok
}
