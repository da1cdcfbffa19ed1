package screen

import (
	"strconv"
	"strings"
)

// Wish is what a request asks for, as far as the porter cares: its method, the
// dialog that it says to belong to, and its number there.
type Wish struct {
	Method, CallID, Tag string
	Number              uint32
}

// wishOf reads the wish of a message in plain form; a response has none.
func (m *message) wishOf() Wish {
	if !m.request() {
		return Wish{}
	}
	to := m.all("To")[0]
	_, tag, _ := strings.Cut(to[strings.LastIndexByte(to, '>')+1:], ";tag=")
	tag, _, _ = strings.Cut(tag, ";")
	number, _, _ := strings.Cut(m.all("CSeq")[0], " ")
	n, _ := strconv.ParseUint(number, 10, 32)
	return Wish{Method: m.method, CallID: m.all("Call-ID")[0], Tag: tag, Number: uint32(n)}
}

// TurnAway is the answer to a request that is not let in.
func TurnAway(whole []byte) []byte {
	m, _ := readMessage(whole)
	if m == nil || m.common() != nil {
		return nil
	}
	return m.refusal(&fault{503, "Service Unavailable"})
}
