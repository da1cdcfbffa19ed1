package monitor

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// About says what an answer is based on. It is part of every answer.
type About struct {
	Origin  string  `json:"origin" enum:"production,simulated" doc:"production or simulated; the two are never mixed"`
	AgentID *string `json:"agent_id" doc:"The agent asked for; null for all agents, - for calls that no agent is linked to"`
	// Dimension and Value are null unless the query names them.
	Dimension *string `json:"dimension" doc:"The dimension asked for; null when the question was not narrowed"`
	Value     *string `json:"value" doc:"The value of dimension asked for; null when the question was not narrowed"`
	InOther   bool    `json:"in_other" doc:"true: the workspace has more than 100 values of this dimension, and the calls with this one, if there are any, are counted together with those of others as other, not here"`
	From      int64   `json:"from" doc:"Start of the window, milliseconds since 1970; a full hour"`
	Until     int64   `json:"until" doc:"End of the window, milliseconds since 1970, which is itself left out; a full hour"`
	Pending   int     `json:"pending" doc:"Hours whose figures are not up to date: calls in them have changed and are yet to be counted again, or wait for their review. 100 stands for 100 and more, 0 means that the figures are complete"`
	// Unreviewed counts the agent's calls whatever the window and the dimension: the values
	// of a call's dimensions are only known once it has been reviewed.
	Unreviewed int `json:"unreviewed" doc:"Calls, of any time, that wait for their review and are in no figure yet. 1000 stands for 1000 and more"`
}

func (p *span) about() About {
	a := About{Origin: p.origin, From: p.from.UnixMilli(), Until: p.until.UnixMilli(), Pending: p.pending, Unreviewed: p.unreviewed, InOther: p.inOther}
	if p.agent != "" {
		a.AgentID = &p.agent
	}
	if p.Dim != "" && p.Dim != DimAgent {
		a.Dimension, a.Value = &p.Dim, &p.Value
	}
	return a
}

// Rate is a share of calls.
type Rate struct {
	Count int64    `json:"count" doc:"How many calls"`
	Of    int64    `json:"of" doc:"Out of how many calls"`
	Rate  *float64 `json:"rate" doc:"count divided by of, 0 to 1; null when of is below 10, where the counts say more"`
	Low   *float64 `json:"low" doc:"Lower end of the 95 % interval of rate (Wilson); null when rate is"`
	High  *float64 `json:"high" doc:"Upper end of the 95 % interval of rate; null when rate is"`
}

func rateOf(hits, n int64) Rate {
	r := Rate{Count: hits, Of: n}
	if share := (trend.Share{Hits: hits, N: n}); share.Shown() {
		v, within := share.Value(), share.Wilson()
		r.Rate, r.Low, r.High = &v, &within.Low, &within.High
	}
	return r
}

// Spread is the distribution of values, in seconds. Percentiles are within 1 %.
type Spread struct {
	N    int64    `json:"n" doc:"How many values"`
	Mean *float64 `json:"mean" doc:"Mean of the values; null when n is 0"`
	P50  *float64 `json:"p50" doc:"Median; null when n is 0"`
	P90  *float64 `json:"p90" doc:"90th percentile; null when n is 0"`
	P95  *float64 `json:"p95" doc:"95th percentile; null when n is 0"`
	P99  *float64 `json:"p99" doc:"99th percentile; null when n is 0"`
}

func spreadOf(s *sketch.Sketch, n, sumMS int64) Spread {
	out := Spread{N: n}
	if n == 0 {
		return out
	}
	mean := float64(sumMS) / float64(n) / 1000
	out.Mean = &mean
	for q, at := range map[float64]**float64{0.5: &out.P50, 0.9: &out.P90, 0.95: &out.P95, 0.99: &out.P99} {
		if v, ok := s.Quantile(q); ok {
			*at = &v
		}
	}
	return out
}

// Mood is how callers felt.
type Mood struct {
	N           int64    `json:"n" doc:"Calls whose caller's feeling is known"`
	Negative    int64    `json:"negative" doc:"Calls whose caller felt negative on the whole"`
	Neutral     int64    `json:"neutral" doc:"Calls whose caller felt neutral on the whole"`
	Positive    int64    `json:"positive" doc:"Calls whose caller felt positive on the whole"`
	Valence     *float64 `json:"valence" doc:"Mean valence of the calls that felt negative, neutral or positive, -1 (unpleasant) to 1 (pleasant); null when there are none. Words that are not English are not read"`
	Frustration *float64 `json:"frustration" doc:"Mean frustration of the calls, 0 to 1; null when n is 0"`
	Upset       Rate     `json:"upset" doc:"Calls with an upset caller"`
}

// ReportedMood is how callers felt in the platforms' words, one per call.
type ReportedMood struct {
	N        int64    `json:"n" doc:"Calls for which the platform reports a sentiment"`
	Negative int64    `json:"negative" doc:"Calls that the platform reports as negative"`
	Neutral  int64    `json:"neutral" doc:"Calls that the platform reports as neutral"`
	Positive int64    `json:"positive" doc:"Calls that the platform reports as positive"`
	Valence  *float64 `json:"valence" doc:"Mean over the calls, negative counting as -1, neutral as 0 and positive as 1; null when n is 0"`
}

