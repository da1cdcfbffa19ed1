package strictjson

import (
	"bytes"
	"slices"
)

// MendPairs puts the replacement character in place of every half of a
// surrogate pair, as a program leaves it behind that cuts text in the middle of
// a character. The text keeps its length; changed is false, and data comes back
// as it is, when there was no half. It is for text that is not its sender's own.
func MendPairs(data []byte) (mended []byte, changed bool) {
	const replacement = `\ufffd`
	for from := 0; ; {
		open := bytes.IndexByte(data[from:], '"')
		if open < 0 {
			return data, changed
		}
		open += from
		end := open + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(data))
		for at := open; ; at += len(replacement) {
			half := halfPair(data[at:end])
			if half < 0 {
				break
			}
			if !changed {
				data, changed = slices.Clone(data), true
			}
			at += half
			copy(data[at:], replacement)
		}
		from = end
	}
}
