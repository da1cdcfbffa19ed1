package sdp

import "github.com/ringtrue/ringtrue/internal/line/g711"

// firstDynamic is the first payload type that may stand for any codec (RFC 3551 section 6).
const firstDynamic = 96

// Format is one payload type of the audio.
type Format struct {
	Type uint8
	Name string // upper case
	Rate int
}

func staticFormat(n uint8) Format {
	switch n {
	case 0:
		return Format{Type: 0, Name: "PCMU", Rate: 8000}
	case 8:
		return Format{Type: 8, Name: "PCMA", Rate: 8000}
	}
	return Format{Type: n}
}

// Choice is what is taken of the formats that the other side names.
type Choice struct {
	Codec g711.Codec
	Audio uint8 // its payload type where that is not its own, else 0
	Event uint8 // that of telephone-event, 0 when there is none
}

// Choose picks the first codec of ours that the other side names, in its order,
// and its telephone-event; false when there is no common codec.
func (s *Session) Choose(ours []g711.Codec) (taken Choice, ok bool) {
	for _, f := range s.Formats {
		if f.Rate != 8000 {
			continue
		}
		if f.Name == "TELEPHONE-EVENT" && taken.Event == 0 {
			taken.Event = f.Type
		}
		for _, c := range ours {
			if ok || f.Name != c.Name || f.Type != c.Type && f.Type < firstDynamic {
				continue
			}
			taken.Codec, ok = c, true
			if f.Type != c.Type {
				taken.Audio = f.Type
			}
		}
	}
	return taken, ok
}
