package monitor

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// called is a transaction with facts and the callers' numbers.
type called struct {
	Tx
	facts   []Fact
	numbers map[string]string
	reads   int
}

func (c *called) add(agent, number string, at time.Time, dropped bool) {
	f := Fact{CallID: fmt.Sprintf("call_%d", len(c.facts)), AgentID: agent, At: at, Figures: Figures{Answered: true, Dropped: dropped, End: call.EndCompleted}}
	c.facts, c.numbers[f.CallID] = append(c.facts, f), number
}

func (c *called) FactsBetween(_ context.Context, _, _ string, from, until time.Time) (out []Fact, _ error) {
	c.reads++
	for _, f := range c.facts {
		if !f.At.Before(from) && f.At.Before(until) {
			out = append(out, f)
		}
	}
	return out, nil
}

func (c *called) CallersOf(_ context.Context, ids []string) (map[string]string, error) {
	out := map[string]string{}
	for _, id := range ids {
		out[id] = c.numbers[id]
	}
	return out, nil
}

// Twenty-five hang-ups from one number are reported as such; from twenty-five numbers, or withheld
// ones, they cannot be.
func TestHangUpsOfOneCaller(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for what, c := range map[string]struct {
		number func(i int) string
		agent  string
		others int // how many of the other thirty callers left too
		want   int64
	}{
		"one number":                  {func(int) string { return "+1 555 010-0123" }, "agt_1", 2, 25},
		"one number, and others":      {func(int) string { return "+15550100123" }, "agt_1", 12, 0},
		"many numbers":                {func(i int) string { return fmt.Sprintf("+1555010%04d", i) }, "agt_1", 2, 0},
		"numbers that are withheld":   {func(int) string { return "anonymous" }, "agt_1", 2, 0},
		"numbers that spell it":       {func(int) string { return "+266696687" }, "agt_1", 2, 0},
		"one number, another's calls": {func(int) string { return "+15550100123" }, "agt_2", 2, 0},
	} {
		tx := &called{numbers: map[string]string{}}
		for i := range 25 {
			tx.add(c.agent, c.number(i), at.Add(time.Duration(i)*time.Minute), true)
		}
		for i := range 30 {
			tx.add("agt_1", fmt.Sprintf("+4930%06d", i), at.Add(time.Duration(i)*time.Minute), i < c.others)
		}
		in := []departure.Incident{{
			Metric: "drop_off_rate", Form: departure.Step, Sign: trend.Up, Bad: true, Severity: departure.Critical, Start: at, End: at.Add(time.Hour), Open: true,
			N: 55, Seen: 0.49, Expected: 0.08,
		}}
		due := StoredReport{Series: bucket.Series{Dim: DimAgent, Value: "agt_1"}}
		if err := nameOneCaller(t.Context(), tx, due, in, nil, at.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if in[0].OneCaller != c.want || (in[0].Severity == departure.Minor) != (c.want > 0) ||
			strings.Contains(incidentSentence(in[0]), "One caller made 25 of these calls") != (c.want > 0) {
			t.Errorf("%s: %+v", what, in[0])
		}
		again := []departure.Incident{in[0]}
		again[0].OneCaller = 3
		if err := nameOneCaller(t.Context(), tx, due, again, nil, at.Add(2*time.Hour)); err != nil || again[0].OneCaller != 3 {
			t.Errorf("%s: what an earlier look told was told anew: %+v, %v", what, again[0], err)
		}
	}
}

// The number of a telephone system, or one that an agent calls out from, stands for many people:
// most calls come from it on other days too, and the departure is the agent's.
func TestALineOfManyIsNoCaller(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for what, c := range map[string]struct {
		before int // of the 40 calls a week before
		want   int64
	}{"a line of many": {38, 0}, "a caller who has called before": {1, 50}, "a caller": {0, 50}} {
		tx := &called{numbers: map[string]string{}}
		for i := range 50 {
			tx.add("agt_1", "+15550100123", at.Add(time.Duration(i)*time.Minute), i%2 == 0)
		}
		for i := range 40 {
			number := fmt.Sprintf("+4930%06d", i)
			if i < c.before {
				number = "+15550100123"
			}
			tx.add("agt_1", number, at.Add(-7*24*time.Hour).Add(time.Duration(i)*time.Minute), i%12 == 0)
		}
		in := []departure.Incident{{
			Metric: "drop_off_rate", Form: departure.Step, Sign: trend.Up, Bad: true, Severity: departure.Critical, Start: at, End: at.Add(time.Hour), Open: true,
			N: 50, Seen: 0.5, Expected: 0.08,
		}}
		due := StoredReport{Series: bucket.Series{Dim: DimAgent, Value: "agt_1"}}
		if err := nameOneCaller(t.Context(), tx, due, in, nil, at.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if in[0].OneCaller != c.want || (in[0].Severity == departure.Minor) != (c.want > 0) {
			t.Errorf("%s: %+v", what, in[0])
		}
		wantNoReading(t, tx, due, in[0])
	}
}

// wantNoReading checks that the calls of an unchanged departure are not read again, until there are
// more.
func wantNoReading(t *testing.T, tx *called, due StoredReport, told departure.Incident) {
	t.Helper()
	read, again, more := tx.reads, told, told
	again.OneCaller, again.Severity, again.Expected = 0, departure.Critical, told.Expected+0.001
	more.OneCaller, more.N = 0, told.N+1
	in := []departure.Incident{again}
	if err := nameOneCaller(t.Context(), tx, due, in, []departure.Incident{told}, told.Start); err != nil || in[0].OneCaller != told.OneCaller ||
		(in[0].Severity == departure.Minor) != (told.OneCaller > 0) || tx.reads != read {
		t.Errorf("the look after: %+v after %d readings: %v", in[0], tx.reads-read, err)
	}
	if err := nameOneCaller(t.Context(), tx, due, []departure.Incident{more}, []departure.Incident{told}, told.Start); err != nil || tx.reads == read {
		t.Errorf("one with another call is not looked at: %v", err)
	}
}

// oneCallerOf returns how many calls of an hour's departure are attributed to one caller.
func oneCallerOf(t *testing.T, tx *called, in departure.Incident) int64 {
	t.Helper()
	all := []departure.Incident{in}
	if err := nameOneCaller(t.Context(), tx, StoredReport{Series: bucket.Series{Dim: DimAgent, Value: "agt_1"}}, all, nil, in.Start); err != nil {
		t.Fatal(err)
	}
	if (all[0].Severity == departure.Minor) != (all[0].OneCaller > 0) {
		t.Errorf("severity %s with one caller's %d calls", all[0].Severity, all[0].OneCaller)
	}
	return all[0].OneCaller
}

func hangUps(at time.Time, n int64) departure.Incident {
	return departure.Incident{
		Metric: "drop_off_rate", Form: departure.Step, Sign: trend.Up, Bad: true, Severity: departure.Critical, Start: at, End: at.Add(time.Hour), Open: true,
		N: n, Seen: 0.9, Expected: 0.08,
	}
}

// If nothing works, somebody calls again and again, and the few other callers fare no better.
func TestAFewOthersFareNoBetter(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 2, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		others, left int
		want         int64
	}{{8, 8, 0}, {3, 3, 0}, {8, 1, 30}, {5, 2, 30}, {1, 1, 30}, {0, 0, 30}} {
		tx := &called{numbers: map[string]string{}}
		for i := range 30 {
			tx.add("agt_1", "+15550100123", at.Add(time.Duration(i)*time.Minute), true)
		}
		for i := range c.others {
			tx.add("agt_1", fmt.Sprintf("+4930%06d", i), at.Add(time.Duration(i)*time.Minute), i < c.left)
		}
		if got := oneCallerOf(t, tx, hangUps(at, int64(30+c.others))); got != c.want {
			t.Errorf("%d of %d others left: %d calls are one caller's, want %d", c.left, c.others, got, c.want)
		}
	}
}

// An agent's own number is recognised even if nobody was called a week before, as on a holiday;
// nothing is known about hours with too many calls to read.
func TestWhoCallsOutAfterAHoliday(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for what, c := range map[string]struct {
		weeks, calls int // how long before, and how many
		number       string
		want         int64
	}{
		"a holiday a week before": {2, 40, "+15550100123", 0}, "only a few calls then": {1, 3, "+15550100123", 0},
		"another number, two weeks before": {2, 40, "+15550100999", 50}, "too many calls to be read": {1, factsAtOnce + 1, "+15550100999", 0},
	} {
		tx := &called{numbers: map[string]string{}}
		for i := range 50 {
			tx.add("agt_1", "+15550100123", at.Add(time.Duration(i)*time.Minute), i%2 == 0)
		}
		before := at.AddDate(0, 0, -7*c.weeks)
		for i := range c.calls {
			tx.add("agt_1", c.number, before.Add(time.Duration(i%50)*time.Minute), i%12 == 0)
		}
		if got := oneCallerOf(t, tx, hangUps(at, 50)); got != c.want {
			t.Errorf("%s: %d calls are one caller's, want %d", what, got, c.want)
		}
	}
}

// A line of many people does not hide a single caller: the figure would be as usual without either.
func TestACallerBesideALineOfMany(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	tx := &called{numbers: map[string]string{}}
	for day := range 2 {
		begin := at.AddDate(0, 0, -7*day)
		for i := range 50 {
			tx.add("agt_1", "+4930555000", begin.Add(time.Duration(i)*time.Minute), day == 0 && i%2 == 0)
		}
		for i := range 210 {
			tx.add("agt_1", fmt.Sprintf("+4940%06d", i), begin.Add(time.Duration(i)*time.Second), i < 8)
		}
	}
	for i := range 25 {
		tx.add("agt_1", "+15550100123", at.Add(time.Duration(i)*time.Minute), true)
	}
	if got := oneCallerOf(t, tx, hangUps(at, 285)); got != 25 {
		t.Errorf("%d calls are one caller's, want 25", got)
	}
}
