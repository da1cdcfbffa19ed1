package sip

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// The bounds of a session description that is looked at.
const (
	maxSDP      = 32 << 10
	maxSDPLines = 2000
	maxFormats  = 128
)

// direction is who sends, from the view of whoever wrote the description.
type direction string

const (
	sendRecv direction = "sendrecv"
	sendOnly direction = "sendonly"
	recvOnly direction = "recvonly"
	inactive direction = "inactive"
)

// answering is the direction that answers one that was offered.
func (d direction) answering() direction {
	switch d {
	case sendOnly:
		return recvOnly
	case recvOnly:
		return sendOnly
	case inactive:
		return inactive
	case sendRecv:
	}
	return sendRecv
}

// session is the part of a session description (RFC 8866) that a phone call needs.
type session struct {
	Addr        netip.Addr
	Port        uint16 // 0: the audio is refused
	ControlPort uint16
	ControlAddr netip.Addr
	Formats     []format
	Direction   direction
	Profile     string // "RTP/AVP" or "RTP/AVPF", as it was written
	Longest     int    // how many ms of sound there may be in a packet to the far end, 0 when it does not say
	host        string // is named where there is no Addr
	busy        bool   // there are other media that are not refused
	// others are the media lines before and after the audio, which an answer has to refuse one by one.
	before, after []string
}

var errNoAudio = errors.New("the session description has no audio over RTP/AVP")

// errElsewise is errNoAudio where there is audio by another profile, encrypted say.
func errElsewise(profile string) error {
	return fmt.Errorf("%w, but over %.30q, which is not spoken here", errNoAudio, profile)
}

// parseSDP reads a session description. It takes nothing on trust: sizes and
// numbers are bounded, and what it does not know is passed over.
func parseSDP(b []byte) (session, error) {
	if len(b) > maxSDP {
		return session{}, fmt.Errorf("the session description has %d bytes, at most %d are read", len(b), maxSDP)
	}
	p := sdpReader{s: session{Direction: sendRecv}, session: sendRecv}
	rest := string(b)
	for n := 0; rest != "" && n < maxSDPLines; n++ {
		var text string
		text, rest, _ = strings.Cut(rest, "\n")
		if err := p.line(strings.TrimRight(text, "\r")); err != nil {
			return session{}, err
		}
	}
	return p.finish()
}

type sdpReader struct {
	s      session
	common netip.Addr
	// commonHost is the host that the connection line of the whole session names in its place.
	commonHost string
	where      int // 0 session, 1 in our audio, 2 in another medium
	audio      bool
	session    direction // of the whole session
	// profile is that of audio that is not spoken here.
	profile string
}

func (p *sdpReader) line(text string) error {
	kind, value, ok := strings.Cut(text, "=")
	if !ok || len(kind) != 1 {
		return nil
	}
	switch kind {
	case "c":
		return p.connection(value)
	case "m":
		return p.medium(value)
	case "a":
		return p.attribute(value)
	}
	return nil
}

func (p *sdpReader) connection(value string) error {
	if p.where == 2 {
		return nil
	}
	fields := strings.Fields(value)
	if len(fields) != 3 || fields[0] != "IN" {
		return fmt.Errorf("the connection line %.60q is not understood", value)
	}
	host, _, _ := strings.Cut(fields[2], "/")
	addr, err := netip.ParseAddr(host)
	if err != nil && !hostName(host) {
		return fmt.Errorf("the connection address %.60q is neither an IP address nor the name of a host", host)
	}
	if err == nil {
		host = ""
	}
	if p.where == 1 {
		p.s.Addr, p.s.host = addr.Unmap(), host
	} else {
		p.common, p.commonHost = addr.Unmap(), host
	}
	return nil
}

// hostName says whether a text can be the name of a host.
func hostName(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && len(text) <= 253 && strings.Trim(text, letters+"0123456789-.") == "" && strings.ContainsAny(text, letters)
}

func (p *sdpReader) medium(value string) error {
	fields := strings.Fields(value)
	if len(fields) < 4 {
		return fmt.Errorf("the media line %.60q is too short", value)
	}
	profile := strings.ToUpper(fields[2])
	spoken := fields[0] == "audio" && (profile == "RTP/AVP" || profile == "RTP/AVPF")
	if spoken && p.audio && p.s.Port == 0 && fields[1] != "0" {
		p.passBy()
	}
	if p.audio || !spoken {
		p.refuse(fields)
		return nil
	}
	return p.take(fields)
}

// refuse passes over another medium than the audio that is spoken.
func (p *sdpReader) refuse(fields []string) {
	p.where = 2
	if fields[0] == "audio" && fields[1] != "0" {
		p.profile = fields[2]
	}
	p.s.busy = p.s.busy || fields[1] != "0"
	refused := fields[0] + " 0 " + fields[2] + " " + fields[3]
	if p.audio {
		p.s.after = append(p.s.after, refused)
	} else {
		p.s.before = append(p.s.before, refused)
	}
}

