package screen

import (
	"strconv"
	"strings"
)

// Wish describes a request as far as the porter needs: its method, the dialog that it claims to
// belong to, and its number there.
type Wish struct {
	Method, CallID, Tag string
	Number              uint32
}

// wishOf returns the Wish of a message in plain form, the zero value for a response.
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

// TurnAway returns the response to a request that is not admitted.
func TurnAway(whole []byte) []byte {
	m, _ := readMessage(whole)
	if m == nil || m.common() != nil {
		return nil
	}
	return m.refusal(&fault{503, "Service Unavailable"})
}
