package monitor

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// Fact is everything that monitoring stores about one settled call: a narrow row.
type Fact struct {
	CallID      string
	WorkspaceID string
	Origin      call.Origin
	// AgentID is "" for a call without an agent.
	AgentID string
	// At is when the call began, which decides the hour it counts in.
	At time.Time
	// Failure is the key of the group of similar failing calls (trend.Shape), "" for a call that did
	// not fail.
	Failure string
	// Act is the agent's last sentence with details of the single call masked. It is "" unless the call
	// failed or its caller left early.
	Act string
	// Upset says that the caller was upset, Quote are the words that show it best.
	Upset bool
	Quote string

	Figures
}

// Figures are the numbers of a call.
type Figures struct {
	// Answered says that the call was answered, Duration how long it lasted then.
	Answered bool
	Duration time.Duration
	End      call.EndCode
	Blame    call.Blame
	Verdict  call.Verdict
	// Turns is the number of turns of both sides; negative if unknown, because the words may not be
	// kept.
	Turns int
	// Dropped says that the caller left before reaching the goal.
	Dropped bool
	// Because is the first required scorer that failed ("scorer NAME"), or the platform's opinion; ""
	// if only the end of the call says that it failed.
	Because string
	// Stages are the parts of the platform's flow that the call passed, in the order of the last
	// visits.
	Stages []string

	// Felt says that a feeling is known: Valence is −1 to 1, Frustration 0 to 1. Where the words could
	// not be read, Sentiment is "" and Valence means nothing.
	Felt        bool
	Valence     float64
	Frustration float64
	Sentiment   call.Sentiment
	// ReportedMood is the caller's mood according to the platform, "" if not reported.
	ReportedMood call.Sentiment
	// UpsetTurn is the turn that shows it best; it is only valid if Fact.Upset is set.
	UpsetTurn int

	// Latencies are the measured turn latencies, Reported the platform's end-to-end latencies; both in
	// seconds.
	Latencies []float64
	Reported  []float64
	// Cost is in millionths of a US dollar, nil if unknown.
	Cost *int64
	// Dims are the values of the call's dimensions; dimensions without a value are left out.
	Dims map[string]string
}

// Limits of a fact, so that no odd call can make its row wide.
const (
	maxValues  = 200
	maxStages  = 16
	maxText    = 80
	maxAct     = 160
	maxQuote   = 240
	maxLatency = 600 // seconds; no pause in a conversation is longer
)

// factOf turns a settled call into its fact. keys are the metadata keys that the workspace declared
// as dimensions. ok is false for a canceled call, which never took place.
func factOf(c call.Call, r call.Review, told call.Reported, keys []string) (f Fact, ok bool) {
	if c.Status == call.Canceled {
		return Fact{}, false
	}
	f = Fact{CallID: c.ID, WorkspaceID: c.WorkspaceID, Origin: c.Origin, AgentID: c.AgentID, At: beginning(c)}
	f.Answered, f.Duration = c.Status == call.Ended, max(0, c.Duration())
	f.End, f.Blame, f.Verdict = cmp.Or(c.EndReason.Code, call.EndUnknown), cmp.Or(c.EndReason.Blame, call.BlameUndecided), c.Verdict
	f.Cost, f.Dims = costOf(told.Cost), dimsOf(c, told, keys)
	f.Reported = reportedLatencies(told.Latency["e2e"])
	turns := r.Heard.Turns
	if len(turns) == 0 {
		turns = told.Turns
	}
	f.Turns, f.Stages = len(turns), stagesOf(told.Stages)
	if f.Turns == 0 && c.Keep != call.KeepEverything {
		f.Turns = -1
	}
	if c.Verdict == call.Void {
		return f, true
	}
	f.Latencies = measuredLatencies(r.Metric("turn_latency"))
	f.feel(r.Feeling, turns)
	f.ReportedMood = told.Sentiment
	f.Dropped = f.Answered && f.End == call.EndCallerHungUp && !isTrue(told.Successful) && !isTrue(told.Voicemail) // a machine has no goal
	f.fail(r, told, lastAct(turns))
	return f, true
}

func isTrue(told *bool) bool { return told != nil && *told }

// beginning returns when the call began, as precisely as that is known.
func beginning(c call.Call) time.Time {
	for _, t := range []time.Time{c.StartedAt, c.AnsweredAt, c.CreatedAt} {
		if !t.IsZero() {
			return t.UTC().Truncate(time.Microsecond)
		}
	}
	return time.Time{}
}

