package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// kept is a report on disk, so that the lines can be measured separately: telephone calls need a
// machine to themselves, the others only time.
type kept struct {
	Seed          uint64
	Quick         bool
	Voices, Lines []string
	Tallies       map[string]tally
	Samples       []sample
	Segments      segmentReport
}

// keep adds what the file contains about other lines to the report, and writes both to it.
func (r *report) keep(path string) error {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		var k kept
		if err := json.Unmarshal(data, &k); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if k.Seed != r.seed || k.Quick != r.quick || !slices.Equal(k.Voices, r.voices) {
			return fmt.Errorf("%s was measured with another seed or other voices", path)
		}
		r.add(k)
	}
	data, err = json.Marshal(kept{r.seed, r.quick, r.voices, r.lines, r.tallies, r.samples, r.segments})
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func (r *report) add(k kept) {
	for _, line := range k.Lines {
		if slices.Contains(r.lines, line) {
			continue
		}
		r.lines = append(r.lines, line)
		r.count(line, k.Tallies[line].Calls, k.Tallies[line].Void)
		for _, s := range k.Samples {
			if s.Line == line {
				r.samples = append(r.samples, s)
			}
		}
	}
	if len(r.segments.Rows) == 0 {
		r.segments = k.Segments
	}
	slices.Sort(r.lines)
}
