// Package sdp parses and writes session descriptions (RFC 8866) as far as a phone call with one
// audio stream needs, and chooses from an offer (RFC 3264). Its input comes from strangers:
// sizes and numbers are bounded, and unknown lines are skipped.
//
// Package line/sip, the layer above, decides what an offer or an answer means for a call; the
// codecs are those of line/g711.
package sdp

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// Limits of a session description.
const (
	maxBytes   = 32 << 10
	maxLines   = 2000
	maxFormats = 128
)

// Direction is the direction of media, from the point of view of the description's author.
type Direction string

// The directions.
const (
	SendRecv Direction = "sendrecv"
	SendOnly Direction = "sendonly"
	RecvOnly Direction = "recvonly"
	Inactive Direction = "inactive"
)

// Answering returns the direction with which to answer an offered one.
func (d Direction) Answering() Direction {
	switch d {
	case SendOnly:
		return RecvOnly
	case RecvOnly:
		return SendOnly
	case Inactive:
		return Inactive
	case SendRecv:
	}
	return SendRecv
}

// Session is the part of a session description (RFC 8866) that a phone call needs.
type Session struct {
	Addr        netip.Addr
	Port        uint16 // 0 means that the audio is refused
	ControlPort uint16
	ControlAddr netip.Addr
	Formats     []Format
	Direction   Direction
	Profile     string // "RTP/AVP" or "RTP/AVPF", as received
	Longest     int    // maximum ms of audio per packet to the far end, 0 if not specified
	Host        string // set if a name is given instead of Addr
	busy        bool   // there are other media that are not refused
	// Before and After are the media lines before and after the audio, which an answer has to refuse one by one.
	Before, After []string
}

// ErrNoAudio means that a description has no audio with a supported profile.
var ErrNoAudio = errors.New("the session description has no audio over RTP/AVP")

// errElsewise is ErrNoAudio for audio with another profile, such as an encrypted one.
func errElsewise(profile string) error {
	return fmt.Errorf("%w, only over %.30q, which is not supported", ErrNoAudio, profile)
}

// Parse parses a session description. Sizes and numbers are bounded, and unknown lines are skipped.
func Parse(b []byte) (Session, error) {
	if len(b) > maxBytes {
		return Session{}, fmt.Errorf("the session description has %d bytes, at most %d are read", len(b), maxBytes)
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return Session{}, errors.New("there is no session description")
	}
	p := reader{s: Session{Direction: SendRecv}, session: SendRecv}
	rest := string(b)
	for n := 0; rest != "" && n < maxLines; n++ {
		var text string
		text, rest, _ = strings.Cut(rest, "\n")
		if err := p.line(strings.TrimRight(text, "\r")); err != nil {
			return Session{}, err
		}
	}
	return p.finish()
}

type reader struct {
	s      Session
	common netip.Addr
	// commonHost is the host name in the session-level connection line, if it has no address.
	commonHost string
	where      int // 0 session, 1 our audio, 2 other media
	audio      bool
	session    Direction // at session level
	// profile is the profile of audio that is not supported.
	profile string
}

