package records

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Reader finds the records of calls in one file of any supported form.
type Reader struct {
	// Provider is the provider of the records, "" to recognise it by their form. A submission that
	// names one of ours keeps it.
	Provider string
	// ExternalAgentID is added to every submission that names no agent, unless it is "".
	ExternalAgentID string
	// JSONL says that the file's name is that of a JSONL file (IsJSONL).
	JSONL bool
	// Found is called with each record as a whole submission, and the line where it begins. An error
	// ends the reading.
	Found func(line int, submission []byte) error
	// Refused is called with each value that is no record, and why. Line 0 is the file as a whole.
	Refused func(line int, why string)

	// from is the file being read.
	from *packed
	// longest limits a line of JSONL in bytes, and largest one value of any other file;
	// 0 means maxLine and maxValue.
	longest, largest int
}

// nothingInIt refuses an empty file. An empty list says that there were no calls; an empty file is
// what a failed download leaves.
const nothingInIt = "it is empty"

// cutOff is told of a file that breaks off between two elements of its list, as a download or
// an export does: what is there is read, and nobody knows how much is not.
const cutOff = "the file ends in the middle of its list"

// maxLine limits one line of JSONL, in bytes.
const maxLine = 64 << 20

// maxValue limits one value of a file that is not JSONL, in bytes: an element of its
// list, or an object with the list in it. A small compressed file can hold a value without end.
const maxValue = 256 << 20

var errLargeValue = errors.New("a single JSON value in it is larger than 256 MiB; what follows is not read. Give the records as a list, or one a line") //nolint:gochecknoglobals // an error to compare with

// IsJSONL reports whether a file's name is that of a JSONL file.
func IsJSONL(name string) bool {
	ending := endingOf(name)
	return ending == ".jsonl" || ending == ".ndjson"
}

// HasRecords reports whether a file with this name may hold records.
func HasRecords(name string) bool { return IsJSONL(name) || endingOf(name) == ".json" }

// endingOf returns the extension of a file's name in lower case, without that of its compression.
func endingOf(name string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// Read reads the file. If its first line is a whole object, it is read as JSONL, where one bad line
// does not spoil the others; otherwise as any sequence of JSON values. Gzip is decompressed as far
// as it is intact. An error is one returned by Found, or says that the file cannot be read.
func (r *Reader) Read(in io.Reader) error {
	var err error
	if r.from, err = unpacked(in); err != nil {
		return err
	}
	err = r.plain()
	if err == nil && r.from.why != "" {
		r.Refused(0, r.from.why)
	}
	return err
}

// plain reads a file that is not compressed, or no longer.
func (r *Reader) plain() error {
	buffered := bufio.NewReaderSize(asUTF8(r.from.in), 1<<16)
	first, number, err := r.firstLine(buffered)
	isLong := errors.Is(err, errLongLine)
	if err != nil && !isLong {
		return err
	}
	trimmed := bytes.TrimSpace(first)
	if len(trimmed) == 0 && !isLong {
		if r.from.why == "" {
			r.Refused(0, nothingInIt)
		}
		return nil
	}
	if r.named(trimmed) || !isLong && isObjectIn(trimmed) {
		return r.lines(buffered, first, isLong, number)
	}
	if !isLong && trimmed[0] != '{' && trimmed[0] != '[' && isObjectLine(buffered) {
		return r.lines(buffered, first, false, number) // the beginning of the file is missing
	}
	if why := refusalOf(trimmed); why != "" && !isLong {
		r.Refused(number, why)
		return nil
	}
	return r.values(io.MultiReader(bytes.NewReader(first), buffered), number)
}

// asUTF8 returns the text as UTF-8. A byte order mark of UTF-16 is obeyed: Windows PowerShell
// writes such files when output is redirected.
func asUTF8(in io.Reader) io.Reader {
	return transform.NewReader(in, unicode.BOMOverride(transform.Nop))
}

// named reports whether the file's name says JSONL and its first line does not begin a value of
// several lines. The line need not be whole: the beginning of a file may be missing.
func (r *Reader) named(first []byte) bool { return r.JSONL && len(first) > 1 && first[0] != '[' }

// isObjectLine reports whether the next line is a whole object, or begins one and is longer than
// the buffer.
func isObjectLine(in *bufio.Reader) bool {
	for n := 1; ; n = in.Buffered() + 1 {
		next, err := in.Peek(min(n, in.Size()))
		if end := bytes.IndexByte(next, '\n'); end >= 0 {
			next, err = next[:end], io.EOF
		}
		switch next = bytes.TrimSpace(next); {
		case errors.Is(err, io.EOF):
			return isObjectIn(next)
		case err != nil || n > in.Size():
			return len(next) > 0 && next[0] == '{'
		}
	}
}

// isObjectIn reports whether a line is a whole object.
func isObjectIn(line []byte) bool {
	return len(line) > 0 && line[0] == '{' && json.Valid(withoutComma(line))
}

// withoutComma removes the trailing comma of a line that was cut out of a list.
func withoutComma(line []byte) []byte {
	return bytes.TrimRight(bytes.TrimSuffix(line, []byte(",")), " \t")
}

// firstLine returns the first line that is not blank, with its number. For a line that is too long
// it returns the part that was read and errLongLine.
func (r *Reader) firstLine(in *bufio.Reader) (line []byte, number int, err error) {
	for {
		number++
		line, err = r.readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return line, number, err
		}
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
		if len(bytes.TrimSpace(line)) > 0 || errors.Is(err, io.EOF) {
			return line, number, nil
		}
	}
}

var errLongLine = errors.New("the line is longer than 64 MiB") //nolint:gochecknoglobals // an error to compare with

