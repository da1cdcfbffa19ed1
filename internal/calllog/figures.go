package calllog

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/score/timing"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Seconds converts a latency in units of 1/perSecond seconds to seconds; ok is false for a value
// that cannot be a latency.
func Seconds(v, perSecond float64) (seconds float64, ok bool) {
	seconds = v / perSecond
	return seconds, seconds >= 0 && seconds <= lenient.Longest.Seconds()
}

// Summarise computes the figures of latencies in units of 1/perSecond seconds. Values that cannot
// be latencies are left out.
func Summarise(values []float64, perSecond float64) call.ReportedLatency {
	var seconds []float64
	var sum float64
	for _, v := range values {
		if s, ok := Seconds(v, perSecond); ok {
			seconds = append(seconds, s)
			sum += s
		}
	}
	n := len(seconds)
	if n == 0 {
		return call.ReportedLatency{}
	}
	sorted := slices.Sorted(slices.Values(seconds))
	at := func(p float64) *float64 {
		v := micro(timing.Percentile(sorted, p))
		return &v
	}
	mean := micro(sum / float64(n))
	return call.ReportedLatency{
		N: n, Mean: &mean, P50: at(50), P90: at(90), P95: at(95), P99: at(99), Min: at(0), Max: at(100), Values: seconds,
	}
}

// micro rounds seconds to microseconds.
func micro(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }

// Micros converts dollars to millionths of a dollar; nil for an amount that no call can cost.
func Micros(dollars float64) *int64 {
	if !(dollars >= 0 && dollars <= 1e6) {
		return nil
	}
	micros := int64(math.Round(dollars * 1e6))
	return &micros
}

// InDollars reports whether no currency other than US dollars or cents is named in the given
// objects. The platforms bill in dollars, but whoever passes webhooks on may have converted the
// amounts, and names the currency beside them or beside one of their parts.
func InDollars(places ...lenient.Object) bool {
	for _, o := range places {
		for _, name := range []string{"currency", "cost_currency", "costCurrency"} {
			named, _ := o.Raw(name).(string)
			switch strings.ToLower(strings.TrimSpace(named)) {
			case "", "usd", "us$", "$", "dollar", "dollars", "us dollar", "us dollars", "cent", "cents", "us cents", "usd cents":
			default:
				return false
			}
		}
	}
	return true
}

// Parts returns the objects in a list without marking it as read.
func Parts(o lenient.Object, name string) []lenient.Object {
	return lenient.Of(map[string]any{name: o.Raw(name)}).Elements(name, 1000)
}

// Length returns how long a call lasted at least, by its turns and tool calls.
func Length(r *call.Reported) time.Duration {
	var length time.Duration
	for i := range r.Turns {
		length = max(length, r.Turns[i].End)
	}
	for i := range r.ToolCalls {
		length = max(length, r.ToolCalls[i].At)
	}
	return length
}

// Times completes the start and end of a call from its length. Both are zero when neither is known.
// An end before the start, or further from it than any call lasts, is ignored.
func Times(start, end time.Time, length time.Duration) (from, to time.Time) {
	switch {
	case start.IsZero() && end.IsZero():
		return start, end
	case start.IsZero():
		return end.Add(-length), end
	case end.IsZero() || end.Before(start) || end.Sub(start) > lenient.Longest:
		return start, start.Add(length)
	}
	return start, end
}

// TestCallIn finds the id of one of our test calls in what a platform carries along with a call:
// the X-Ringtrue-Call header or the key ringtrue_call, in any spelling, or the name of a room. It
// is "" when there is none.
func TestCallIn(places ...lenient.Object) string {
	for _, o := range places {
		if id := testCallIn(o.Values(), 4); id != "" {
			return id
		}
	}
	return ""
}

func testCallIn(values *strictjson.Object, depth int) string {
	for _, name := range values.Names() {
		switch v := values.Get(name).(type) {
		case *string:
			if id := testCall(name, *v); id != "" {
				return id
			}
		case *strictjson.Object:
			if depth == 0 {
				continue
			}
			if id := testCallIn(v, depth-1); id != "" {
				return id
			}
		}
	}
	return ""
}

func testCall(name, value string) string {
	name = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(lenient.Cut(name, lenient.MaxName)))
	id := lenient.Word(value, lenient.MaxName)
	ours, isRoom := strings.CutPrefix(id, roomPrefix)
	switch strings.TrimPrefix(name, "sipheader") {
	case "xringtruecall", "ringtruecall", "ringtruecallid", "xringtruecallid":
		return ours
	case "room", "roomname", "roomid":
		if isRoom && strings.HasPrefix(ours, "call_") {
			return ours
		}
	}
	return ""
}

// roomPrefix begins the names of our rooms; the id of the call follows.
const roomPrefix = "ringtrue-"