// Costs are what the calls cost, where that was reported.
type Costs struct {
	N        int64    `json:"n" doc:"Calls whose cost is known"`
	TotalUSD float64  `json:"total_usd" doc:"Their total cost in US dollars; a single call counts as 1000 at most"`
	MeanUSD  *float64 `json:"mean_usd" doc:"Mean cost of a call in US dollars; null when n is 0"`
}

// Summary is everything counted about a set of calls.
type Summary struct {
	Calls           int64            `json:"calls" doc:"Calls that have been reviewed"`
	Answered        Rate             `json:"answered" doc:"Calls that were answered"`
	Errors          Rate             `json:"errors" doc:"Calls that ended because something did not work, out of those that are not void"`
	Failed          Rate             `json:"failed" doc:"Calls that failed a required scorer, were reported as unsuccessful, or ended by a fault of agent, line or platform, out of those that are not void"`
	Passed          Rate             `json:"passed" doc:"Calls with the verdict passed, out of those with the verdict passed or failed"`
	Void            int64            `json:"void" doc:"Calls that this service itself spoilt; they count as neither failures nor errors"`
	DropOff         Rate             `json:"drop_off" doc:"Calls whose caller left before the goal, out of the answered ones"`
	Mood            Mood             `json:"mood" doc:"How callers felt, as this service tells it"`
	ReportedMood    ReportedMood     `json:"reported_mood" doc:"How callers felt, as the platforms report it"`
	Duration        Spread           `json:"duration" doc:"Time from the answer to the end of answered calls, in seconds"`
	Latency         Spread           `json:"latency" doc:"Time from the end of the caller's turn to the start of the agent's, as measured on the recordings, in seconds"`
	ReportedLatency Spread           `json:"reported_latency" doc:"Latency from end to end as the platforms report it, in seconds"`
	Cost            Costs            `json:"cost" doc:"What the calls cost, as the platforms report it"`
	EndReasons      map[string]int64 `json:"end_reasons" doc:"Number of calls by end reason code"`
	Blame           map[string]int64 `json:"blame" doc:"Number of calls by who caused their end"`
}

func summaryOf(b *bucket.Bucket) Summary {
	c := &b.Counts
	judged := c[bucket.Calls] - c[bucket.Voided]
	return Summary{
		Calls: c[bucket.Calls], Answered: rateOf(c[bucket.Answered], c[bucket.Calls]), Errors: rateOf(c[bucket.Errors], judged), Failed: rateOf(c[bucket.FailedCalls], judged),
		Passed: rateOf(c[bucket.Passed], c[bucket.Passed]+c[bucket.NotPassed]), Void: c[bucket.Voided], DropOff: rateOf(c[bucket.Dropped], c[bucket.Answered]), Mood: moodOf(c),
		ReportedMood: reportedMoodOf(c),
		Duration:     spreadOf(&b.Durations, b.Durations.Count(), c[bucket.DurationMS]),
		Latency:      spreadOf(&b.Latency, c[bucket.LatencyN], c[bucket.LatencyMS]), ReportedLatency: spreadOf(&b.Reported, c[bucket.ReportedN], c[bucket.ReportedMS]),
		Cost:       Costs{N: c[bucket.Costed], TotalUSD: float64(c[bucket.CostSum]) / 1e6, MeanUSD: ratio(c[bucket.CostSum], c[bucket.Costed], 1e-6)},
		EndReasons: c.EndReasons(), Blame: c.Blames(),
	}
}

func moodOf(c *bucket.Counts) Mood {
	return Mood{
		N: c[bucket.FeltCalls], Negative: c[bucket.Negative], Neutral: c[bucket.Neutral], Positive: c[bucket.Positive],
		Valence: ratio(c[bucket.ValenceSum], c[bucket.Negative]+c[bucket.Neutral]+c[bucket.Positive], 1e-3), Frustration: ratio(c[bucket.FrustrationSum], c[bucket.FeltCalls], 1e-3),
		Upset: rateOf(c[bucket.UpsetCalls], c[bucket.FeltCalls]),
	}
}

func reportedMoodOf(c *bucket.Counts) ReportedMood {
	more, moved := c[bucket.ReportedValenceSum]/1000, c[bucket.ReportedValenceSquares]/1e6
	return ReportedMood{
		N: c[bucket.ReportedFelt], Negative: (moved - more) / 2, Neutral: c[bucket.ReportedFelt] - moved, Positive: (moved + more) / 2,
		Valence: ratio(c[bucket.ReportedValenceSum], c[bucket.ReportedFelt], 1e-3),
	}
}

func ratio(sum, n int64, scale float64) *float64 {
	if n == 0 {
		return nil
	}
	v := float64(sum) * scale / float64(n)
	return &v
}

func millis(t time.Time) int64 { return t.UnixMilli() }