// readLine reads a line including its end. The rest of a line that is too long remains unread.
func (r *Reader) readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > cmp.Or(r.longest, maxLine) {
			return line, errLongLine
		}
	}
}

// skipLine skips the rest of a line.
func skipLine(in *bufio.Reader) error {
	for {
		_, err := in.ReadSlice('\n')
		switch {
		case err == nil || errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// lines reads one record per line. The first line has been read already, at least in part.
func (r *Reader) lines(in *bufio.Reader, line []byte, isLong bool, number int) error {
	for ; ; number++ {
		err := r.line(number, line, isLong)
		if err == nil && isLong {
			err = skipLine(in)
		}
		if err != nil {
			return err
		}
		line, err = r.readLine(in)
		isLong = errors.Is(err, errLongLine)
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case err != nil && !isLong && !errors.Is(err, io.EOF):
			return err
		}
	}
}

func (r *Reader) line(number int, line []byte, isLong bool) error {
	// Concatenated files may have a byte order mark in the middle.
	trimmed := withoutComma(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))))
	switch {
	case isLong:
		r.Refused(number, errLongLine.Error())
	case len(trimmed) > 0 && !json.Valid(trimmed):
		why := refusalOf(trimmed)
		if why == "" {
			why = "the line is not JSON"
		}
		r.Refused(number, why)
	case len(trimmed) > 0:
		return r.value(number, trimmed)
	}
	return nil
}

// values reads JSON values one by one, and arrays element by element, so that a large file is never
// in memory as a whole.
func (r *Reader) values(in io.Reader, number int) error {
	places := &lineCounter{in: in, line: number, most: cmp.Or(r.largest, maxValue)}
	decoder := json.NewDecoder(places)
	open := 0 // lists that have not ended yet
	for {
		next, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			if open > 0 {
				r.endless(places.at(decoder.InputOffset()), cutOff, io.EOF)
			}
			return nil
		case err != nil:
			r.endless(places.at(decoder.InputOffset()), "what follows is not JSON: "+err.Error(), err)
			return nil //nolint:nilerr // reported to Refused
		case next == json.Delim('['):
			open++
			for decoder.More() {
				if ok, err := r.one(decoder, places); err != nil || !ok {
					return err
				}
			}
			continue
		case next == json.Delim('{'):
			// The opening bracket is gone, so object rebuilds the object member by member.
			if ok, err := r.object(decoder, places); err != nil || !ok {
				return err
			}
			continue
		case next == json.Delim(']'):
			open--
			continue
		}
		value, err := json.Marshal(next) // a string may hold a record
		if err == nil {
			err = r.value(places.at(decoder.InputOffset()), value)
		}
		if err != nil {
			return err
		}
	}
}

// one reads the next value; ok is false if the rest of the file cannot be read.
func (r *Reader) one(decoder *json.Decoder, places *lineCounter) (ok bool, err error) {
	var value json.RawMessage
	err = decoder.Decode(&value)
	line := places.at(decoder.InputOffset() - int64(len(value)))
	places.at(decoder.InputOffset())
	if err != nil {
		r.endless(line, "what follows is not JSON: "+err.Error(), err)
		return false, nil //nolint:nilerr // reported to Refused
	}
	return true, r.value(line, value)
}

// object reads the members of an object whose opening bracket has been read; ok is
// false when the rest of the file cannot be read.
func (r *Reader) object(decoder *json.Decoder, places *lineCounter) (ok bool, err error) {
	line := places.at(decoder.InputOffset())
	whole := []byte{'{'}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			r.endless(line, "it is not JSON: "+err.Error(), err)
			_, err = io.Copy(io.Discard, places.in)
			return false, err
		}
		text, err := json.Marshal(name)
		if err != nil {
			return false, err
		}
		if len(whole) > 1 {
			whole = append(whole, ',')
		}
		whole = append(append(append(whole, text...), ':'), value...)
	}
	if _, err := decoder.Token(); err != nil { // the closing bracket
		r.endless(line, "it is not JSON: "+err.Error(), err)
		return false, nil //nolint:nilerr // reported to Refused
	}
	places.at(decoder.InputOffset())
	return true, r.value(line, append(whole, '}'))
}

// endless refuses what is not JSON, unless the cause is that the compressed file breaks off, which
// is reported once for the whole file.
func (r *Reader) endless(line int, why string, err error) {
	if errors.Is(err, errLargeValue) {
		why = errLargeValue.Error()
	}
	isEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if !isEnd || r.from.why == "" {
		r.Refused(line, why)
	}
}

// lineCounter maps offsets in what is read through it to line numbers.
type lineCounter struct {
	in io.Reader
	// line is the line number at offset, and pending what was read beyond it.
	line    int
	offset  int64
	pending bytes.Buffer
	// most is how much may be read behind offset.
	most int
}

// Read implements io.Reader. Since the decoder rescans all blanks before a value after each read,
// it fills p as long as it has only got blanks; the decoder doubles p.
func (l *lineCounter) Read(p []byte) (n int, err error) {
	if l.pending.Len() > l.most {
		return 0, errLargeValue
	}
	for read := 0; err == nil && n < len(p) && isBlank(p[n-read:n]); n += read {
		read, err = l.in.Read(p[n:])
	}
	l.pending.Write(p[:n])
	return n, err
}

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t\r\n")) == 0 }

// at returns the line number of an offset, which must not be less than the last one.
func (l *lineCounter) at(offset int64) int {
	passed := l.pending.Next(int(max(offset-l.offset, 0)))
	l.line += bytes.Count(passed, []byte{'\n'})
	l.offset += int64(len(passed))
	return l.line
}
