package records

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// A file of lines without its beginning has one bad line, and the rest is read.
func TestLinesBehindABadFirstOne(t *testing.T) {
	t.Parallel()
	const whole = `{"provider":"custom","payload":{}}`
	long := whole[:len(whole)-1] + strings.Repeat(" ", 1<<17) + "}"
	for name, c := range map[string]struct {
		text           string
		found, refused []int
	}{
		"cut.jsonl":    {`"payload":{}}` + "\n" + whole + "\n\n7\n" + whole, []int{2, 5}, []int{1, 4}},
		"cut.json":     {`"payload":{}}` + "\n" + whole + "\n\n7\n" + whole, []int{2, 5}, []int{1, 4}},
		"cut.log":      {`yload":{}}` + "\n" + long + "\n" + whole, []int{2, 3}, []int{1}},
		"commas.jsonl": {whole + ",\n" + whole + " ,\r\n" + whole + ",", []int{1, 2, 3}, nil},
		"commas.json":  {whole + ",\n" + whole + ",\n" + whole + "\n]", []int{1, 2, 3}, []int{4}},
		"one.log":      {`yload":{}}` + "\n" + whole, []int{2}, []int{1}},
		"list.json":    {`"payload":{}}` + "\n[" + whole + "]", nil, []int{1, 1}},
		"many.jsonl":   {"{\n" + whole[1:] + "\n" + whole, []int{1, 3}, nil},
		"marked.jsonl": {"\ufeff" + whole + "\n\ufeff" + whole + "\n\ufeff\n", []int{1, 2}, nil},
		"array.ndjson": {"[" + whole + ",\n" + whole + "]", []int{1, 2}, nil},
	} {
		var found, refused []int
		r := Reader{
			JSONL:   IsJSONL(name),
			Found:   func(line int, _ []byte) error { found = append(found, line); return nil },
			Refused: func(line int, _ string) { refused = append(refused, line) },
		}
		if err := r.Read(strings.NewReader(c.text)); err != nil || !slices.Equal(found, c.found) || !slices.Equal(refused, c.refused) {
			t.Errorf("%s: found in lines %v, refused in %v: %v", name, found, refused, err)
		}
	}
}

