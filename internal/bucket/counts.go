package bucket

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/pack"
)

// Count identifies one of the numbers that a bucket adds up.
type Count int

// The numbers of a bucket. Sums are integers, so that the order of addition does not matter:
// milliseconds, thousandths of a score, millionths of a dollar. CostSquares are squares of
// ten-thousandths of a dollar, so that they fit.
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
	// firstEnd and firstBlame are where the counts per end reason and per blame begin.
	firstEnd
	firstBlame = firstEnd + 21
	// What platforms report about their callers' mood comes last, because the stored form numbers
	// counts by position.
	ReportedFelt           = firstBlame + 7
	ReportedValenceSum     = ReportedFelt + 1
	ReportedValenceSquares = ReportedFelt + 2
	// NumCounts is the number of counts. It must stay below 64, the number of bits in the packed
	// form's mask.
	NumCounts = ReportedFelt + 3
)

// ends and blames give each code its position; a new code goes to the end of its list.
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

// OfEnd returns the count of the calls with this end reason.
func OfEnd(e call.EndCode) Count { return firstEnd + Count(max(0, slices.Index(ends, e))) }

// OfBlame returns the count of the calls whose end has this blame.
func OfBlame(b call.Blame) Count { return firstBlame + Count(max(0, slices.Index(blames, b))) }

// Counts are the numbers of a bucket.
type Counts [NumCounts]int64

// EndReasons returns the number of calls for each end reason that occurred.
func (c *Counts) EndReasons() map[string]int64 { return named(c[firstEnd:firstBlame], ends) }

// Blames returns the number of calls for each blame that occurred.
func (c *Counts) Blames() map[string]int64 { return named(c[firstBlame:ReportedFelt], blames) }

func named[W ~string](numbers []int64, words []W) map[string]int64 {
	out := map[string]int64{}
	for i, word := range words {
		if numbers[i] > 0 {
			out[string(word)] = numbers[i]
		}
	}
	return out
}

// Add adds another bucket's numbers.
func (c *Counts) Add(o *Counts) {
	for i := range c {
		c[i] += o[i]
	}
}

func (c *Counts) put(p *pack.Writer) {
	var mask uint64
	for i, v := range c {
		if v != 0 {
			mask |= 1 << i
		}
	}
	p.Int(int64(mask))
	for _, v := range c {
		if v != 0 {
			p.Int(v)
		}
	}
}

// addPacked adds packed numbers.
func (c *Counts) addPacked(u *pack.Reader) { u.AddInts(c[:], uint64(u.Int())) }
