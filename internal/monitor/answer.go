package monitor

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// About says what an answer is based on. It is part of every answer.
type About struct {
	Origin  string  `json:"origin" doc:"production or simulated; the two are never mixed"`
	AgentID *string `json:"agent_id" doc:"The agent asked for, null for all; '-' are calls that no agent is linked to"`
	// Dimension and Value are null unless the query names them.
	Dimension *string `json:"dimension"`
	Value     *string `json:"value"`
	From      int64   `json:"from" doc:"Beginning of the window, milliseconds since 1970; whole hours"`
	Until     int64   `json:"until" doc:"End of the window, which itself is left out"`
	Pending   int     `json:"pending" doc:"Hours with calls that have changed and are yet to be counted anew, or that have come and are yet to be reviewed (100 stands for 100 and more); 0 when the figures are up to date"`
	// Unreviewed counts the agent's calls whatever the window and the dimension: the values
	// of a call's dimensions are only known once it has been reviewed.
	Unreviewed int `json:"unreviewed" doc:"Calls, of any time, that have come and are yet to be reviewed, and that no figure speaks of (1000 stands for 1000 and more)"`
}

func (p *span) about() About {
	a := About{Origin: p.origin, From: p.from.UnixMilli(), Until: p.until.UnixMilli(), Pending: p.pending, Unreviewed: p.unreviewed}
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
	Count int64    `json:"count" doc:"How many"`
	Of    int64    `json:"of" doc:"Of how many"`
	Rate  *float64 `json:"rate" doc:"count of of, 0 to 1; null when of is below 10: then the counts alone say something"`
	Low   *float64 `json:"low" doc:"Lower end of the 95 % interval (Wilson); null with rate"`
	High  *float64 `json:"high" doc:"Upper end; null with rate"`
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
	Mean *float64 `json:"mean" doc:"null when n is 0, like the others"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
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
	N           int64    `json:"n" doc:"Calls with a feeling"`
	Negative    int64    `json:"negative"`
	Neutral     int64    `json:"neutral"`
	Positive    int64    `json:"positive"`
	Valence     *float64 `json:"valence" doc:"Mean over the calls, -1 to 1; null when n is 0"`
	Frustration *float64 `json:"frustration" doc:"Mean over the calls, 0 to 1; null when n is 0"`
	Upset       Rate     `json:"upset"`
}

// ReportedMood is how callers felt in the platforms' words, one per call.
type ReportedMood struct {
	N        int64    `json:"n" doc:"Calls of which a platform says it"`
	Negative int64    `json:"negative"`
	Neutral  int64    `json:"neutral"`
	Positive int64    `json:"positive"`
	Valence  *float64 `json:"valence" doc:"Mean over the calls, where negative counts as -1 and positive as 1; null when n is 0"`
}

// Costs are what the calls cost, where that was reported.
type Costs struct {
	N        int64    `json:"n" doc:"Calls whose cost is told"`
	TotalUSD float64  `json:"total_usd"`
	MeanUSD  *float64 `json:"mean_usd" doc:"null when n is 0"`
}

// Summary is everything counted about a set of calls.
type Summary struct {
	Calls           int64            `json:"calls"`
	Answered        Rate             `json:"answered"`
	Errors          Rate             `json:"errors" doc:"Calls that ended because something did not work; void calls are left out"`
	Failed          Rate             `json:"failed" doc:"Calls that failed a required scorer, were reported unsuccessful, or ended by a fault of agent, line or platform; void calls are left out"`
	Passed          Rate             `json:"passed" doc:"Of the calls that were evaluated"`
	Void            int64            `json:"void" doc:"Calls that our own side spoilt"`
	DropOff         Rate             `json:"drop_off" doc:"Answered calls whose caller left before the goal"`
	Mood            Mood             `json:"mood"`
	ReportedMood    ReportedMood     `json:"reported_mood" doc:"How callers felt as the platforms say it"`
	Duration        Spread           `json:"duration" doc:"Of answered calls, seconds"`
	Latency         Spread           `json:"latency" doc:"Turn latency as measured, seconds"`
	ReportedLatency Spread           `json:"reported_latency" doc:"Latency end to end as the platform reports it, seconds"`
	Cost            Costs            `json:"cost"`
	EndReasons      map[string]int64 `json:"end_reasons" doc:"Calls by end reason"`
	Blame           map[string]int64 `json:"blame" doc:"Calls by whose doing their end was"`
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
		Valence: ratio(c[bucket.ValenceSum], c[bucket.FeltCalls], 1e-3), Frustration: ratio(c[bucket.FrustrationSum], c[bucket.FeltCalls], 1e-3),
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
