package trend

import "time"

// Watch compares every hour of the window with what the hours before it let
// expect, and finds the stretches of time that depart from it. It looks back
// only: what it says of an hour does not change when later hours come, save for
// the end of an incident that is open.
func Watch(s Series, w Window) Report {
	r := Report{Metric: s.Metric, Reason: "there are less than two weeks of history"}
	at := map[int64]Point{}
	for _, p := range s.Points {
		at[p.At.Unix()] = p
	}
	for t := w.From; t.Before(w.Until); t = t.Add(time.Hour) {
		e := Expected{At: t, N: at[t.Unix()].N}
		e.Seen, e.HasSeen = s.Metric.Value(at[t.Unix()])
		r.Hours = append(r.Hours, e)
	}
	return r
}