// The agent that an import names is that of whole submissions too, unless they name one themselves.
func TestTheAgentOfSubmissions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"call_id":"a","status":"ended"}`:                                                "front",
		`{"provider":"custom","payload":{}}`:                                              "front",
		`{"provider":"custom","externalAgentId":null,"payload":{}}`:                       "front",
		`{"provider":"custom","externalAgentId":"back","payload":{}}`:                     "back",
		`{"data_storage_setting":"everything","body":{"provider":"custom","payload":{}}}`: "front",
	} {
		r := Reader{ExternalAgentID: "front", Refused: func(_ int, why string) { t.Errorf("%s: %s", text, why) }, Found: func(_ int, submission []byte) error {
			var got struct{ ExternalAgentID string }
			if err := json.Unmarshal(submission, &got); err != nil || got.ExternalAgentID != want {
				t.Errorf("%s: %s, %v", text, submission, err)
			}
			return nil
		}}
		if err := r.Read(strings.NewReader(text)); err != nil {
			t.Error(err)
		}
	}
}

// A row may name in its own words where the webhook came from; what the import says then counts.
func TestTheProviderOfRows(t *testing.T) {
	t.Parallel()
	const webhook = `{"event":"call_ended","call":{"call_id":"a"}}`
	for text, want := range map[string]string{
		webhook: "platform_a",
		`{"id":7,"provider":"our phone","payload":` + webhook + `}`:                     "platform_a",
		`{"provider":"our phone","opt_out_sensitive_data_storage":true,"payload":"{}"}`: "platform_a",
		`{"provider":"custom","payload":{"call_id":"a"}}`:                               "custom",
		`{"provider":"platform_b","payload":{}}`:                                        "platform_b",
	} {
		found := 0
		r := Reader{Provider: "platform_a", Refused: func(_ int, why string) { t.Errorf("%s: %s", text, why) }, Found: func(_ int, submission []byte) error {
			var got struct{ Provider string }
			if err := json.Unmarshal(submission, &got); err != nil || got.Provider != want {
				t.Errorf("%s: %s, %v", text, submission, err)
			}
			if strings.Contains(text, "opt_out") != strings.Contains(string(submission), "opt_out") {
				t.Errorf("%s: %s", text, submission)
			}
			found++
			return nil
		}}
		if err := r.Read(strings.NewReader(text)); err != nil || found != 1 {
			t.Errorf("%s: %d found, %v", text, found, err)
		}
	}
}

// A file of blanks is read in time proportional to its length: the decoder rescans all blanks after
// each read, so it must get many at a time. Other content is passed on without waiting.
func TestBlanksComeManyAtATime(t *testing.T) {
	t.Parallel()
	l := &lineCounter{in: iotest.OneByteReader(strings.NewReader(strings.Repeat(" \t\r\n", 250) + "{}")), line: 1, most: maxValue}
	p := make([]byte, 600)
	for _, want := range []int{600, 401, 1} {
		if n, err := l.Read(p); n != want || err != nil {
			t.Fatalf("%d bytes were read, not %d: %v", n, want, err)
		}
	}
	if line := l.at(1000); line != 251 {
		t.Errorf("what follows 250 lines of blanks is in line %d", line)
	}
}

// A list that breaks off between two elements is reported, and what is there is read.
func TestAListThatBreaksOff(t *testing.T) {
	t.Parallel()
	const one = `{"provider":"custom","payload":{}}`
	for text, want := range map[string]struct {
		found int
		why   []string
	}{
		"[" + one + ",\n" + one:            {2, []string{cutOff}},
		"[\n":                              {0, []string{cutOff}},
		"[" + one + "]\n[" + one:           {2, []string{cutOff}},
		"[" + one + ",\n":                  {1, []string{"what follows is not JSON: EOF"}},
		"[" + one + ",\n" + one + "]\n":    {2, nil},
		"[]\n[" + one + "]" + one + "\n[]": {2, nil},
	} {
		found, why := 0, []string(nil)
		r := Reader{
			Found:   func(int, []byte) error { found++; return nil },
			Refused: func(_ int, said string) { why = append(why, said) },
		}
		if err := r.Read(strings.NewReader(text)); err != nil || found != want.found || !slices.Equal(why, want.why) {
			t.Errorf("%q: %d found, refused %q, %v", text, found, why, err)
		}
	}
}

// What is no JSON inside an object ends the reading, and is told once.
func TestAnObjectThatIsNoJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n\"calls\": x,\n\"n\": 1}\n{\"n\": 2}": "1: it is not JSON: invalid character 'x' looking for beginning of value",
		"{\n\"n\" 1}":  "1: it is not JSON: expected colon after object key",
		"{\n\"n\": 1]": "1: it is not JSON: invalid character ']' after object key:value pair",
		"{\n\"n\": 1":  "1: it is not JSON: EOF",
	} {
		var why []string
		r := Reader{Refused: func(line int, said string) { why = append(why, fmt.Sprintf("%d: %s", line, said)) }}
		if err := r.Read(strings.NewReader(text)); err != nil || !slices.Equal(why, []string{want}) {
			t.Errorf("%q: %q, %v", text, why, err)
		}
	}
}

// For any other kind of file, the message says what it looks like and what can be read.
func TestFilesOfAnotherKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\n\ncall_id,status\nc-1,ended\n":                                            "3: this looks like a table (CSV)",
		"\"call_id\";\"status\"\nc-1;ended":                                          "1: this looks like a table (CSV)",
		"1767261600,c-1,ended\n":                                                     "1: this looks like a table (CSV)",
		"call_id\tstatus\r\nc-1\tended":                                              "1: this looks like a table (CSV)",
		"2026-01-01 10:00:00 INFO call ended\n2026-01-01 10:00:01 INFO call ended\n": "1: this looks like plain text",
		"2026-01-01 10:00:00,123 INFO call c-1 ended, 61 s\n":                        "1: this looks like plain text",
		"2026-01-01 10:00:00,c-1,ended\n":                                            "1: this looks like a table (CSV)",
		"[2026-01-01 10:00:00] INFO call c-1 ended, 61 s\n":                          "1: this looks like plain text",
		"INFO webhook {\"event\":\"call_ended\",\"call\":{}}\n":                      "1: this looks like a log",
		"<html><body>Sign in</body></html>":                                          "1: this looks like XML or a web page",
		"PK\x03\x04\x14\x00":                                                         "1: this looks like a ZIP archive",
		"RIFF\x24\x08\x00\x00WAVEfmt ":                                               "1: this looks like a recording",
		"\x00\x01\x02":                                                               "1: this looks like no text",
	} {
		for _, jsonl := range []bool{false, true} {
			var said []string
			r := Reader{JSONL: jsonl, Found: func(int, []byte) error { return nil }, Refused: func(line int, why string) {
				said = append(said, fmt.Sprintf("%d: %s", line, why))
			}}
			if err := r.Read(strings.NewReader(text)); err != nil || len(said) == 0 || !strings.HasPrefix(said[0], want) || !strings.Contains(said[0], "what is read is JSON") || !jsonl && len(said) > 1 {
				t.Errorf("%q: %q, %v", text, said, err)
			}
		}
	}
	for _, text := range []string{`{"a":`, "[\n{}\n]", "[1,2]", `{"provider":"custom","payload":{}}`, `"payload":{}}`, `,"event":"call_ended"}`, `"x","event":"y"}`} {
		if look := lookOf([]byte(text)); look != "" {
			t.Errorf("%s looks like %s", text, look)
		}
	}
}

// Windows shells write UTF-16.
func TestFilesInUTF16(t *testing.T) {
	t.Parallel()
	const text = "{\"provider\":\"custom\",\"payload\":{\"call_id\":\"Zürich 👋\"}}\r\n{\"provider\":\"custom\",\"payload\":{}}\r\n"
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var file []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			file = order.AppendUint16(file, unit)
		}
		var found []string
		r := Reader{
			Found:   func(_ int, body []byte) error { found = append(found, string(body)); return nil },
			Refused: func(line int, why string) { t.Errorf("%s endian: line %d is refused: %s", name, line, why) },
		}
		if err := r.Read(bytes.NewReader(file)); err != nil || len(found) != 2 || !strings.Contains(found[0], "Zürich 👋") {
			t.Errorf("%s endian: %q, %v", name, found, err)
		}
	}
}

// A line that is too long is skipped if lines are records; arrays and wrappings are read by their
// elements and may have lines of any length.
func TestLongLines(t *testing.T) {
	t.Parallel()
	const whole = `{"provider":"custom","payload":{}}`
	blanks := strings.Repeat(" ", 1<<18)
	for text, c := range map[string]struct{ name, found, refused string }{
		whole + "\n{" + blanks + "}\n" + whole:          {"mid.jsonl", "[1 3]", "[2]"},
		"{" + blanks + "}\n" + whole + "\n" + whole:     {"first.jsonl", "[2 3]", "[1]"},
		whole + "\n{" + blanks:                          {"last.json", "[1]", "[2]"},
		"[" + whole + "," + blanks + whole + "]":        {"array.json", "[1 1]", "[]"},
		`{"calls":[` + whole + "]," + blanks + `"n":1}`: {"answer.json", "[1]", "[]"},
	} {
		found, refused := []int{}, []int{}
		r := Reader{
			JSONL:   IsJSONL(c.name),
			longest: 1 << 17,
			Found:   func(line int, _ []byte) error { found = append(found, line); return nil },
			Refused: func(line int, _ string) { refused = append(refused, line) },
		}
		err := r.Read(strings.NewReader(text))
		if got := fmt.Sprint(found, refused, err); got != c.found+" "+c.refused+" <nil>" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// A value that has no end, as a small compressed file can hold one, is not read into memory; many
// values may be as many as they like.
func TestLargeValues(t *testing.T) {
	t.Parallel()
	const largest = 1 << 16
	record := `{"provider":"custom","payload":{"x":"` + strings.Repeat("x", largest/2) + `"}}`
	list := strings.TrimSuffix(strings.Repeat(record+",", 20), ",")
	object := strings.Replace(record, ",", ",\n", 1) + "\n"
	for name, c := range map[string]struct {
		begin, again string
		found        int
		refused      string
	}{
		"a text":               {`["`, "x", 0, "[1: " + errLargeValue.Error() + "]"},
		"an element":           {"[" + record + ",\n" + `{"x":"`, "x", 1, "[1: " + errLargeValue.Error() + "]"},
		"a member":             {"{\n" + `"x":"`, "x", 0, "[1: " + errLargeValue.Error() + "]"},
		"members":              {"{\n" + `"x":1`, `,"x":1`, 0, "[1: " + errLargeValue.Error() + "]"},
		"blanks":               {"{\n", " ", 0, "[1: " + errLargeValue.Error() + "]"},
		"many elements":        {"[" + list + "]", "", 20, "[]"},
		"many objects":         {strings.Repeat(object, 20), "", 20, "[]"},
		"an object as a whole": {"{\n" + `"calls":[` + record + "]}", "", 1, "[]"},
	} {
		found, refused := 0, []string{}
		r := Reader{
			longest: 1 << 10, largest: largest,
			Found:   func(int, []byte) error { found++; return nil },
			Refused: func(line int, why string) { refused = append(refused, fmt.Sprintf("%d: %s", line, why)) },
		}
		file := c.begin + strings.Repeat(c.again, 4*largest)
		if err := r.Read(strings.NewReader(file)); err != nil || found != c.found || fmt.Sprint(refused) != c.refused {
			t.Errorf("%s: %d found, refused %q, %v", name, found, refused, err)
		}
	}
}

