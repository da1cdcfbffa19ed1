package strictjson

import (
	"bytes"
	"slices"
)

// MendPairs replaces every unpaired surrogate, such as a program leaves behind that cuts text in
// the middle of a character, with the replacement character. The text keeps its length; if nothing
// had to be replaced, changed is false and data is returned as it is. It is for text that its
// sender has not written itself.
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
