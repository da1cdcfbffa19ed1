package screen

import (
	"bytes"
	"strconv"
	"strings"
)

// Limits of a message's head.
const (
	MaxHead   = 32 << 10
	maxFields = 256
)

// readMessage parses a message. It returns nil if this is not SIP at all, and a fault together with the
// message if it is malformed SIP. In a message that is needed, lines that are not headers are skipped.
func readMessage(b []byte) (*message, *fault) {
	b = bytes.TrimLeft(b, "\r\n")
	if len(b) == 0 || len(b) > MaxMessage {
		return nil, nil
	}
	head, body, whole := CutHead(b)
	if len(head) > MaxHead {
		return nil, nil
	}
	lines := unfold(string(head))
	m := &message{body: body}
	bad := m.readStart(lines[0])
	if bad != nil && m.version == "" {
		return nil, nil
	}
	for _, text := range lines[1:] {
		if !m.readField(text) && bad == nil && !m.needed() {
			bad = malformed("a header")
		}
		if len(m.fields) > maxFields { // a list may hold that many by itself, and each is repeated in a response
			m.fields = m.fields[:maxFields]
			return m, malformed("too many headers")
		}
	}
	if !whole && bad == nil {
		bad = malformed("no end of the headers")
	}
	return m, bad
}

// CutHead splits a message at the empty line; whole is false if there is none.
func CutHead(b []byte) (head, body []byte, whole bool) {
	crlf, lf := bytes.Index(b, []byte("\r\n\r\n")), bytes.Index(b, []byte("\n\n"))
	switch {
	case crlf >= 0 && (lf < 0 || crlf < lf):
		return b[:crlf], b[crlf+4:], true
	case lf >= 0:
		return b[:lf], b[lf+2:], true
	}
	return bytes.TrimRight(b, "\r\n"), nil, false
}

// unfold splits a head into lines and joins continuation lines, which begin with a blank.
func unfold(head string) []string {
	var lines, parts []string // parts of the newest line
	for text := range strings.SplitSeq(head, "\n") {
		text = strings.TrimSuffix(text, "\r")
		if len(parts) > 0 && text != "" && (text[0] == ' ' || text[0] == '\t') {
			last := len(parts) - 1
			parts[last] = strings.TrimRight(parts[last], " \t")
			if text = strings.Trim(text, " \t"); text != "" {
				parts = append(parts, text)
			}
			continue
		}
		if len(parts) > 0 {
			lines = append(lines, strings.Join(parts, " "))
		}
		parts = append(parts[:0], text)
	}
	return append(lines, strings.Join(parts, " "))
}

// readStart parses the first line. Without a SIP version it is not SIP, and the version is left empty.
func (m *message) readStart(text string) *fault {
	if len(text) >= 4 && strings.EqualFold(text[:4], "SIP/") {
		return m.readStatus(text)
	}
	trimmed := strings.TrimRight(text, " \t")
	at := strings.LastIndexAny(trimmed, " \t")
	if at < 0 || len(trimmed)-at < 5 || !strings.EqualFold(trimmed[at+1:at+5], "SIP/") {
		return malformed("start line")
	}
	m.version = trimmed[at+1:]
	words := strings.Fields(trimmed[:at])
	if len(words) > 0 {
		m.method = words[0]
	}
	if len(words) == 2 {
		m.uri = words[1]
	}
	if text != m.method+" "+m.uri+" "+m.version || len(words) != 2 {
		return malformed("request line")
	}
	return nil
}

// readStatus parses the first line of a response. The reason phrase may be missing, together
// with its blank.
func (m *message) readStatus(text string) *fault {
	version, rest, _ := strings.Cut(text, " ")
	code, reason, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(code)
	if err != nil || len(code) != 3 || n < 100 || n > 699 || !strings.EqualFold(version, "SIP/2.0") {
		return malformed("status line")
	}
	m.version, m.status, m.reason = version, n, reason
	return nil
}

// readField parses a header line. It returns false if it is not a header.
func (m *message) readField(text string) bool {
	name, value, ok := strings.Cut(text, ":")
	name = strings.TrimRight(name, " \t")
	if !ok || !isToken(name) || strings.ContainsAny(value, "\r") {
		return false
	}
	value = strings.Trim(value, " \t")
	name = longName(name)
	switch name {
	case "CSeq", "Max-Forwards", "Content-Length":
		value = strings.Join(strings.Fields(value), " ")
	case "Via":
		// One line per value, so that the first is the sender's.
		for _, one := range Split(value, ',') {
			if one = strings.Trim(one, " \t"); one != "" {
				m.fields = append(m.fields, field{name, one})
			}
		}
		return true
	}
	m.fields = append(m.fields, field{name, value})
	return true
}

// longName returns the name of a header in its usual long form.
func longName(name string) string {
	usual := [...]string{
		"i Call-ID", "m Contact", "l Content-Length", "c Content-Type", "e Content-Encoding", "f From", "t To", "v Via",
		"k Supported", "s Subject", "x Session-Expires", "r Refer-To", "b Referred-By", "o Event", "u Allow-Events",
		"- CSeq", "- Max-Forwards", "- Require", "- Accept", "- Record-Route", "- Route", "- Reason", "- Retry-After",
	}
	for _, both := range usual {
		if strings.EqualFold(both[2:], name) || len(name) == 1 && strings.EqualFold(both[:1], name) && name != "-" {
			return both[2:]
		}
	}
	return name
}

func isToken(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-.!%*_+`'~", rune(c)) {
			return false
		}
	}
	return text != ""
}

func isScheme(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return text != ""
}

// Split splits text at a separator outside of quotes and angle brackets.
func Split(text string, at byte) []string {
	var out []string
	quoted, inside, from := false, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<':
			inside = true
		case c == '>':
			inside = false
		case c == at && !inside:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// BodySize returns the Content-Length of a head, which is mandatory on a stream.
func BodySize(head []byte) (size int, ok bool) {
	found := false
	for _, text := range unfold(string(head)) {
		name, value, colon := strings.Cut(text, ":")
		if !colon || longName(strings.TrimRight(name, " \t")) != "Content-Length" {
			continue
		}
		n, err := strconv.ParseUint(strings.Trim(value, " \t"), 10, 31)
		if err != nil || found {
			return 0, false
		}
		size, found = int(n), true
	}
	return size, found
}
