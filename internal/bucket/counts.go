package bucket

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/pack"
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
	// What platforms say of their callers' mood stands behind them: the stored form numbers counts by their place.
	ReportedFelt           = firstBlame + 7
	ReportedValenceSum     = ReportedFelt + 1
	ReportedValenceSquares = ReportedFelt + 2
	// NumCounts is how many there are. It must stay below 64, the bits of the mask in the packed form.
	NumCounts = ReportedFelt + 3
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

// OfEnd is the count of the calls that ended so.
func OfEnd(e call.EndCode) Count { return firstEnd + Count(max(0, slices.Index(ends, e))) }

// OfBlame is the count of the calls whose end was that one's doing.
func OfBlame(b call.Blame) Count { return firstBlame + Count(max(0, slices.Index(blames, b))) }

// Counts are the numbers of a bucket.
type Counts [NumCounts]int64

// EndReasons are the numbers of calls by their end reason, without those that no call ended by.
func (c *Counts) EndReasons() map[string]int64 { return named(c[firstEnd:firstBlame], ends) }

// Blames are the numbers of calls by whose doing their end was.
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
