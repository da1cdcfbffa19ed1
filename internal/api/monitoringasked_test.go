package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/monitor"
)

// A value is found as its calls have it: calls count under it without the blanks around it and cut.
func TestAValueIsFoundAsItsCallsHaveIt(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.ask(t, "PUT", "/api/rest/monitoring/dimensions", `{"metadata_keys":["customer"]}`)
	long := strings.Repeat("ü", 60)
	for i, customer := range []string{long, " acme\t"} {
		w.logged(t, "customer", customer, i)
	}
	w.refresh(t)
	for value, want := range map[string]string{long: long[:80], long[:80]: long[:80], " acme\t": "acme", "acme": "acme"} {
		narrow := "?dimension=metadata.customer&value=" + url.QueryEscape(value)
		if o := read[monitor.Overview](t, w.bundle, "overview"+narrow); o.Now.Calls != 1 || *o.Value != want {
			t.Errorf("%q: %d calls of %q", value, o.Now.Calls, *o.Value)
		}
		if list := w.ask(t, "GET", "/api/rest/calls"+narrow, ""); strings.Count(list.Body.String(), `"id":"call_`) != 1 {
			t.Errorf("%q lists %s", value, list.Body)
		}
	}
	for _, path := range []string{"monitoring/overview", "calls"} {
		wantProblem(t, w.ask(t, "GET", "/api/rest/"+path+"?dimension=metadata.customer&value=%20", ""), 422, "invalid_fields", "query.value")
	}
}

// That nothing departed is said of hours alone that could be looked at, and of which enough was known.
func TestNothingIsSaidOfHoursThatWereNotLookedAt(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.submit(t, 240)
	w.refresh(t)
	const toCome, unlooked = "these hours have not begun yet", "these hours have not been looked at yet"
	const unknown, nothing = "there is too little history to know what is usual", "nothing departed from what is usual"
	day := 24 * time.Hour
	ask := func(from, until time.Duration, want string) {
		t.Helper()
		for _, whose := range []string{"", "agent_id=agt_a&"} {
			a := read[monitor.Anomalies](t, w.bundle, fmt.Sprintf("anomalies?%smetric=calls&from=%d&until=%d", whose, w.now.Add(from).UnixMilli(), w.now.Add(until).UnixMilli()))
			if a.Reason != want || len(a.Anomalies) > 0 {
				t.Errorf("%sfrom %s to %s: %q, %d anomalies", whose, from, until, a.Reason, len(a.Anomalies))
			}
		}
	}
	ask(-day, 0, nothing)
	ask(-day, 20*day, nothing)
	ask(-9*day, -8*day, unknown)
	ask(-300*day, -290*day, unknown)
	ask(2*time.Hour, day, toCome)
	ask(400*day, 410*day, toCome)
	ofVersion := read[monitor.Anomalies](t, w.bundle, fmt.Sprintf("anomalies?agent_id=agt_a&dimension=agent_version&value=1&metric=calls&from=%d", w.now.UnixMilli()-1))
	if ofVersion.Reason != unlooked {
		t.Errorf("of the hour that is not over: %q", ofVersion.Reason)
	}
	w.now = w.now.Add(12 * time.Hour)
	ask(-3*time.Hour, 0, unlooked)
}

// The longest stretch can be asked for by its beginning alone, by which the question is a moment
// older than its beginning says, and by local days, among which one may have 25 hours.
func TestTheLongestStretchCanBeAskedFor(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	for path, days := range map[string]int{
		"trends?": 35, "trends?step=day&": 731, "trends?step=day&time_zone=Europe/Berlin&": 93, "anomalies?": 93, "breakdown?": 93, "failures?": 731, "drop-off?": 731, "upset?": 731,
	} {
		from := w.now.AddDate(0, 0, -days)
		for _, more := range []time.Duration{0, 900 * time.Millisecond, time.Hour} {
			if answer := w.ask(t, "GET", fmt.Sprintf("/api/rest/monitoring/%sfrom=%d", path, from.Add(-more).UnixMilli()), ""); answer.Code != 200 {
				t.Errorf("%s of %d days and %s: %d %s", path, days, more, answer.Code, answer.Body)
			}
		}
		wantProblem(t, w.ask(t, "GET", fmt.Sprintf("/api/rest/monitoring/%sfrom=%d", path, from.Add(-61*time.Minute).UnixMilli()), ""), 422, "invalid_fields", "query.from")
	}
}
