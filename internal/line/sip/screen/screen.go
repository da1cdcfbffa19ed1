// Package screen stands between the sockets and the SIP library. It parses each message from
// the network, answers malformed ones itself, drops what is not SIP, and rewrites the rest in
// the one plain form that the library understands.
//
// It has no state and knows no calls. The sockets of package transport, the layer above, ask it
// what a message is and what it asks for.
package screen

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// MaxMessage is the maximum size of a SIP message; larger ones never reach the parser.
const MaxMessage = 64 << 10

// AgentName is our User-Agent, and the user of our own addresses.
const AgentName = "ringtrue"

// Result is the outcome of screening a message.
type Result struct {
	// Pass is the message in plain form for sipgo, nil if it must not see it.
	Pass []byte
	// Reply is a response to send at once instead, nil for none.
	Reply []byte
	// Wish describes the request that passes.
	Wish Wish
	// Answers is the Call-ID if the message that passes is a 2xx to an INVITE.
	Answers string
	// Rings is the Call-ID if the message that passes is a provisional response to an INVITE other than 100.
	Rings string
	// Riddle is the response that does not pass, if it is one that a call is waiting for.
	Riddle Riddle
}

// Read screens a message before sipgo parses it. sipgo makes assumptions that a sender need not meet,
// and a panic on one of its goroutines would end the process and every call in it. Read answers what is
// malformed (RFC 3261 section 8.2, RFC 4475), drops what is not SIP, and rewrites the rest in the plain
// form that sipgo understands: long header names, one value per line, single blanks.
func Read(b []byte, from netip.AddrPort) Result {
	m, fault := readMessage(b)
	if m == nil {
		return Result{}
	}
	if m.needed() {
		m.mend()
	}
	if fault == nil && m.request() {
		fault = m.checkRequest()
	} else if fault == nil {
		fault = m.checkResponse()
	}
	if fault == nil {
		pass := m.write(from)
		if m.needed() && !parses(pass) {
			m.strip()
			pass = m.write(from)
		}
		if parses(pass) {
			return Result{Pass: pass, Wish: m.wishOf(), Answers: m.answers(), Rings: m.rings()}
		}
		fault = malformed(m.unreadable() + " header")
	}
	if !m.request() {
		return Result{Riddle: m.riddle(fault)}
	}
	if m.method == "ACK" {
		return Result{}
	}
	return Result{Reply: m.refusal(fault)}
}

// fault is the reason for refusing a request before its content is considered.
type fault struct {
	code   int
	reason string
}

func malformed(what string) *fault { return &fault{400, "Bad Request - " + what} }

// strip removes from a needed message all headers but those that a call depends on and that have a
// value: a mistake in another one would otherwise make the whole message unusable.
func (m *message) strip() {
	needed := []string{
		"Via", "From", "To", "Call-ID", "CSeq", "Contact", "Record-Route", "Content-Type", "Content-Encoding", "Content-Length",
		"WWW-Authenticate", "Proxy-Authenticate", "Require", "Reason", "Retry-After", "Warning", "Unsupported", "Min-SE", "Accept", "RSeq",
	}
	m.fields = slices.DeleteFunc(m.fields, func(f field) bool {
		return f.value == "" || !slices.ContainsFunc(needed, func(name string) bool { return strings.EqualFold(name, f.name) })
	})
}

// unreadable names the header, with its article, without which a response could be parsed: one of the
// few that responses do not need, so that a stranger's messages cost little.
func (m *message) unreadable() string {
	if m.request() {
		return "a"
	}
	for _, name := range []string{"Contact", "Record-Route", "Content-Type", "WWW-Authenticate", "Proxy-Authenticate", "Content-Encoding"} {
		rest := *m
		rest.fields = slices.DeleteFunc(slices.Clone(m.fields), func(f field) bool { return f.name == name })
		if len(rest.fields) < len(m.fields) && parses(rest.write(netip.AddrPort{})) {
			return "the " + name
		}
	}
	return "a"
}

// parses reports whether sipgo's own parser accepts b, recovering from panics.
func parses(b []byte) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	m, err := msg.ParseMessage(b)
	return err == nil && m != nil && m.Via() != nil && m.From() != nil && m.To() != nil && m.CallID() != nil && m.CSeq() != nil
}

// field is one header in plain form.
type field struct{ name, value string }

