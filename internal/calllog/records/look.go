package records

import (
	"bytes"
	"encoding/json"
	"regexp"
	"unicode/utf8"
)

// expected are the records that are read.
const expected = "what is read is JSON: webhook bodies, calls, a list of them, or one a line (JSONL)"

// logLine is how a line of a log begins that has its time or its level in brackets.
var logLine = regexp.MustCompile(`^\[[^\[\]{}"]*\]\s*\S`) //nolint:gochecknoglobals // compiled once

// refusalOf says what a line looks like that begins no JSON, and what is expected instead; ""
// when it may begin some.
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
	case first[0] != '[' && isRow(line):
		return "a table (CSV): export the column that holds the payload, each as a line of JSON"
	case bytes.ContainsAny(first, `"}],:`):
		return "" // JSON that was cut off in front
	}
	return "plain text"
}

// isRow reports whether a line can be one of a table: texts in JSON are followed by a colon
// somewhere before they are by a comma.
func isRow(line []byte) bool {
	at := bytes.IndexAny(line, ",;\t|")
	if at < 0 || bytes.HasSuffix(line, []byte("}")) {
		return false
	}
	return !bytes.Contains(line[:at], []byte(`":`))
}

// kindOf is what a file is that holds no text, told by how it begins.
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
