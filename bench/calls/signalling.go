package main

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// message is a SIP message, as far as the two ends here need it.
type message struct {
	first   string
	headers map[string]string
	vias    []string
	body    string
}

func parseMessage(text string) (message, bool) {
	head, body, _ := strings.Cut(text, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	m := message{first: lines[0], headers: map[string]string{}, body: body}
	for _, l := range lines[1:] {
		name, value, ok := strings.Cut(l, ":")
		if !ok {
			return m, false
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if name == "via" {
			m.vias = append(m.vias, value)
			continue
		}
		m.headers[name] = value
	}
	return m, m.headers["call-id"] != ""
}

// method returns the request's method, "" for a response.
func (m message) method() string {
	word, _, _ := strings.Cut(m.first, " ")
	if strings.HasPrefix(word, "SIP/") {
		return ""
	}
	return word
}

// numberPrefix begins every number that is called; the call's own number follows.
const numberPrefix = "sip:+15550"

// number returns the number of the call from the address that is called.
func (m message) number() (int, bool) {
	_, rest, ok := strings.Cut(m.headers["to"], numberPrefix)
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, "@")
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// media returns the address in the body's session description.
func (m message) media() (netip.AddrPort, bool) {
	var a netip.AddrPort
	addr, port := "", ""
	for line := range strings.SplitSeq(m.body, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "c=IN IP4 "); ok {
			addr = rest
		}
		if rest, ok := strings.CutPrefix(line, "m=audio "); ok {
			port, _, _ = strings.Cut(rest, " ")
		}
	}
	a, err := netip.ParseAddrPort(addr + ":" + port)
	return a, err == nil
}

// reply returns a response to the request; body may be "".
func (m message) reply(status string, contact netip.AddrPort, body string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "SIP/2.0 %s\r\n", status)
	for _, v := range m.vias {
		fmt.Fprintf(&b, "Via: %s\r\n", v)
	}
	to := m.headers["to"]
	if !strings.Contains(to, "tag=") {
		to += ";tag=far"
	}
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %s\r\nContact: <sip:far@%s>\r\n",
		m.headers["from"], to, m.headers["call-id"], m.headers["cseq"], contact)
	if body != "" {
		b.WriteString("Content-Type: application/sdp\r\n")
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.String()
}

// description offers or answers G.711 at the address.
func description(at netip.AddrPort) string {
	return fmt.Sprintf("v=0\r\no=- 1 1 IN IP4 %[1]s\r\ns=-\r\nc=IN IP4 %[1]s\r\nt=0 0\r\nm=audio %[2]d RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\na=sendrecv\r\n",
		at.Addr(), at.Port())
}
