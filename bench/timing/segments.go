package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
)

// segmentRow is what one detector did with one kind of audio. Errors are absolute, in ms, over the
// utterances that were found.
type segmentRow struct {
	Condition string  `json:"condition"`
	Detector  string  `json:"detector"`
	N         int     `json:"n"`
	OnsetP50  float64 `json:"onset_ms_p50"`
	OnsetP95  float64 `json:"onset_ms_p95"`
	OffsetP50 float64 `json:"offset_ms_p50"`
	OffsetP95 float64 `json:"offset_ms_p95"`
	// Missed is the share (0 to 1) of utterances of which nothing was found.
	Missed float64 `json:"missed"`
	// False is speech found more than 100 ms away from any, in seconds per minute of the channel.
	False float64 `json:"false_s_per_min"`
	// CPU is the processor time in seconds per hour of audio.
	CPU float64 `json:"cpu_s_per_hour"`
}

// segmentReport is the whole measurement.
type segmentReport struct {
	Rows    []segmentRow
	Figures map[string]float64
	// Notes say what was left out, and why.
	Notes []string
}

// Our detectors.
const (
	segmentsOurs = "segments"
	segmentsLive = "live activity"
	// segmentsBound is not a detector, but what an ideal listener finds.
	segmentsBound = "(an ideal listener)"
)

// segmentDetector finds speech in a channel and returns what that cost.
type segmentDetector struct {
	name string
	find func(pcm []int16) ([]audio.Span, time.Duration, error)
}

// measureSegments measures how far the edges of segments are from those of speech placed at known
// samples: ours, and those of the WebRTC project's detector. speech names WAV files of recorded
// speech, which are cut at their silences and placed as well.
func measureSegments(seed uint64, quick bool, speech []string) (segmentReport, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	report := segmentReport{Figures: map[string]float64{}}
	material, err := newSegmentMaterial(ctx, seed, quick, speech)
	if err != nil {
		return report, err
	}
	detectors := []segmentDetector{{segmentsOurs, ourSegments}, {segmentsLive, ourActivity}}
	peer, err := startSegmentPeer(ctx)
	if err != nil {
		report.Notes = append(report.Notes, "the WebRTC detector is left out: "+err.Error())
	} else {
		defer peer.Stop()
		detectors = append(detectors, peer.detectors(quick)...)
	}
	for _, m := range material.groups {
		for _, c := range segmentConditions {
			rows, err := material.measure(m, c, detectors)
			if err != nil {
				return report, fmt.Errorf("%s, %s: %w", m.name, c.name, err)
			}
			report.Rows = append(report.Rows, rows...)
		}
	}
	report.figure()
	return report, nil
}

// figure calculates the figures from the rows.
func (r *segmentReport) figure() {
	worst := func(name string, v float64) { r.Figures[name] = max(r.Figures[name], v) }
	for _, row := range r.Rows {
		if row.Detector != segmentsOurs {
			continue
		}
		worst("segments_cpu_s_per_hour", row.CPU)
		for _, c := range segmentConditions {
			if c.figure == "" || row.Condition != synthesised+", "+c.name && row.Condition != recorded+", "+c.name {
				continue
			}
			worst("onset_error_ms_p50_"+c.figure, row.OnsetP50)
			worst("offset_error_ms_p50_"+c.figure, row.OffsetP50)
			worst("onset_error_ms_p95_"+c.figure, row.OnsetP95)
			worst("offset_error_ms_p95_"+c.figure, row.OffsetP95)
		}
	}
}

// print writes the table.
func (r segmentReport) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "condition\tdetector\tn\tonset p50\tp95\toffset p50\tp95\tmissed\tfalse s/min\tCPU s/h")
	last := ""
	for _, row := range r.Rows {
		name := row.Condition
		if name == last {
			name = ""
		}
		last = row.Condition
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f %%\t%.2f\t%.2f\n", name, row.Detector, row.N,
			row.OnsetP50, row.OnsetP95, row.OffsetP50, row.OffsetP95, 100*row.Missed, row.False, row.CPU)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(t, n)
	}
	return t.Flush()
}

func ourSegments(pcm []int16) ([]audio.Span, time.Duration, error) {
	begun := processorTime()
	spans := activity.Segments(pcm, segmentRate)
	return spans, processorTime() - begun, nil
}

func ourActivity(pcm []int16) ([]audio.Span, time.Duration, error) {
	const frame = segmentRate / 50
	marks := make([]byte, len(pcm)/frame)
	a := activity.New(segmentRate)
	begun := processorTime()
	for i := range marks {
		if a.Step(pcm[i*frame : (i+1)*frame]) {
			marks[i] = 1
		}
	}
	return framesToSpans(marks, frame), processorTime() - begun, nil
}

// framesToSpans turns the decisions of a live detector into segments: a frame of speech is speech
// from its first to its last sample, and gaps and clicks are treated as in Segments.
func framesToSpans(marks []byte, frame int) []audio.Span {
	var joined []audio.Span
	for i, m := range marks {
		if m == 0 {
			continue
		}
		s := audio.Span{Start: i * frame, End: (i + 1) * frame}
		if k := len(joined) - 1; k >= 0 && s.Start-joined[k].End < segmentRate/5 {
			joined[k].End = s.End
			continue
		}
		joined = append(joined, s)
	}
	return slices.DeleteFunc(joined, func(s audio.Span) bool { return s.End-s.Start < segmentRate/25 })
}

// processorTime returns what this process has used.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// segmentErrors are the distances between what was found and what was placed.
type segmentErrors struct {
	onset, offset []float64 // ms
	missed        int
	falseSamples  int
}

// compareSegments looks for each utterance at the first and the last segment that overlap it.
func compareSegments(truth, got []audio.Span) (e segmentErrors) {
	const guard = segmentRate / 10
	for _, t := range truth {
		first, last := -1, -1
		for i, g := range got {
			if g.Start < t.End && g.End > t.Start {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		if first < 0 {
			e.missed++
			continue
		}
		e.onset = append(e.onset, distance(got[first].Start, t.Start))
		e.offset = append(e.offset, distance(got[last].End, t.End))
	}
	for _, g := range got {
		at := g.Start
		for _, t := range truth {
			if t.End+guard <= at || t.Start-guard >= g.End {
				continue
			}
			e.falseSamples += max(0, t.Start-guard-at)
			at = max(at, t.End+guard)
		}
		e.falseSamples += max(0, g.End-at)
	}
	return e
}

func distance(a, b int) float64 { return float64(max(a-b, b-a)) * 1000 / segmentRate }

// at returns the q-quantile of values; 0 if there are none.
func at(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[float64])
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