func (p *reader) line(text string) error {
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

func (p *reader) connection(value string) error {
	if p.where == 2 {
		return nil
	}
	fields := strings.Fields(value)
	if len(fields) != 3 || fields[0] != "IN" {
		return fmt.Errorf("the connection line %.60q cannot be read", value)
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
		p.s.Addr, p.s.Host = addr.Unmap(), host
	} else {
		p.common, p.commonHost = addr.Unmap(), host
	}
	return nil
}

// hostName reports whether a text can be the name of a host.
func hostName(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && len(text) <= 253 && strings.Trim(text, letters+"0123456789-.") == "" && strings.ContainsAny(text, letters)
}

func (p *reader) medium(value string) error {
	fields := strings.Fields(value)
	if len(fields) == 3 && fields[0] != "audio" {
		fields = append(fields, "0") // some omit the format of refused media, which an answer must contain
	}
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

// refuse skips media other than the chosen audio.
func (p *reader) refuse(fields []string) {
	p.where = 2
	if fields[0] == "audio" && fields[1] != "0" {
		p.profile = fields[2]
	}
	p.s.busy = p.s.busy || fields[1] != "0"
	refused := fields[0] + " 0 " + fields[2] + " " + fields[3]
	if p.audio {
		p.s.After = append(p.s.After, refused)
	} else {
		p.s.Before = append(p.s.Before, refused)
	}
}

// take parses the media line of the audio.
func (p *reader) take(fields []string) error {
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

// passBy replaces audio that has ended by another one: a media line keeps its place for the
// whole call, even with port 0 (RFC 3264 section 8).
func (p *reader) passBy() {
	refused := fmt.Sprintf("audio 0 %s %d", p.s.Profile, p.s.Formats[0].Type)
	before := append(append(p.s.Before, refused), p.s.After...)
	p.audio, p.s = false, Session{Direction: p.session, Before: before, busy: p.s.busy}
}

func (p *reader) attribute(value string) error {
	if p.where == 2 {
		return nil
	}
	name, arg, _ := strings.Cut(value, ":")
	switch to := Direction(strings.TrimSpace(name)); to {
	case SendRecv, SendOnly, RecvOnly, Inactive:
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

// maxptime parses a=maxptime, which is mandatory; a=ptime is only a preference (RFC 8866
// section 6.4), and implementations of RFC 3551 accept packets of 20 ms.
func (p *reader) maxptime(arg string) {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(arg), 64); err == nil && ms >= 1 {
		p.s.Longest = int(min(ms, 1000))
	}
}

// Pieces returns into how many packets our frames have to be split for the far end.
func (s *Session) Pieces() uint8 {
	const frame = int(leg.FrameTime / time.Millisecond)
	n := 1
	for s.Longest > 0 && (frame%n != 0 || frame/n > s.Longest) {
		n++
	}
	return uint8(n)
}

func (p *reader) rtpmap(arg string) {
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
	if len(parts) > 2 && parts[2] != "1" { // channels: only mono codecs are supported
		name += "/" + parts[2]
	}
	for i := range p.s.Formats {
		if p.s.Formats[i].Type == uint8(n) {
			p.s.Formats[i].Name, p.s.Formats[i].Rate = name, rate
		}
	}
}

func (p *reader) rtcp(arg string) {
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

func (p *reader) finish() (Session, error) {
	switch {
	case !p.audio && p.profile != "":
		return Session{}, errElsewise(p.profile)
	case !p.audio:
		return Session{}, ErrNoAudio
	}
	if !p.s.Addr.IsValid() && p.s.Host == "" {
		p.s.Addr, p.s.Host = p.common, p.commonHost
	}
	if !p.s.Addr.IsValid() && p.s.Host == "" {
		return Session{}, errors.New("the session description has no connection address")
	}
	if p.s.ControlPort == 0 && p.s.Port != 0 && p.s.Port < 65535 {
		p.s.ControlPort = p.s.Port + 1
	}
	if p.s.Host != "" {
		return p.s, nil // the look-up of the name settles the rest
	}
	return p.s, p.s.Found(p.s.Addr)
}

// Found sets the far end's media address, and the address of its RTCP unless that was
// specified. Neither may be a multicast or broadcast address.
func (s *Session) Found(at netip.Addr) error {
	s.Addr, s.Host = at, ""
	if !s.ControlAddr.IsValid() {
		s.ControlAddr = at
	}
	for _, a := range []netip.Addr{at, s.ControlAddr} {
		if a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
			return fmt.Errorf("the connection address %s is not that of a single machine", a)
		}
	}
	return nil
}

// Held reports whether the other side does not want to hear us.
func (s *Session) Held() bool {
	return s.Port == 0 || s.Direction == SendOnly || s.Direction == Inactive || s.Addr.IsUnspecified()
}

// Mute reports whether the other side sends nothing.
func (s *Session) Mute() bool { return s.Direction == RecvOnly || s.Direction == Inactive }

// Instead reports whether other media are to replace the audio, as when a fax begins. If they
// are all refused, the audio goes on.
func (s *Session) Instead() bool { return s.Port == 0 && s.busy }
