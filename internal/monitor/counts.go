package monitor

import (
	"math/bits"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Count names one of the numbers that a bucket adds up.
type Count int

// The numbers of a bucket. Sums are whole: milliseconds, thousandths of a score,
// millionths of a dollar (squares: of hundred of them); so they come out the same in whatever order they are added.
const (
	Calls Count = iota
	Answered
	DurationMS
	Errors
	FailedCalls
	Passed
	NotPassed
	Voided
	NotEvaluated
	Dropped
	FeltCalls
	UpsetCalls
	Negative
	Neutral
	Positive
	ValenceSum
	ValenceSquares
	FrustrationSum
	FrustrationSquares
	CostSum
	CostSquares
	Costed
	Turns
	LatencyN
	LatencyMS
	ReportedN
	ReportedMS
	// firstEnd and firstBlame begin the counts per end reason and per blame.
	firstEnd
	firstBlame = firstEnd + 21
	// numCounts must stay below 64, the bits of the mask in the packed form.
	numCounts = firstBlame + 7
)

// ends and blames give each word its place; a new word goes to the end of its list.
var (
	ends = []call.EndCode{ //nolint:gochecknoglobals // a constant in all but type
		call.EndUnknown, call.EndCompleted, call.EndTransferred, call.EndCallerHungUp, call.EndAgentHungUp, call.EndMaxDuration, call.EndSilence,
		call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndVoicemail, call.EndAgentNeverCame, call.EndUnreachable, call.EndMediaLost,
		call.EndCodecMismatch, call.EndAgentError, call.EndConfiguration, call.EndProviderError, call.EndPlatformError, call.EndInterrupted,
		call.EndRingtrueError,
	}
	blames = []call.Blame{ //nolint:gochecknoglobals // a constant in all but type
		call.BlameUndecided, call.BlameNobody, call.BlameCaller, call.BlameAgent, call.BlameLine, call.BlamePlatform, call.BlameRingtrue,
	}
)

func endCount(e call.EndCode) Count { return firstEnd + Count(max(0, slices.Index(ends, e))) }
func blameCount(b call.Blame) Count { return firstBlame + Count(max(0, slices.Index(blames, b))) }

// Counts are the numbers of a bucket.
type Counts [numCounts]int64

// Add adds another bucket's numbers.
func (c *Counts) Add(o *Counts) {
	for i := range c {
		c[i] += o[i]
	}
}

func (p *packer) counts(c *Counts) {
	var mask uint64
	for i, v := range c {
		if v != 0 {
			mask |= 1 << i
		}
	}
	p.int(int64(mask))
	for _, v := range c {
		if v != 0 {
			p.int(v)
		}
	}
}

func (u *unpacker) counts(c *Counts) {
	mask := uint64(u.int())
	for mask != 0 {
		i := bits.TrailingZeros64(mask)
		v := u.int()
		if i >= len(c) {
			u.fail()
			return
		}
		c[i] += v
		mask &= mask - 1
	}
}

// isError reports whether the call ended because something did not work.
func isError(end call.EndCode) bool { return slices.Contains(brokenEnds(), end) }

// brokenEnds are the ends at which something did not work. The pages name the same ones where
// they say why a call is failing.
func brokenEnds() []call.EndCode {
	return []call.EndCode{
		call.EndAgentError, call.EndConfiguration, call.EndProviderError, call.EndPlatformError, call.EndMediaLost,
		call.EndCodecMismatch, call.EndUnreachable, call.EndAgentNeverCame,
	}
}

// count adds one call.
func (c *Counts) count(f *Fact) {
	c[Calls]++
	c[endCount(f.End)]++
	c[blameCount(f.Blame)]++
	c[Turns] += int64(f.Turns)
	c.when(f.Answered, Answered)
	c[DurationMS] += f.Duration.Milliseconds()
	c.when(f.Verdict != call.Void && isError(f.End), Errors)
	c.when(f.Failure != "", FailedCalls)
	c.when(f.Dropped, Dropped)
	switch f.Verdict {
	case call.Passed:
		c[Passed]++
	case call.NotPassed:
		c[NotPassed]++
	case call.Void:
		c[Voided]++
	case call.NotEvaluated:
		c[NotEvaluated]++
	}
	if f.Cost != nil {
		hundreds := *f.Cost / 100
		c[CostSum] += *f.Cost
		c[CostSquares] += hundreds * hundreds
		c[Costed]++
	}
	c.feel(f)
	c.latencies(LatencyN, f.Latencies)
	c.latencies(ReportedN, f.Reported)
}

func (c *Counts) when(is bool, at Count) {
	if is {
		c[at]++
	}
}

func (c *Counts) feel(f *Fact) {
	if !f.Felt {
		return
	}
	valence := whole(f.Valence)
	c[FeltCalls]++
	c[ValenceSum] += valence
	c[ValenceSquares] += valence * valence
	frustration := whole(f.Frustration)
	c[FrustrationSum] += frustration
	c[FrustrationSquares] += frustration * frustration
	c.when(f.Upset, UpsetCalls)
	switch f.Sentiment {
	case call.Negative:
		c[Negative]++
	case call.Neutral:
		c[Neutral]++
	case call.Positive:
		c[Positive]++
	}
}

// latencies adds to a count and to the sum that follows it.
func (c *Counts) latencies(n Count, values []float64) {
	c[n] += int64(len(values))
	for _, v := range values {
		c[n+1] += whole(v)
	}
}
