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

// Reader finds the records of calls in one file, whatever form it has.
type Reader struct {
	// Provider is who wrote the records, "" when their form tells.
	Provider string
	// ExternalAgentID goes with every submission, "" with none.
	ExternalAgentID string
	// JSONL says that the file is called JSONL (IsJSONL).
	JSONL bool
	// Found is told of each record as a whole submission, with the line in which it begins; an error ends the reading.
	Found func(line int, submission []byte) error
	// Refused is told of what is no record, and why. Line 0 is the file as a whole.
	Refused func(line int, why string)

	// from is the file as it is read.
	from *packed
	// longest bounds a line of JSONL in bytes; 0 is maxLine.
	longest int
}

// nothingInIt is told of a file without a sign in it. A list without elements is an answer, that there
// were no calls; this is what a download that failed leaves.
const nothingInIt = "it is empty"

// cutOff is told of a file that breaks off between two elements of its list, as a download or
// an export does: what is there is read, and nobody knows how much is not.
const cutOff = "the file ends in the middle of its list"

// maxLine bounds one line of JSONL as a rule, in bytes.
const maxLine = 64 << 20

// IsJSONL tells by a file's name that it is JSONL.
func IsJSONL(name string) bool {
	ending := endingOf(name)
	return ending == ".jsonl" || ending == ".ndjson"
}

// HasRecords tells by a file's name that it may hold records.
func HasRecords(name string) bool { return IsJSONL(name) || endingOf(name) == ".json" }

// endingOf is how a file's name ends, in small letters, before what says that it is compressed.
func endingOf(name string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// Read goes through the file. When its first line is a whole object it is
// JSONL, where one bad line does not spoil the others; otherwise it holds values
// of any shape, one after the other. What is compressed with gzip is unpacked, as far as it is whole.
// An error is one of Found's, or says that the file cannot be read.
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

// plain goes through a file that is not compressed, or not any more.
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
		return r.lines(buffered, first, false, number) // it was cut off in front
	}
	if why := refusalOf(trimmed); why != "" && !isLong {
		r.Refused(number, why)
		return nil
	}
	return r.values(io.MultiReader(bytes.NewReader(first), buffered), number)
}

// asUTF8 is a text in UTF-8 that may begin with the mark of UTF-16, as what a Windows
// PowerShell redirects into a file does.
func asUTF8(in io.Reader) io.Reader {
	return transform.NewReader(in, unicode.BOMOverride(transform.Nop))
}

// named reports whether the file is JSONL by its name, and its first line does
// not begin a value of many lines. It need not be whole: files are cut off in front.
func (r *Reader) named(first []byte) bool { return r.JSONL && len(first) > 1 && first[0] != '[' }

// isObjectLine reports whether the next line is a whole object, or one that is longer than what is looked at.
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

// withoutComma is a line without the comma that parts it from the next one where lines were cut out of a list.
func withoutComma(line []byte) []byte {
	return bytes.TrimRight(bytes.TrimSuffix(line, []byte(",")), " \t")
}

// firstLine is the first line that is not empty, with its number; of a long one what
// was read of it comes with errLongLine.
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

// readLine reads a line with its end. Of one that is too long the rest is still to be read.
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

// skipLine passes over the rest of a line.
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

// lines reads one record a line, the first of which has been read, as far as it is not too long.
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
	// A mark may stand in the middle, where files were put one behind the other.
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

// values reads one JSON value after the other, and the elements of an array one
// by one, so that a large file is never in memory as a whole.
func (r *Reader) values(in io.Reader, number int) error {
	places := &lineCounter{in: in, line: number}
	decoder := json.NewDecoder(places)
	open := 0 // lists that have not come to their end
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
			return nil //nolint:nilerr // it has been told
		case next == json.Delim('['):
			open++
			for decoder.More() {
				if ok, err := r.one(decoder, places); err != nil || !ok {
					return err
				}
			}
			continue
		case next == json.Delim('{'):
			// The object is read again as a whole, from its beginning.
			if err := r.object(decoder, places); err != nil {
				return err
			}
			continue
		case next == json.Delim(']'):
			open--
			continue
		}
		value, err := json.Marshal(next) // a text may hold a record
		if err == nil {
			err = r.value(places.at(decoder.InputOffset()), value)
		}
		if err != nil {
			return err
		}
	}
}

// one reads the next value; ok is false when the rest of the file cannot be read.
func (r *Reader) one(decoder *json.Decoder, places *lineCounter) (ok bool, err error) {
	var value json.RawMessage
	err = decoder.Decode(&value)
	line := places.at(decoder.InputOffset() - int64(len(value)))
	if err != nil {
		r.endless(line, "what follows is not JSON: "+err.Error(), err)
		return false, nil //nolint:nilerr // it has been told
	}
	return true, r.value(line, value)
}

// object reads the members of an object whose bracket has been read.
func (r *Reader) object(decoder *json.Decoder, places *lineCounter) error {
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
			_, err = io.Copy(io.Discard, places)
			return err
		}
		text, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if len(whole) > 1 {
			whole = append(whole, ',')
		}
		whole = append(append(append(whole, text...), ':'), value...)
	}
	if _, err := decoder.Token(); err != nil { // the bracket at its end
		r.endless(line, "it is not JSON: "+err.Error(), err)
		return nil //nolint:nilerr // it has been told
	}
	return r.value(line, append(whole, '}'))
}

// endless tells of what is no JSON, but not that it has no end where the file has none: that is told once.
func (r *Reader) endless(line int, why string, err error) {
	isEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if !isEnd || r.from.why == "" {
		r.Refused(line, why)
	}
}

// lineCounter tells the line of a place in what is read through it.
type lineCounter struct {
	in io.Reader
	// line is the number of the line at offset, and pending what was read behind it.
	line    int
	offset  int64
	pending bytes.Buffer
}

// Read implements io.Reader. With each read the decoder looks anew at all the blanks in front of a
// value, so they come as many at a time as it has room for, which it doubles.
func (l *lineCounter) Read(p []byte) (n int, err error) {
	for read := 0; err == nil && n < len(p) && isBlank(p[n-read:n]); n += read {
		read, err = l.in.Read(p[n:])
	}
	l.pending.Write(p[:n])
	return n, err
}

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t\r\n")) == 0 }

// at is the line of the offset, which must not lie before the last one asked for.
func (l *lineCounter) at(offset int64) int {
	passed := l.pending.Next(int(max(offset-l.offset, 0)))
	l.line += bytes.Count(passed, []byte{'\n'})
	l.offset += int64(len(passed))
	return l.line
}
