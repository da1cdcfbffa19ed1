package sdp

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// Description is one of our session descriptions.
type Description struct {
	ID, Version uint64
	Addr        netip.Addr
	Port        uint16
	Codecs      []g711.Codec
	AudioType   uint8 // payload type of the only codec if not its static one, else 0
	EventType   uint8 // 0 omits telephone-event
	Direction   Direction
	// Profile is that of the offer being answered; "" means RTP/AVP.
	Profile string
	// Refused means that there is no audio for now, as offered.
	Refused bool
	// Before and After are media lines to be refused.
	Before, After []string
}

// Text returns the text of the description.
func (d *Description) Text() []byte {
	family := "IP4"
	if d.Addr.Is6() {
		family = "IP6"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "v=0\r\no=- %d %d IN %s %s\r\ns=-\r\nc=IN %s %s\r\nt=0 0\r\n",
		d.ID, d.Version, family, d.Addr, family, d.Addr)
	for _, m := range d.Before {
		fmt.Fprintf(&b, "m=%s\r\n", m)
	}
	port := d.Port
	if d.Refused {
		port = 0
	}
	fmt.Fprintf(&b, "m=audio %d %s", port, cmp.Or(d.Profile, "RTP/AVP"))
	for _, c := range d.Codecs {
		fmt.Fprintf(&b, " %d", cmp.Or(d.AudioType, c.Type))
	}
	if d.EventType != 0 {
		fmt.Fprintf(&b, " %d", d.EventType)
	}
	b.WriteString("\r\n")
	for _, c := range d.Codecs {
		fmt.Fprintf(&b, "a=rtpmap:%d %s/8000\r\n", cmp.Or(d.AudioType, c.Type), c.Name)
	}
	if d.EventType != 0 {
		fmt.Fprintf(&b, "a=rtpmap:%d telephone-event/8000\r\na=fmtp:%d 0-15\r\n", d.EventType, d.EventType)
	}
	fmt.Fprintf(&b, "a=ptime:20\r\na=%s\r\n", d.Direction)
	for _, m := range d.After {
		fmt.Fprintf(&b, "m=%s\r\n", m)
	}
	return []byte(b.String())
}
