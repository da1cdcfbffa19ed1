package screen

import "strings"

// Riddle is a final response to an INVITE that cannot be parsed. The zero value means none.
type Riddle struct{ CallID, Why string }

// riddle returns the Riddle for a malformed message if it is such a response.
func (m *message) riddle(f *fault) Riddle {
	ids, numbers := m.all("Call-ID"), m.all("CSeq")
	if m.status < 200 || len(ids) == 0 || len(numbers) > 0 && !strings.HasSuffix(numbers[0], "INVITE") {
		return Riddle{}
	}
	return Riddle{ids[0], strings.TrimPrefix(f.reason, malformed("").reason)}
}

// RiddleIn returns the Riddle for a message on a stream whose end cannot be determined or never
// comes. why is the part of it that is at fault.
func RiddleIn(head []byte, why string) Riddle {
	m, _ := readMessage(append(append([]byte{}, head...), "\r\n\r\n"...))
	if m == nil {
		return Riddle{}
	}
	return m.riddle(malformed(why))
}
