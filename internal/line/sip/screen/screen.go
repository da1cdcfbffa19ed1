// Package screen stands between the sockets and the SIP library: it takes each message that
// strangers send apart, answers by itself what is malformed, drops what is no SIP, and writes
// the rest in the one plain form that the library understands.
//
// It holds no state and knows no call. The sockets of line/sip, above it, ask it what
// a message is and what it asks for.
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

// MaxMessage bounds a SIP message; what is larger never reaches the parser.
const MaxMessage = 64 << 10

// AgentName is how we sign our messages.
const AgentName = "ringtrue"

// Result is what the screen makes of a message from the network.
type Result struct {
	// Pass is the message in plain form for sipgo, nil when it must not see it.
	Pass []byte
	// Reply is what is sent back at once instead, nil for nothing.
	Reply []byte
	// Wish is what the request that passes asks for.
	Wish Wish
	// Answers is the Call-ID of a 2xx to an INVITE that passes.
	Answers string
	// Rings is the Call-ID of a provisional response to an INVITE that passes and says more than
	// that somebody tries.
	Rings string
	// Riddle is the answer that does not pass, if it is one that somebody waits for.
	Riddle Riddle
}

// Read reads a message before sipgo does. sipgo takes for granted much that a
// stranger need not keep to, and a panic on its goroutines would end the process
// and every call on it. It answers what is malformed (RFC 3261 section
// 8.2, RFC 4475), drops what is no SIP, and writes the rest in the one plain form
// that sipgo understands: long header names, one line each, single blanks.
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

// fault is why a request is refused before anybody looks at what it wants.
type fault struct {
	code   int
	reason string
}

func malformed(what string) *fault { return &fault{400, "Bad Request - " + what} }

// strip leaves a message that is needed those of its headers that a call needs and that say something:
// a mistake in another one would else be the end of it.
func (m *message) strip() {
	needed := []string{
		"Via", "From", "To", "Call-ID", "CSeq", "Contact", "Record-Route", "Content-Type", "Content-Encoding", "Content-Length",
		"WWW-Authenticate", "Proxy-Authenticate", "Require", "Reason", "Retry-After", "Warning", "Unsupported", "Min-SE", "Accept", "RSeq",
	}
	m.fields = slices.DeleteFunc(m.fields, func(f field) bool {
		return f.value == "" || !slices.ContainsFunc(needed, func(name string) bool { return strings.EqualFold(name, f.name) })
	})
}

// unreadable names the header without which a response could be read, with its article: one of those few
// that responses can do without, so that a stranger's costs little.
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

// parses asks sipgo's own parser, under a net.
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

// message is a SIP message taken apart.
type message struct {
	method, uri, version string // of a request
	status               int    // of a response
	reason               string
	fields               []field
	body                 []byte
}

func (m *message) request() bool { return m.status == 0 }

// needed says that a call hangs on a message, and that a mistake in it helps nobody: a response
// cannot be answered, and whoever hangs up is gone, whatever we answer.
func (m *message) needed() bool { return !m.request() || m.method == "BYE" }

// all lists the values of a header.
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

// singles are the headers that may stand once.
func singles() []string {
	return []string{"From", "To", "Call-ID", "CSeq", "Max-Forwards", "Content-Length", "Content-Type"}
}

// common are the rules for requests and responses alike.
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

// checkLength makes the body as long as Content-Length says; a datagram may hold more. The body of
// a BYE is nobody's concern, whatever its length is said to be.
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

// checkTarget looks at the request's address.
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
		// sipgo reads a host out of whatever it is given; for us it is all the same.
		return nil
	}
	return &fault{416, "Unsupported URI Scheme"}
}

// answers is the Call-ID of a 2xx to an INVITE, "" of anything else.
func (m *message) answers() string {
	if m.status/100 != 2 {
		return ""
	}
	return m.invited()
}

// rings is the Call-ID of a provisional response to an INVITE but 100, "" of anything else.
func (m *message) rings() string {
	if m.status <= 100 || m.status >= 200 {
		return ""
	}
	return m.invited()
}

// invited is the Call-ID of a response to an INVITE, "" of one to another request.
func (m *message) invited() string {
	if !strings.HasSuffix(m.all("CSeq")[0], " INVITE") {
		return ""
	}
	return m.all("Call-ID")[0]
}

func (m *message) checkResponse() *fault { return m.common() }

// mend passes over what can be meant in one way only.
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

// onceEach leaves one of headers that may stand once and say the same again.
func (m *message) onceEach() {
	seen := map[field]bool{}
	m.fields = slices.DeleteFunc(m.fields, func(f field) bool {
		again := seen[f] && slices.Contains(singles(), f.name)
		seen[f] = true
		return again
	})
}

// refusal is the response to a request that is refused, made of the request's
// own words as far as they are there; nil when there is nobody to tell.
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

// fingerprint is a short text that is the same for the same texts.
func fingerprint(texts ...string) string {
	h := fnv.New64a()
	for _, t := range texts {
		_, _ = h.Write([]byte(t))
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// write gives the message in plain form. from is where it came from.
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

// answerable completes the Via of a request. A sender that does not know its own
// address sits behind address translation: its answers go back to where it sent
// from, as if it had asked for that (RFC 3581). One that knows no branches (RFC
// 2543) gets one that is the same for all that belongs to one transaction.
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
