package main

import (
	"fmt"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// show prints who really spoke in a call next to what was heard of it, in the caller's media time
// in seconds.
func show(w io.Writer, p *played, t truth) {
	fmt.Fprintf(w, "call %s over %s, %s, voice %s\n", p.id, p.line, p.cond.name, p.plan.voice)
	fmt.Fprintln(w, "  caller's lines, true:")
	for _, l := range t.lines {
		fmt.Fprintf(w, "    %s %s\n", span(l.first-t.zero, l.last-t.zero), l.said.Manner)
	}
	fmt.Fprintln(w, "  agent's utterances, true:")
	for _, u := range t.utterances {
		fmt.Fprintf(w, "    %s turn %d over %v cut %v\n", span(u.first-t.zero, u.last-t.zero), u.Turn, u.Over, u.Cut)
	}
	fmt.Fprintln(w, "  agent audible, true:", spans(t.agent, t.zero))
	fmt.Fprintln(w, "  agent audible, heard:", segments(p.heard.Agent))
	fmt.Fprintln(w, "  caller audible, true:", spans(t.caller, t.zero))
	fmt.Fprintln(w, "  caller audible, heard:", segments(p.heard.Caller))
	for _, turn := range p.heard.Turns {
		fmt.Fprintf(w, "  turn %d %s %s %s\n", turn.Index, turn.Speaker, span(turn.Start, turn.End), turn.Manner)
	}
	for _, m := range p.metrics[:19] {
		if m.Value != nil {
			fmt.Fprintf(w, "  %s %.3f %s\n", m.Name, *m.Value, segments(m.Places))
		}
	}
}

func span(from, to time.Duration) string {
	return fmt.Sprintf("%.3f–%.3f", from.Seconds(), to.Seconds())
}

func spans(all []moments, zero time.Duration) (out []string) {
	for _, m := range all {
		out = append(out, span(m.first-zero, m.last-zero))
	}
	return out
}

func segments(all []call.Segment) (out []string) {
	for _, s := range all {
		out = append(out, span(s.Start, s.End))
	}
	return out
}
