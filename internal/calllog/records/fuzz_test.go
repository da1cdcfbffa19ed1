package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzReader checks for any file that every record found is a submission with a payload, that line
// numbers are in order and within the file (or 0, the file as a whole), and that reading byte by
// byte gives the same result.
func FuzzReader(f *testing.F) {
	const webhook = `{"event":"call_ended","call":{"call_id":"c1"}}`
	for _, text := range []string{
		webhook, webhook + "\n" + webhook, "[" + webhook + ",\n" + webhook + "]", `{"calls":[` + webhook + `],"opt_out_sensitive_data_storage":true}`,
		"\ufeff{\"provider\":\"custom\",\"payload\":{}}", `{"Item":{"event":{"S":"call_ended"},"call":{"M":{"call_id":{"S":"c1"}}}}}`,
		`{"body":"{\"message\":{\"type\":\"end-of-call-report\"}}"}`, "call_id,status\nc1,ended", "\xff\xfe{\x00}\x00", "{\n", "[[[[1]]]]", "", "7 8\n9",
	} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Add(gzipped(f, webhook), false)
	f.Fuzz(func(t *testing.T, file []byte, isJSONL bool) {
		whole, bytewise := told(t, file, isJSONL, false), told(t, file, isJSONL, true)
		if !slices.Equal(whole, bytewise) {
			t.Errorf("%q\nas a whole:   %q\nbyte by byte: %q", file, whole, bytewise)
		}
	})
}

// told returns what a reader reports about a file, in order.
func told(t *testing.T, file []byte, isJSONL, bytewise bool) (said []string) {
	t.Helper()
	last := 0
	tell := func(line int, what string) {
		if line > 0 && line < last {
			t.Errorf("%q: line %d is told of behind line %d: %s", file, line, last, what)
		}
		last = max(last, line)
		said = append(said, fmt.Sprintf("%d: %s", line, what))
	}
	r := Reader{JSONL: isJSONL, Found: func(line int, submission []byte) error {
		var s map[string]json.RawMessage
		if err := json.Unmarshal(submission, &s); err != nil || s["provider"] == nil || s["payload"] == nil || line < 1 {
			t.Errorf("%q: line %d is no submission: %s", file, line, submission)
		}
		if strings.ContainsFunc(CallIn(submission), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q: the id of the call would change a terminal", file)
		}
		tell(line, string(submission))
		return nil
	}, Refused: func(line int, why string) { tell(line, "refused: "+why) }}
	in := bytes.NewReader(file)
	err := r.Read(in)
	if bytewise {
		said, last = nil, 0
		in.Reset(file)
		err = r.Read(iotest.OneByteReader(in))
	}
	return append(said, fmt.Sprint(err))
}
