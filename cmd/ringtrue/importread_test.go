package main

import (
	"slices"
	"strings"
	"testing"
)

// A file of lines that was cut off in front has one bad line, and the rest is read.
func TestLinesBehindABadFirstOne(t *testing.T) {
	t.Parallel()
	const whole = `{"provider":"custom","payload":{}}`
	for name, c := range map[string]struct {
		text           string
		found, refused []int
	}{
		"cut.jsonl":    {`"payload":{}}` + "\n" + whole + "\n\n7\n" + whole, []int{2, 5}, []int{1, 4}},
		"cut.json":     {`"payload":{}}` + "\n" + whole, nil, []int{1, 1}},
		"many.jsonl":   {"{\n" + whole[1:] + "\n" + whole, []int{1, 3}, nil},
		"array.ndjson": {"[" + whole + ",\n" + whole + "]", []int{1, 2}, nil},
	} {
		var found, refused []int
		r := recordReader{
			jsonl:   isJSONL(name),
			found:   func(line int, _ []byte) error { found = append(found, line); return nil },
			refused: func(line int, _ string) { refused = append(refused, line) },
		}
		if err := r.read(strings.NewReader(c.text)); err != nil || !slices.Equal(found, c.found) || !slices.Equal(refused, c.refused) {
			t.Errorf("%s: found in lines %v, refused in %v: %v", name, found, refused, err)
		}
	}
}