// message is a parsed SIP message.
type message struct {
	method, uri, version string // of a request
	status               int    // of a response
	reason               string
	fields               []field
	body                 []byte
}

func (m *message) request() bool { return m.status == 0 }

// needed reports whether a call depends on a message that cannot usefully be rejected: a
// response cannot be answered, and the sender of a BYE is gone, whatever we answer.
func (m *message) needed() bool { return !m.request() || m.method == "BYE" }

// all returns the values of a header.
func (m *message) all(name string) []string {
	var out []string
	for _, f := range m.fields {
		if f.name == name {
			out = append(out, f.value)
		}
	}
	return out
}

func (m *message) set(name, value string) {
	for i := range m.fields {
		if m.fields[i].name == name {
			m.fields[i].value = value
			return
		}
	}
}

// singles returns the headers that may occur only once.
func singles() []string {
	return []string{"From", "To", "Call-ID", "CSeq", "Max-Forwards", "Content-Length", "Content-Type"}
}

// common checks the rules for both requests and responses.
func (m *message) common() *fault {
	for _, name := range singles() {
		if len(m.all(name)) > 1 {
			return malformed("more than one " + name)
		}
	}
	for _, name := range []string{"Via", "From", "To", "Call-ID", "CSeq"} {
		if values := m.all(name); len(values) == 0 || values[0] == "" {
			return malformed("no " + name)
		}
	}
	if f := m.checkSequence(); f != nil {
		return f
	}
	if f := m.checkLength(); f != nil {
		return f
	}
	for _, name := range []string{"From", "To"} {
		plain, ok := plainAddress(m.all(name)[0])
		if !ok {
			return malformed(name)
		}
		m.set(name, plain)
	}
	for i, f := range m.fields {
		if f.name == "Record-Route" {
			m.fields[i].value = plainRoutes(f.value)
		}
	}
	via, ok := plainVia(m.all("Via")[0])
	if !ok {
		return malformed("Via")
	}
	m.set("Via", via)
	return nil
}

func (m *message) checkSequence() *fault {
	number, method, ok := strings.Cut(m.all("CSeq")[0], " ")
	n, err := strconv.ParseUint(number, 10, 31)
	if !ok || err != nil || !isToken(method) {
		return malformed("CSeq")
	}
	if m.request() && method != m.method {
		return malformed("CSeq and request line name different methods")
	}
	m.set("CSeq", fmt.Sprintf("%d %s", n, method))
	return nil
}

// checkLength truncates the body to Content-Length; a datagram may be longer. The length of a
// BYE's body does not matter.
func (m *message) checkLength() *fault {
	values := m.all("Content-Length")
	if len(values) == 0 {
		m.fields = append(m.fields, field{"Content-Length", strconv.Itoa(len(m.body))})
		return nil
	}
	n, err := strconv.ParseUint(values[0], 10, 31)
	switch {
	case err == nil && n <= uint64(len(m.body)):
	case m.method == "BYE":
		n = uint64(len(m.body))
	default:
		return malformed("Content-Length")
	}
	m.body = m.body[:n]
	m.set("Content-Length", strconv.FormatUint(n, 10))
	return nil
}

func (m *message) checkRequest() *fault {
	if !strings.EqualFold(m.version, "SIP/2.0") {
		return &fault{505, "Version Not Supported"}
	}
	if !isToken(m.method) {
		return malformed("method")
	}
	if f := m.common(); f != nil {
		return f
	}
	if values := m.all("Max-Forwards"); len(values) == 1 {
		n, err := strconv.ParseUint(values[0], 10, 8)
		if err != nil {
			return malformed("Max-Forwards")
		}
		m.set("Max-Forwards", strconv.FormatUint(n, 10))
	}
	for i, f := range m.fields {
		if f.name != "Contact" || f.value == "*" {
			continue
		}
		plain, ok := plainContacts(f.value)
		if !ok && !m.needed() {
			return malformed("Contact")
		}
		m.fields[i].value = plain
	}
	return m.checkTarget()
}

// checkTarget checks the request URI.
func (m *message) checkTarget() *fault {
	if strings.ContainsAny(m.uri, "<>\" \t") {
		return malformed("request address")
	}
	scheme, rest, ok := strings.Cut(m.uri, ":")
	if !ok || !isScheme(scheme) || rest == "" {
		return malformed("request address")
	}
	switch strings.ToLower(scheme) {
	case "sip", "sips":
		return nil
	case "tel":
		// sipgo accepts any host, and it makes no difference to us.
		return nil
	}
	return &fault{416, "Unsupported URI Scheme"}
}