// take reads the media line of the audio.
func (p *sdpReader) take(fields []string) error {
	p.audio, p.where, p.s.Profile = true, 1, fields[2]
	text, _, _ := strings.Cut(fields[1], "/")
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return fmt.Errorf("the port %.20q is not between 0 and 65535", text)
	}
	p.s.Port = uint16(port)
	for _, f := range fields[3:min(len(fields), 3+maxFormats)] {
		n, err := strconv.ParseUint(f, 10, 7)
		if err != nil {
			return fmt.Errorf("the payload type %.20q is not between 0 and 127", f)
		}
		p.s.Formats = append(p.s.Formats, staticFormat(uint8(n)))
	}
	return nil
}

// passBy leaves audio that has ended for another: a media line keeps its place for the
// whole call, even after its port has become 0 (RFC 3264 section 8).
func (p *sdpReader) passBy() {
	refused := fmt.Sprintf("audio 0 %s %d", p.s.Profile, p.s.Formats[0].Type)
	before := append(append(p.s.before, refused), p.s.after...)
	p.audio, p.s = false, session{Direction: p.session, before: before, busy: p.s.busy}
}

func (p *sdpReader) attribute(value string) error {
	if p.where == 2 {
		return nil
	}
	name, arg, _ := strings.Cut(value, ":")
	switch to := direction(strings.TrimSpace(name)); to {
	case sendRecv, sendOnly, recvOnly, inactive:
		p.s.Direction = to
		if p.where == 0 {
			p.session = p.s.Direction
		}
		return nil
	}
	switch {
	case name == "rtpmap" && p.where == 1:
		p.rtpmap(arg)
	case name == "rtcp" && p.where == 1:
		p.rtcp(arg)
	case name == "maxptime" && p.where == 1:
		p.maxptime(arg)
	}
	return nil
}

// maxptime reads a bound that must be kept to; that of a=ptime is but a wish (RFC 8866
// section 6.4), and everybody who keeps to RFC 3551 takes packets of 20 ms.
func (p *sdpReader) maxptime(arg string) {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(arg), 64); err == nil && ms >= 1 {
		p.s.Longest = int(min(ms, 1000))
	}
}

// pieces is in how many packets a frame of ours has to go to the far end.
func (s *session) pieces() uint8 {
	const frame = int(leg.FrameTime / time.Millisecond)
	n := 1
	for s.Longest > 0 && (frame%n != 0 || frame/n > s.Longest) {
		n++
	}
	return uint8(n)
}

func (p *sdpReader) rtpmap(arg string) {
	number, rest, _ := strings.Cut(strings.TrimSpace(arg), " ")
	n, err := strconv.ParseUint(number, 10, 7)
	if err != nil {
		return
	}
	parts := strings.Split(strings.TrimSpace(rest), "/")
	if len(parts) < 2 {
		return
	}
	rate, err := strconv.Atoi(parts[1])
	if err != nil {
		return
	}
	name := strings.ToUpper(parts[0])
	if len(parts) > 2 && parts[2] != "1" { // channels: what is not mono is none of the codecs spoken here
		name += "/" + parts[2]
	}
	for i := range p.s.Formats {
		if p.s.Formats[i].Type == uint8(n) {
			p.s.Formats[i].Name, p.s.Formats[i].Rate = name, rate
		}
	}
}

func (p *sdpReader) rtcp(arg string) {
	fields := strings.Fields(arg)
	if len(fields) == 0 {
		return
	}
	if n, err := strconv.ParseUint(fields[0], 10, 16); err == nil {
		p.s.ControlPort = uint16(n)
	}
	if len(fields) == 4 {
		if a, err := netip.ParseAddr(fields[3]); err == nil {
			p.s.ControlAddr = a.Unmap()
		}
	}
}

func (p *sdpReader) finish() (session, error) {
	switch {
	case !p.audio && p.profile != "":
		return session{}, errElsewise(p.profile)
	case !p.audio:
		return session{}, errNoAudio
	}
	if !p.s.Addr.IsValid() && p.s.host == "" {
		p.s.Addr, p.s.host = p.common, p.commonHost
	}
	if !p.s.Addr.IsValid() && p.s.host == "" {
		return session{}, errors.New("the session description has no connection address")
	}
	if p.s.ControlPort == 0 && p.s.Port != 0 && p.s.Port < 65535 {
		p.s.ControlPort = p.s.Port + 1
	}
	if p.s.host != "" {
		return p.s, nil // who looks it up settles the rest
	}
	return p.s, p.s.found(p.s.Addr)
}

// found sets the address of the far end's sound, and that of its reports where it gives
// none of its own. Neither may be that of a whole network.
func (s *session) found(at netip.Addr) error {
	s.Addr, s.host = at, ""
	if !s.ControlAddr.IsValid() {
		s.ControlAddr = at
	}
	for _, a := range []netip.Addr{at, s.ControlAddr} {
		if a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
			return fmt.Errorf("the connection address %s is not that of one machine", a)
		}
	}
	return nil
}

// held says that the other side does not want to hear us.
func (s *session) held() bool {
	return s.Port == 0 || s.Direction == sendOnly || s.Direction == inactive || s.Addr.IsUnspecified()
}

// mute says that the other side sends nothing.
func (s *session) mute() bool { return s.Direction == recvOnly || s.Direction == inactive }

// instead says that other media are to take the place of the audio, as when a fax
// begins. Where they are all refused, the audio goes on.
func (s *session) instead() bool { return s.Port == 0 && s.busy }
