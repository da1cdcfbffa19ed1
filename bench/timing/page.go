package main

import (
	"fmt"
	"slices"
	"strings"
)

// page is docs/metrics/accuracy.md.
func (r *report) page() string {
	var w strings.Builder
	w.WriteString(pageHead)
	all := r.total()
	fmt.Fprintf(&w, "This page was made by `%s`: %d calls, seed %d, voices %s.", r.command(), all.Calls, r.seed, strings.Join(r.voices, ", "))
	if all.Void > 0 {
		fmt.Fprintf(&w, " %d calls in real time were left out because frames of ours left late; a review would call them void.", all.Void)
	}
	if r.config.keep != "" {
		w.WriteString(" The lines were measured one after the other (`--keep`).")
	}
	w.WriteString("\n\n## Goals\nAll lines and voices together. " + cellLegend + " " + sureLegend + "\n\n")
	r.goals(&w)
	w.WriteString("\n" + causesHead)
	r.causeTable(&w)
	for _, line := range r.lines {
		fmt.Fprintf(&w, "\n## %s\n%s\n\n", lineTitles[line], cellLegend)
		r.lineTable(&w, line)
	}
	w.WriteString("\n## By voice\nAll lines together; the error of `turn_latency` in ms, in white and pink noise; beside that in 10 dB what the ideal listener errs by (median / 95th percentile).\n\n")
	r.voiceTable(&w)
	if len(r.segments.Rows) > 0 {
		w.WriteString("\n" + segmentsHead)
		r.segmentTable(&w)
		for _, n := range r.segments.Notes {
			fmt.Fprintf(&w, "\n%s\n", n)
		}
	}
	w.WriteString(pageTail)
	return w.String()
}

func (r *report) command() string {
	text := fmt.Sprintf("go run ./bench/timing --seed %d", r.seed)
	if r.quick {
		text += " --quick"
	}
	return text + " --write docs/metrics/accuracy.md"
}

// goal is what the errors of turn_latency are to be under a condition.
type goal struct {
	name, figure string
	p50, p95     float64
}

func goals() []goal {
	return []goal{
		{"clean", "clean", 10, 30}, {"20 dB, white and pink", "20db", 10, 30}, {"20 dB, babble", "20db_babble", 10, 30},
		{"10 dB, white and pink", "10db", 20, 60}, {"10 dB, babble", "10db_babble", 20, 60},
	}
}

func (r *report) goals(w *strings.Builder) {
	row(w, "condition", "goal: median", "95th percentile", turnLatency, "of it under the noise", "when he must be sure", yieldTime, deadAirName, overlap)
	rule(w, 9)
	for _, g := range goals() {
		cells := []string{g.name, fmt.Sprintf("%g", g.p50), fmt.Sprintf("%g", g.p95)}
		for _, metric := range []string{turnLatency, yieldTime, deadAirName, overlap} {
			var all []sample
			for _, s := range r.samples {
				if s.Metric == metric && s.Figure == g.figure {
					all = append(all, s)
				}
			}
			cells = append(cells, cell(summarise(all)))
			if metric == turnLatency {
				cells = append(cells, listener(all, likeliest), listener(all, sure))
			}
		}
		row(w, cells...)
	}
}

// likeliest and sure are the errors of the ideal listener, and of him when he must be sure.
func likeliest(s sample) float64 { return s.Bound }
func sure(s sample) float64      { return s.Sure }

// listener is the median and the 95th percentile of the errors of an ideal listener.
func listener(samples []sample, err func(sample) float64) string {
	var all []float64
	for _, s := range samples {
		if !s.Invented {
			all = append(all, err(s))
		}
	}
	if len(all) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f / %.0f", at(all, 0.5), at(all, 0.95))
}

func (r *report) lineTable(w *strings.Builder, line string) {
	names := metricNames()
	row(w, append([]string{"condition", names[0], "of it under the noise"}, names[1:]...)...)
	rule(w, 2+len(names))
	for _, c := range conditions() {
		cells := []string{c.name}
		for _, metric := range names {
			all := r.of(metric, line, c.name)
			if cells = append(cells, cell(summarise(all))); metric == turnLatency {
				cells = append(cells, listener(all, likeliest))
			}
		}
		row(w, cells...)
	}
}

func (r *report) voiceTable(w *strings.Builder) {
	const noisy = "10db" // where what is under the noise makes the most of it
	figures := []string{"clean", "20db", noisy, "5db"}
	row(w, "voice", "clean", "20 dB", "10 dB", "of it under the noise", "when he must be sure", "5 dB")
	rule(w, 3+len(figures))
	for _, v := range r.voices {
		cells := []string{v}
		for _, f := range figures {
			all := slices.DeleteFunc(r.of(turnLatency, "", ""), func(s sample) bool { return s.Voice != v || s.Figure != f })
			if cells = append(cells, cell(summarise(all))); f == noisy {
				cells = append(cells, listener(all, likeliest), listener(all, sure))
			}
		}
		row(w, cells...)
	}
}

