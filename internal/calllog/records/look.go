package records

import (
	"bytes"
	"encoding/json"
	"regexp"
	"unicode/utf8"
)

// expected says what kinds of files are read.
const expected = "what is read is JSON: webhook bodies, calls, a list of them, or one a line (JSONL)"

// logLine matches a line of a log that begins with a time or level in brackets, timedLine one that begins with a time
// and a blank.
//
//nolint:gochecknoglobals // compiled once
var (
	logLine   = regexp.MustCompile(`^\[[^\[\]{}"]*\]\s*\S`)
	timedLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?\S*\s+\S`)
)

// refusalOf says what a line that does not begin JSON looks like, and what is expected
// instead; "" if it may begin JSON.
func refusalOf(line []byte) string {
	if look := lookOf(line); look != "" {
		return "this looks like " + look + "; " + expected
	}
	return ""
}

func lookOf(line []byte) string {
	if kind := kindOf(line); kind != "" {
		return kind
	}
	switch first := line[:min(len(line), 1)]; {
	case len(line) == 0, first[0] == '{', json.Valid(line):
		return ""
	case first[0] == '[' && !logLine.Match(line):
		return ""
	case first[0] == '<':
		return "XML or a web page"
	case bytes.Contains(line, []byte(`{"`)):
		return "a log: leave out what stands before the { of each line"
	case timedLine.Match(line):
		return "plain text"
	case first[0] != '[' && isRow(line):
		return "a table (CSV): export the column that holds the payload, each as a line of JSON"
	case bytes.ContainsAny(first, `"}],:`):
		return "" // JSON without its beginning
	}
	return "plain text"
}

// isRow reports whether a line may be a row of a table: in JSON, some string is followed by a
// colon before any is followed by a comma.
func isRow(line []byte) bool {
	at := bytes.IndexAny(line, ",;\t|")
	if at < 0 || bytes.HasSuffix(line, []byte("}")) {
		return false
	}
	return !bytes.Contains(line[:at], []byte(`":`))
}

// kindOf names the kind of a file that is not text, judged by its first bytes.
func kindOf(line []byte) string {
	for mark, kind := range map[string]string{
		"PK\x03\x04": "a ZIP archive or a spreadsheet: unpack or export it", "RIFF": "a recording", "ID3": "a recording", "fLaC": "a recording", "OggS": "a recording",
		"PAR1": "Parquet: export it as JSONL", "SQLite format 3": "a database: export the column that holds the payload", "%PDF": "a PDF",
		"\x28\xb5\x2f\xfd": "a file compressed with zstd: unpack it", "BZh": "a file compressed with bzip2: unpack it", "\xfd7zXZ": "a file compressed with xz: unpack it",
	} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return kind
		}
	}
	begin := line[:min(len(line), 512)]
	if bytes.IndexByte(begin, 0) >= 0 || !utf8.Valid(line) && !bytes.HasPrefix(line, []byte("{")) && !bytes.HasPrefix(line, []byte("[")) {
		return "no text"
	}
	return ""
}