// What a record is recognised by: its provider, or why there is none.
func TestTheFormTellsTheWriter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"call":{"call_id":"c1","call_status":"ended"}}`:                                                          "platform_a",
		`{"name":"book","args":{},"call":{"call_id":"c1"}}`:                                                        "platform_a",
		`{"event":"chat_analyzed","chat":{"chat_id":"c1"}}`:                                                        "platform_a",
		`{"event":"call_inbound","call_inbound":{}}`:                                                               "platform_a",
		`{"event":"call_ended","payload":{"message":{"type":"x"}}}`:                                                "platform_b",
		`{"event":"delivered","body":{"id":"c1","endedReason":"voicemail"}}`:                                       "platform_b",
		`{"event":"delivered"}`:                                                                                    "",
		`{"version":"0","detail-type":"x","source":"bus","detail":{"event":"call_ended","call":{"call_id":"c1"}}}`: "platform_a",
		`{"Type":"Notification","Message":"{\"message\":{\"type\":\"end-of-call-report\"}}"}`:                      "platform_b",
		`{"call":7}`: "",
		`{"call_id":"c1","call_status":"ended","items":[{"sku":1}]}`:                      "platform_a",
		`{"event":"call_ended","call":{"call_id":"c1"},"results":[1]}`:                    "platform_a",
		`{"message":{"type":"end-of-call-report"},"data":[]}`:                             "platform_b",
		`{"call_id":"c1","status":"ended","recording_url":"x","data":[]}`:                 "custom",
		`{"message":"ok","event":"page","data":[{"call_id":"c1","call_status":"ended"}]}`: "platform_a",
	} {
		got := ""
		r := Reader{Found: func(_ int, submission []byte) error {
			var s struct{ Provider string }
			err := json.Unmarshal(submission, &s)
			got = s.Provider
			return err
		}, Refused: func(int, string) {}}
		if err := r.value(1, []byte(text)); err != nil || got != want {
			t.Errorf("%s: %q, want %q: %v", text, got, want, err)
		}
	}
}

// Opt-outs around a record apply to it when it is taken out.
func TestWhatIsSaidAroundARecord(t *testing.T) {
	t.Parallel()
	const webhook = `{"event":"call_ended","call":{"call_id":"c1"}}`
	for text, want := range map[string]string{
		`{"row":1,"opt_out_sensitive_data_storage":true,"payload":` + webhook + `}`:                                            `"opt_out_sensitive_data_storage":true`,
		`{"dataStorageSetting":"basic_attributes_only","calls":[{"call_id":"c1","call_status":"ended"}]}`:                      `"dataStorageSetting":"basic_attributes_only"`,
		`{"optOutSensitiveDataStorage":true,"body":{"provider":"platform_a","payload":{},"optOutSensitiveDataStorage":false}}`: `"optOutSensitiveDataStorage_":true`,
		`{"row":1,"call_opt_out_sensitive_data_storage":"true","payload":` + webhook + `}`:                                     `"call_opt_out_sensitive_data_storage":"true"`,
		`{"agent":{"a":{"OPT_OUT_SENSITIVE_DATA_STORAGE":1}},"body":` + webhook + `}`:                                          `"data_storage_setting":"basic_attributes_only"`,
		`{"agent":"{\"dataStorageSetting\":\"everything_except_pii\"}","body":` + webhook + `}`:                                `"data_storage_setting":"everything_except_pii"`,
		`{"agent":[{"name":"\ud800","dataStorageSetting":"x"}],"body":` + webhook + `}`:                                        `"data_storage_setting":"basic_attributes_only"`,
		`{"agent":{"a":1,"a":2,"dataStorageSetting":"everything"},"body":` + webhook + `}`:                                     `"data_storage_setting":"basic_attributes_only"`,
		`{"note":"in \"storage\"","agents":[{"dataStorageSetting":"x"},{}],"body":` + webhook + `}`:                            `"payload":` + webhook + `}`,
		`{"headers":{"x":"Storage"},"calls":[` + webhook + `]}`:                                                                `"payload":` + webhook + `}`,
		`{"optOutSensitiveDataStorage":true,"body":{"optOutSensitiveDataStorage":false,"json":` + webhook + `}}`:               `"optOutSensitiveDataStorage":true,"optOutSensitiveDataStorage_":false`,
	} {
		got := ""
		r := Reader{Found: func(_ int, submission []byte) error { got = string(submission); return nil }, Refused: func(int, string) {}}
		if err := r.value(1, []byte(text)); err != nil || !strings.Contains(got, want) || !strings.Contains(got, `"provider":"platform_a"`) || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s: %v", text, got, err)
		}
	}
}

// gzipped returns a text compressed with gzip.
func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// Compressed files are recognised by their content, whatever their name.
func TestAPackedFile(t *testing.T) {
	t.Parallel()
	const whole = `{"provider":"custom","payload":{}}`
	found := 0
	r := Reader{JSONL: IsJSONL("calls.jsonl.gz"), Found: func(int, []byte) error { found++; return nil }, Refused: func(line int, why string) { t.Errorf("line %d: %s", line, why) }}
	if err := r.Read(bytes.NewReader(append(gzipped(t, whole+"\n"), gzipped(t, whole)...))); err != nil || found != 2 || !r.JSONL {
		t.Errorf("%d: %v", found, err)
	}
}

// A compressed file that breaks off, is damaged or continues with something else is read as far as
// possible, and reported once as incomplete.
func TestAPackedFileThatIsNotWhole(t *testing.T) {
	t.Parallel()
	whole := make([]string, 300)
	for i := range whole {
		whole[i] = fmt.Sprintf(`{"provider":"custom","payload":{"call_id":"%x"}}`, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	lines, list := gzipped(t, strings.Join(whole, "\n")), gzipped(t, "["+strings.Join(whole, ",")+"]")
	sum := bytes.Clone(lines)
	sum[len(sum)-8] ^= 1
	spoilt := bytes.Clone(lines)
	copy(spoilt[len(spoilt)/2:], bytes.Repeat([]byte{0xff}, 200))
	for name, x := range map[string]struct {
		file  []byte
		least int
		why   string
	}{
		"lines, cut":      {lines[:len(lines)/2], 50, packedCut},
		"lines, no sum":   {lines[:len(lines)-8], 300, packedCut},
		"a list, cut":     {list[:len(list)/2], 50, packedCut},
		"a head, cut":     {lines[:6], 0, packedCut},
		"no head":         {[]byte("\x1f\x8b and so on"), 0, packedDamaged},
		"another sum":     {sum, 300, packedDamaged},
		"damaged":         {spoilt, 1, packedDamaged},
		"text behind":     {append(bytes.Clone(lines), "and so on, to its end"...), 300, packedMore},
		"a second is cut": {append(bytes.Clone(lines), lines[:len(lines)/2]...), 350, packedCut},
	} {
		found, told := 0, 0
		r := Reader{
			Found: func(int, []byte) error { found++; return nil },
			Refused: func(line int, why string) {
				if line == 0 && why == x.why {
					told++
				} else if why != "the line is not JSON" && name != "no head" {
					t.Errorf("%s: %s", name, why)
				}
			},
		}
		if err := r.Read(bytes.NewReader(x.file)); err != nil || found < x.least || told != 1 {
			t.Errorf("%s: %d found, told %d times, %v", name, found, told, err)
		}
	}
}

func TestTheCallOfARecord(t *testing.T) {
	t.Parallel()
	for submission, want := range map[string]string{
		`{"provider":"platform_a","payload":{"event":"call_started","call":{"call_id":"c1"}}}`: "c1",
		`{"provider":"platform_a","payload":{"body":{"event":"x","data":{"call_id":"c1"}}}}`:   "c1",
		`{"provider":"platform_b","payload":{"message":{"type":"x","call":{"id":"c1"}}}}`:      "c1",
		`{"provider":"platform_b","payload":{"id":"c1","type":"webCall"}}`:                     "c1",
		`{"provider":"custom","payload":{"call_id":"c\u001b[31m1"}}`:                           "c[31m1",
		`{"provider":"custom","payload":{"call_id":7}}`:                                        "",
		`{"provider":"custom","payload":{}}`:                                                   "",
		`{"provider":"custom","payload":[{"call_id":"c1"}]}`:                                   "",
		`{`: "",
	} {
		if got := CallIn([]byte(submission)); got != want {
			t.Errorf("%s: %q, want %q", submission, got, want)
		}
	}
}

// An export of a key-value database has one item per line, with a type around every value.
func TestItemsOfAKeyValueDatabase(t *testing.T) {
	t.Parallel()
	const call = `{"M":{"call_id":{"S":"c1"},"duration_ms":{"N":"61500"}}}`
	const payload = `"payload":{"call":{"call_id":"c1","duration_ms":61500},"event":"call_ended"`
	for text, want := range map[string]string{
		`{"Item":{"event":{"S":"call_ended"},"call":` + call + `}}` + "\n":                                                                                                           payload,
		`{"Items":[{"event":{"S":"call_ended"},"call":` + call + `}],"Count":1}`:                                                                                                     payload,
		`{"Item":{"id":{"N":"7"},"dataStorageSetting":{"S":"basic_attributes_only"},"body":{"S":"{\"call\":{\"call_id\":\"c1\",\"duration_ms\":61500},\"event\":\"call_ended\"}"}}}`: payload,
		`{"Item":{"message":{"M":{"type":{"S":"end-of-call-report"},"call":{"M":{"id":{"S":"b1"}}}}}}}`:                                                                              `"provider":"platform_b","payload":{"message":{"call":{"id":"b1"}`,
	} {
		var found []string
		r := Reader{Found: func(_ int, body []byte) error {
			found = append(found, string(body))
			return nil
		}, Refused: func(line int, why string) { t.Errorf("%s: %d: %s", text, line, why) }}
		if err := r.Read(strings.NewReader(text)); err != nil || len(found) != 1 || !strings.Contains(found[0], want) ||
			strings.Contains(text, "dataStorage") != strings.Contains(found[0], `"dataStorageSetting":"basic_attributes_only"`) {
			t.Errorf("%s: %q, %v", text, found, err)
		}
	}
}
