package siptest

import (
	"net/netip"
	"strconv"
	"strings"
)

// Fill replaces the placeholders in a text: the network ("udp", "tcp"), the sender's "address:port", and an id
// that makes the message unique.
func Fill(text, network, host, id string) string {
	name := strings.ToUpper(network)
	text, feeds := strings.CutPrefix(text, "$LF")
	_, body, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	body, _, _ = strings.Cut(body, "OPTIONS sip:another")
	size := len(strings.ReplaceAll(body, "\n", "\r\n"))
	if feeds {
		size = len(body)
	}
	text = strings.NewReplacer("$VIA", "SIP/2.0/"+name+" "+host+";branch=z9hG4bK$ID", "$LEN", strconv.Itoa(size)).Replace(text)
	text = strings.NewReplacer("$HOST", host, "$ADDR", host, "$PORT", host[strings.LastIndexByte(host, ':')+1:], "$ID", id).Replace(text)
	if !feeds {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// Here returns the sender's address used by Sound.
func Here() netip.AddrPort { return netip.MustParseAddrPort("127.0.0.1:5999") }

// Sound is Fill for a sender at Here.
func Sound(text, network string) string { return Fill(text, network, Here().String(), "id-1") }