// answers returns the Call-ID of a 2xx to an INVITE, "" for anything else.
func (m *message) answers() string {
	if m.status/100 != 2 {
		return ""
	}
	return m.invited()
}

// rings returns the Call-ID of a provisional response to an INVITE other than 100, "" for anything else.
func (m *message) rings() string {
	if m.status <= 100 || m.status >= 200 {
		return ""
	}
	return m.invited()
}

// invited returns the Call-ID of a response to an INVITE, "" for a response to another request.
func (m *message) invited() string {
	if !strings.HasSuffix(m.all("CSeq")[0], " INVITE") {
		return ""
	}
	return m.all("Call-ID")[0]
}

func (m *message) checkResponse() *fault { return m.common() }

// mend corrects mistakes that leave only one possible meaning.
func (m *message) mend() {
	m.onceEach()
	for i, f := range m.fields {
		switch f.name {
		case "Via", "From", "To", "Contact":
			m.fields[i].value = tidy(f.value)
		}
		if f.name == "Contact" {
			m.fields[i].value = readable(m.fields[i].value)
		}
	}
}

// onceEach removes identical repetitions of headers that may occur only once.
func (m *message) onceEach() {
	seen := map[field]bool{}
	m.fields = slices.DeleteFunc(m.fields, func(f field) bool {
		again := seen[f] && slices.Contains(singles(), f.name)
		seen[f] = true
		return again
	})
}

// refusal returns the response to a refused request, made from the request's own headers as far
// as they exist; nil if it cannot be addressed.
func (m *message) refusal(why *fault) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "SIP/2.0 %d %s\r\n", why.code, why.reason)
	vias := m.all("Via")
	if len(vias) == 0 {
		return nil
	}
	for _, f := range m.fields {
		switch f.name {
		case "Via", "From", "Call-ID", "CSeq":
			fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
		case "To":
			tag := ""
			if !strings.Contains(strings.ToLower(f.value), "tag=") {
				tag = ";tag=" + fingerprint(vias[0], f.value)
			}
			fmt.Fprintf(&b, "To: %s%s\r\n", f.value, tag)
		}
	}
	b.WriteString("User-Agent: " + AgentName + "\r\nContent-Length: 0\r\n\r\n")
	return b.Bytes()
}

// fingerprint returns a short text that is equal for equal texts.
func fingerprint(texts ...string) string {
	h := fnv.New64a()
	for _, t := range texts {
		_, _ = h.Write([]byte(t))
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// write returns the message in plain form. from is its sender's address.
func (m *message) write(from netip.AddrPort) []byte {
	var b bytes.Buffer
	if m.request() {
		fmt.Fprintf(&b, "%s %s SIP/2.0\r\n", m.method, m.uri)
	} else {
		fmt.Fprintf(&b, "SIP/2.0 %d %s\r\n", m.status, m.reason)
	}
	first := true
	for _, f := range m.fields {
		if f.name == "Via" && first {
			first = false
			if m.request() {
				f.value = m.answerable(f.value, from)
			}
		}
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	b.WriteString("\r\n")
	b.Write(m.body)
	return b.Bytes()
}

// answerable completes the Via of a request. A sender that does not know its own address is behind
// NAT, so responses are sent to where it sent from, as if it had asked for that (RFC 3581). A
// sender without branches (RFC 2543) gets one that is equal for all messages of a transaction.
func (m *message) answerable(via string, from netip.AddrPort) string {
	head, _, _ := strings.Cut(via, ";")
	_, host, _ := strings.Cut(head, " ")
	if a, err := netip.ParseAddrPort(host); err == nil {
		host = a.Addr().String()
	}
	params := strings.ToLower(via)
	if strings.Trim(host, "[]") != from.Addr().Unmap().String() && !strings.Contains(params, ";rport") && from.IsValid() {
		via += ";rport"
	}
	if !strings.Contains(params, ";branch=") {
		number, _, _ := strings.Cut(m.all("CSeq")[0], " ")
		via += ";branch=z9hG4bK-" + fingerprint(head, m.all("From")[0], m.all("Call-ID")[0], number)
	}
	return via
}