func (r *report) segmentTable(w *strings.Builder) {
	row(w, "condition", "detector", "n", "onset: median", "95th percentile", "offset: median", "95th percentile", "missed", "false s/min", "CPU s/h")
	rule(w, 10)
	for _, x := range r.segments.Rows {
		if strings.HasSuffix(x.Detector, "20 ms") || strings.HasSuffix(x.Detector, "30 ms") {
			continue // a page is read; the command prints them all
		}
		row(w, x.Condition, x.Detector, fmt.Sprint(x.N), fmt.Sprintf("%.0f", x.OnsetP50), fmt.Sprintf("%.0f", x.OnsetP95),
			fmt.Sprintf("%.0f", x.OffsetP50), fmt.Sprintf("%.0f", x.OffsetP95), fmt.Sprintf("%.1f %%", 100*x.Missed),
			fmt.Sprintf("%.2f", x.False), fmt.Sprintf("%.2f", x.CPU))
	}
}

func row(w *strings.Builder, cells ...string) {
	w.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func rule(w *strings.Builder, n int) { w.WriteString("|" + strings.Repeat("---|", n) + "\n") }

//nolint:gochecknoglobals // a table
var lineTitles = map[string]string{
	lineLoop: "In memory (line/loop, G.711 on the way)",
	lineSIP:  "Over SIP and RTP on loopback (line/sip)",
	lineRoom: "In rooms of a media server on loopback (line/room, Opus on the way in every row)",
}

const (
	pageHead = `# How true the timing figures are

An agent whose behaviour is planted is phoned by the real caller; what the metrics say is compared with what really happened.

## Truth
- The agent (` + "`practice.Planted`" + `) answers 150, 300, 800, 1500 or 3000 ms after the last audible sample of the caller that it heard, stays silent for
  2.3 to 6 s, talks over the caller by 200 to 1500 ms (beginning before its end and going on, or speaking into its turn), and yields 200 to 2000 ms after the caller
  interrupts it, or not at all.
- What was planted is an intention; the truth is what was really sent. Both sides write down their clean samples, before noise is added, and when each frame left. A
  frame of 20 ms leaves as a whole, a sample in it by its place. The truth is the first and last audible sample (above −50 dBFS over 5 ms); over SIP both sides
  read one monotonic clock at the moment of sending, so that lateness and quantisation are in the truth and not in the error.
- Noise is added to what the agent sends, at the given ratio to the level of its active speech. Babble is six voices at once, without pauses,
  that say the same kind of things as the agent. Lost packets are never sent; bursts are three long on average.
- The caller is the one of every test call, with a script. In babble it speaks by the clock, so that what live voice activity makes of babble does not decide which calls are measured.
- The recording is heard and measured by the code of every review. The truth is worked out from the acts of the agent by other code.

The error is the measured figure less the true one; tables have its absolute value. ` + "`turn_latency`, `yield_time` and `dead_air`" + ` are compared event by event (dead air: each silence of over 2 s),
` + "`overlap_seconds`" + ` as the sum of a call, which has two to three planted edges and so adds up as many errors.

Not all that was sent can be found. Beside ours stands what an ideal listener errs by. He knows how loud each of 16 bands of the clean sound is at each moment, and how loud the noise
is in each band and how much it varies there, but not what it does at that moment. Asked how much of that known sound is there, he adds up, outward from where it is loud, how much likelier each window of 20 ms is
with the sound than without (a ratio of likelihoods), and takes it to begin where that sum is greatest; of lost packets he knows the first that came. He errs to one side alone: he is never deceived by what comes before
the sound, and he knows which sound it is. A detector knows neither. What he errs by is physics, then; of the rest, it is not said how much can be had by who has to find out first what was said.
He is a guesser, too: where the sound adds next to nothing to the noise, he knows all the same that it is there, and mostly guesses right. So what he is sure of is told apart: he takes for heard only what has odds of 20 to 1,
and so must everything further out that is to move the edge.

`
	cellLegend = "Median / 95th percentile / greatest error in ms (number of events; share of them of which nothing was measured; events measured that never were). " +
		"Under the noise: median / 95th percentile of what lies before the reply's first sample that an ideal listener finds, see above."

	sureLegend = "When he must be sure: the same, if he takes for heard only what has odds of 20 to 1. Who guesses may do better than that, and worse."

	causesHead = `### What the errors are made of
Shares of the events of ` + "`turn_latency`" + ` whose error is beyond the goal for the 95th percentile. Under the noise: the ideal listener is late, too, by more than half the goal. He guesses: he is not, but he would be if he took for heard only what has
odds of 20 to 1. He is sure: it is late by ours alone.
Early: something in the noise was taken for the beginning. Another sound: wrong by half a second and more, not found, or made up.

`
	segmentsHead = `## Edges of speech by themselves
Speech placed at known samples, our segments beside live activity and the four modes of the detector of the WebRTC project (frames of 10 ms; the
command prints those of 20 and 30 ms, too); ms.

`
	pageTail = `
## What fails, and why
- **Soft beginnings and ends in noise.** A hiss (s, f, h) or a fading vowel lies 20 dB and more under the voice. In noise of about its level the speech begins 60 to 200 ms late or ends early.
  The ideal listener is within the goals there, by guessing in about half of them: he is told which hiss or hum to listen for, how loud and where, and has odds of less than 20 to 1 all the same. In calls in memory in white and
  pink noise of 10 dB (eight seeds besides this page's, 2541 events), where ours comes to 77 ms (95th percentile), he comes to 70 when he must be sure, and to 30 by guessing.
  Of 171 events beyond the goal 99 are of one voice: before a first w, g, j or l kal16 hums for 100 to 200 ms, 20 to 30 dB under its speech, in the lowest harmonics alone and mostly in the first 50 ms. All 35 events in which
  ours was late and he was sure are among them. In 384 utterances of it and 1152 of the other voices, 15 and 4 % were late by over 60 ms; for a listener who knows the level of each bin, what was missed spoke
  for itself by odds of less than 20 to 1 in half of the former and in nine of ten of the latter, and by more than 400 to 1, which is about what it takes to find a sound that nobody told of, in 3 of ten and in
  2 of a hundred; from windows of 16, 64 and 128 ms alike, so that finer bands have no more to say. Without kal16 he comes to 60 when he must be sure, ours to 46.
  Believing in such hums and in longer beginnings was tried; on four seeds that had no part in choosing them the 95th percentile came from 85 to 83 ms, on the four that had from 67 to 69.
  Finer bands from longer windows, sounds learnt from other voices, other beliefs about their length, and edges laid where the least error over 60 ms is to be expected were tried on
  five voices and 138 sentences: what one gained in white noise it lost in pink noise, at 20 dB or in the median.
  So did a small net that had learnt from 13 hours of synthesised speech in noise where edges lie, by what is heard within 200 ms of them: of voices unknown to it the beginnings at 10 dB came nearer (white: median
  14 to 7 ms, pink: 5 to 4), of people in a recorded call they went further away (95th percentile, white: 50 to 62, pink: 34 to 49). One that had learnt from babble and music alone brought the beginnings of unknown voices
  in babble from 23 to 9 ms at 10 dB and from 5 to 2 at 20 dB, those of people nowhere (26 to 27, and 10 to 10), and the ends of both nearer.
  One call, one voice: which sounds this voice puts before its first loud one, and how far ahead, was learnt over all replies of the call. On the seeds it was chosen by that brought the 95th percentile in 20 dB from 33 to 27 ms;
  on three others it brought nothing (34, 20 and 24 ms before and after; at 10 dB 76, 53 and 56 became 76, 56 and 54). Nor did a noise known from ±15 s rather than ±5 s.
- **Lost packets at an edge.** When the packet with the first or last audible sample is lost, the edge moves to the next one that came: 20 ms for one packet, more for a
  burst, and over an inner pause when the sound before it was short.
- **Babble.** Other voices on the agent's line are speech too, and can be told from the agent's by their level alone. At 20 dB soft first sounds are lost in them, and now and then one of
  their crests just before a word is taken for its beginning; at 10 dB one beginning in seven is wrong by over 60 ms; at 5 dB soft words go missing and some crests are taken for words. There the ideal listener
  is far ahead: he knows which hiss is whose.
- **Quiet pauses in noise.** Half a second of pause inside an utterance, just where the caller ends or begins, decides between going on and answering; an edge that noise moves
  by 50 ms can change that, which makes the few events that are missed, made up or wrong by a second and more.
- **Ends of a talk-over in a breath.** Whether somebody who pauses just where the other ends is still speaking or answers is decided at 0.35 s (see
  [turn latency](turn_latency.md)); an agent that stops and answers faster than that is taken to have spoken on.

Run it with other seeds, voices and recorded speech: ` + "`go run ./bench/timing --seed 7 --voices slt,awb --speech FILE.wav`" + `; ` + "`--worst 20`" + ` lists the greatest errors and
` + "`--show ID`" + ` prints who really spoke in one of the calls beside what was heard.
`
)