func (f *Fact) feel(felt *call.Feeling, turns []call.Turn) {
	if felt == nil || len(felt.Turns) == 0 {
		return
	}
	f.Felt, f.Valence, f.Frustration = true, thousandths(felt.Valence, -1), thousandths(felt.Frustration, 0)
	f.Sentiment, f.Upset = felt.Sentiment, felt.Upset
	if at := felt.UpsetTurn; f.Upset && at >= 0 && at < len(turns) {
		f.UpsetTurn, f.Quote = at, cut(turns[at].Text, maxQuote)
	}
}

// fail decides whether the call failed, and its group.
func (f *Fact) fail(r call.Review, told call.Reported, act string) {
	because := ""
	for _, s := range r.Scores {
		if s.Required && s.Verdict == call.NotPassed {
			because = "scorer " + s.Name
			break
		}
	}
	if because == "" && told.Successful != nil && !*told.Successful {
		because = reportedUnsuccessful
	}
	ended := !fine(f.End) && (f.Blame == call.BlameAgent || f.Blame == call.BlameLine || f.Blame == call.BlamePlatform)
	failed := f.Verdict == call.NotPassed || because != "" || ended
	if failed || f.Dropped {
		f.Act = act
	}
	if failed {
		f.Because = cut(because, maxText)
		f.Failure = trend.ShapeOf(trend.Failure{End: f.End, Blame: f.Blame, Scorer: f.Because, Words: act}).Key
	}
}

// reportedUnsuccessful is the value of Because for the platform's own opinion.
const reportedUnsuccessful = "reported unsuccessful"

func fine(end call.EndCode) bool {
	return end == call.EndCompleted || end == call.EndTransferred || end == call.EndCallerHungUp
}

const detailSeparator = "\x1f"

// failureDetail returns what is stored about a failure group besides its key.
func (f *Fact) failureDetail(words string) string {
	return strings.Join([]string{string(f.End), string(f.Blame), f.Because, words}, detailSeparator)
}

// shapeOf decodes a stored failure group.
func shapeOf(v Value) trend.Shape {
	var p [4]string
	copy(p[:], strings.SplitN(v.Detail, detailSeparator, len(p)))
	return trend.Shape{Key: v.Text, End: call.EndCode(p[0]), Blame: call.Blame(p[1]), Scorer: p[2], Words: p[3]}
}

func stagesOf(stages []call.Stage) []string {
	var out []string
	for _, s := range stages {
		name := cut(s.Name, maxText)
		if name == "" {
			continue
		}
		if at := slices.Index(out, name); at >= 0 {
			out = slices.Delete(out, at, at+1) // the last visit counts
		}
		out = append(out, name)
	}
	return out[max(0, len(out)-maxStages):]
}

func measuredLatencies(m *call.Metric) []float64 {
	if m == nil || m.Spread == nil {
		return nil
	}
	return sane(m.Spread.Values)
}

// reportedLatencies returns the platform's values or, if it only gives percentiles, as many values
// as it counted, interpolated between those.
func reportedLatencies(l call.ReportedLatency) []float64 {
	if len(l.Values) > 0 {
		return sane(l.Values)
	}
	points := percentiles(l)
	if len(points) == 0 {
		return nil
	}
	n := min(max(l.N, 1), maxValues)
	out := make([]float64, n)
	for i := range out {
		out[i] = along(points, (float64(i)+0.5)/float64(n))
	}
	return sane(out)
}

type percentile struct{ at, value float64 }

func percentiles(l call.ReportedLatency) []percentile {
	var out []percentile
	for _, p := range []struct {
		at    float64
		value *float64
	}{{0, l.Min}, {0.5, l.P50}, {0.9, l.P90}, {0.95, l.P95}, {0.99, l.P99}, {1, l.Max}} {
		if p.value != nil {
			out = append(out, percentile{p.at, *p.value})
		}
	}
	return out
}

// along interpolates linearly between the points.
func along(points []percentile, share float64) float64 {
	for i, p := range points {
		if share > p.at {
			continue
		}
		if i == 0 {
			return p.value
		}
		before := points[i-1]
		return before.value + (p.value-before.value)*(share-before.at)/(p.at-before.at)
	}
	return points[len(points)-1].value
}

// sane drops values that cannot be latencies, limits their number, and rounds them to milliseconds.
func sane(values []float64) []float64 {
	out := make([]float64, 0, min(len(values), maxValues))
	for _, v := range values {
		if len(out) == maxValues {
			break
		}
		if !math.IsNaN(v) && v > -maxLatency && v < maxLatency {
			out = append(out, math.Round(v*1000)/1000)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// thousandths clamps a score to low…1 and rounds it, so that sums are exact.
func thousandths(v, low float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Round(min(max(v, low), 1)*1000) / 1000
}

// maxCost is a thousand dollars: no call costs more, and sums of squares stay in range.
const maxCost = 1_000_000_000

func costOf(told *int64) *int64 {
	if told == nil {
		return nil
	}
	cost := min(max(*told, 0), maxCost)
	return &cost
}
