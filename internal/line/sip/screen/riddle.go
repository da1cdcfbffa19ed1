package screen

import "strings"

// Riddle is a final answer to an INVITE that cannot be read; the zero value is none.
type Riddle struct{ CallID, Why string }

// riddle says what is wrong with a message if it is such an answer.
func (m *message) riddle(f *fault) Riddle {
	ids, numbers := m.all("Call-ID"), m.all("CSeq")
	if m.status < 200 || len(ids) == 0 || len(numbers) > 0 && !strings.HasSuffix(numbers[0], "INVITE") {
		return Riddle{}
	}
	return Riddle{ids[0], strings.TrimPrefix(f.reason, malformed("").reason)}
}

// RiddleIn is the riddle of a message on a stream whose end cannot be told, or never comes. why is
// the part of it that is to blame.
func RiddleIn(head []byte, why string) Riddle {
	m, _ := readMessage(append(append([]byte{}, head...), "\r\n\r\n"...))
	if m == nil {
		return Riddle{}
	}
	return m.riddle(malformed(why))
}
