package monitor

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/pack"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// seriesOf returns the series that a call belongs to.
func seriesOf(f *Fact, admit func(dim, value string) string) []bucket.Series {
	agent := f.AgentID
	if agent == "" {
		agent = bucket.NoAgent
	}
	out := make([]bucket.Series, 0, 2+2*len(f.Dims))
	out = append(out, bucket.Series{}, bucket.Series{Dim: DimAgent, Value: agent})
	for dim, value := range f.Dims {
		value = admit(dim, value)
		out = append(out, bucket.Series{Dim: dim, Value: value}, bucket.Series{Agent: agent, Dim: dim, Value: value})
	}
	return out
}

// maxTurns is the last bin of turns, which includes everything above.
const maxTurns = 60

// secondEdges are the upper edges of the bins of seconds; the last bin has none.
var secondEdges = []int{5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600} //nolint:gochecknoglobals // a constant in all but type

// secondBin returns the bin of a duration: the first whose upper edge is above it.
func secondBin(d time.Duration) int {
	at, found := slices.BinarySearch(secondEdges, int(d/time.Second))
	if found {
		at++
	}
	return at
}

// addCall adds one call to a bucket; ids numbers its texts.
func addCall(b *bucket.Bucket, f *Fact, ids *numbers) {
	countCall(&b.Counts, f)
	b.Tens[f.At.UTC().Minute()/10]++
	if f.Answered {
		fill(&b.Durations, f.Duration.Seconds())
		addPlaces(b, f, ids)
	}
	fill(&b.Latency, f.Latencies...)
	fill(&b.Reported, f.Reported...)
	if f.Failure != "" {
		group := ids.failure(f)
		b.Failures.Add(group, 1)
		b.Failed.Add(group, bucket.Example{At: f.At.UnixMicro(), CallID: f.CallID})
	}
}

// addPlaces counts how far an answered call came, and where its caller left. It is only called
// for answered calls: a machine that takes a call passes stages, too, but cannot leave.
func addPlaces(b *bucket.Bucket, f *Fact, ids *numbers) {
	if f.Turns >= 0 {
		b.Spoken.Add(min(f.Turns, maxTurns), 1)
	}
	b.Lasted.Add(secondBin(f.Duration), 1)
	for i, stage := range f.Stages {
		at := ids.of(KindStage, stage)
		b.Reached.Add(at, 1)
		if f.Dropped && i == len(f.Stages)-1 {
			b.LeftIn.Add(at, 1)
		}
	}
	if !f.Dropped {
		return
	}
	if f.Turns >= 0 {
		b.LeftAfter.Add(min(f.Turns, maxTurns), 1)
	}
	b.LeftAt.Add(secondBin(f.Duration), 1)
	if f.Act != "" {
		b.Acts.Add(ids.of(KindAct, f.Act), 1)
	}
}

// fill adds values to a sketch. Values below zero (the agent spoke before the caller had ended)
// count as zero there; the sums keep them as they are.
func fill(s *sketch.Sketch, values ...float64) {
	for _, v := range values {
		_ = s.Add(max(v, 0)) // facts only hold finite numbers
	}
}

// countCall adds one call to the counts.
func countCall(c *bucket.Counts, f *Fact) {
	c[bucket.Calls]++
	c[bucket.OfEnd(f.End)]++
	c[bucket.OfBlame(f.Blame)]++
	c[bucket.Turns] += int64(max(f.Turns, 0))
	countWhen(c, f.Answered, bucket.Answered)
	c[bucket.DurationMS] += f.Duration.Milliseconds()
	countWhen(c, f.Verdict != call.Void && isError(f.End), bucket.Errors)
	countWhen(c, f.Failure != "", bucket.FailedCalls)
	countWhen(c, f.Dropped, bucket.Dropped)
	switch f.Verdict {
	case call.Passed:
		c[bucket.Passed]++
	case call.NotPassed:
		c[bucket.NotPassed]++
	case call.Void:
		c[bucket.Voided]++
	case call.NotEvaluated:
		c[bucket.NotEvaluated]++
	}
	if f.Cost != nil {
		hundreds := (*f.Cost + 50) / 100 // to the nearest: truncation would hide small differences between costs
		c[bucket.CostSum] += *f.Cost
		c[bucket.CostSquares] += hundreds * hundreds
		c[bucket.Costed]++
	}
	countFeeling(c, f)
	countReportedMood(c, f.ReportedMood)
	countLatencies(c, bucket.LatencyN, f.Latencies)
	countLatencies(c, bucket.ReportedN, f.Reported)
}

func countWhen(c *bucket.Counts, is bool, at bucket.Count) {
	if is {
		c[at]++
	}
}

func countFeeling(c *bucket.Counts, f *Fact) {
	if !f.Felt {
		return
	}
	valence := pack.Thousandths(f.Valence)
	c[bucket.FeltCalls]++
	c[bucket.ValenceSum] += valence
	c[bucket.ValenceSquares] += valence * valence
	frustration := pack.Thousandths(f.Frustration)
	c[bucket.FrustrationSum] += frustration
	c[bucket.FrustrationSquares] += frustration * frustration
	countWhen(c, f.Upset, bucket.UpsetCalls)
	switch f.Sentiment {
	case call.Negative:
		c[bucket.Negative]++
	case call.Neutral:
		c[bucket.Neutral]++
	case call.Positive:
		c[bucket.Positive]++
	}
}

// countReportedMood counts a platform's word for the mood as a valence of −1, 0 or 1.
func countReportedMood(c *bucket.Counts, mood call.Sentiment) {
	var valence int64
	switch mood {
	case call.Negative:
		valence = -1000
	case call.Positive:
		valence = 1000
	case call.Neutral:
	default:
		return
	}
	c[bucket.ReportedFelt]++
	c[bucket.ReportedValenceSum] += valence
	c[bucket.ReportedValenceSquares] += valence * valence
}

// countLatencies adds to a count and to the sum that follows it in Counts.
func countLatencies(c *bucket.Counts, n bucket.Count, values []float64) {
	c[n] += int64(len(values))
	for _, v := range values {
		c[n+1] += pack.Thousandths(v)
	}
}

// isError reports whether the call ended because something did not work.
func isError(end call.EndCode) bool { return slices.Contains(brokenEnds(), end) }

// brokenEnds are the ends at which something did not work. The web app uses the same list where
// it says why a call is failing.
func brokenEnds() []call.EndCode {
	return []call.EndCode{
		call.EndAgentError, call.EndConfiguration, call.EndProviderError, call.EndPlatformError, call.EndMediaLost,
		call.EndCodecMismatch, call.EndUnreachable, call.EndAgentNeverCame,
	}
}
