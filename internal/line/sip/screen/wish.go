package screen

import "strings"

// Wish is what a request asks for, as far as the porter cares: its method and the
// dialog that it says to belong to.
type Wish struct{ Method, CallID, Tag string }

// wishOf reads the wish of a message in plain form; a response has none.
func (m *message) wishOf() Wish {
	if !m.request() {
		return Wish{}
	}
	to := m.all("To")[0]
	_, tag, _ := strings.Cut(to[strings.LastIndexByte(to, '>')+1:], ";tag=")
	tag, _, _ = strings.Cut(tag, ";")
	return Wish{m.method, m.all("Call-ID")[0], tag}
}

// TurnAway is the answer to a request that is not let in.
func TurnAway(whole []byte) []byte {
	m, _ := readMessage(whole)
	if m == nil || m.common() != nil {
		return nil
	}
	return m.refusal(&fault{503, "Service Unavailable"})
}
