package sdp

import "github.com/ringtrue/ringtrue/internal/line/g711"

// firstDynamic is the first dynamic payload type (RFC 3551 section 6).
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

// Explain takes a payload type for telephone-event if an answer names it without saying what it is and our
// offer had that number for it.
func (s *Session) Explain(event uint8) {
	for i := range s.Formats {
		if f := &s.Formats[i]; f.Type == event && f.Name == "" {
			f.Name, f.Rate = "TELEPHONE-EVENT", 8000
		}
	}
}

// Choice is what is chosen from the formats offered by the other side.
type Choice struct {
	Codec g711.Codec
	Audio uint8 // payload type if not the codec's static one, else 0
	Event uint8 // payload type of telephone-event, 0 if there is none
}

// Choose picks the first format of the other side that is one of our codecs, and its
// telephone-event. It returns false if there is no common codec.
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
