package phrase

import "testing"

// The half of the day may be told before the time.
func TestDaytimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		tolerance   Tolerance
		found       bool
	}{
		{"Monday at 9", "on monday morning at nine", AsHeard, true},
		{"Monday 9 am", "on monday morning at nine", AsHeard, true},
		{"Monday at 9 am", "monday morning nine o'clock", AsHeard, true},
		{"Monday at 9:30 am", "monday morning at nine thirty works", AsHeard, true},
		{"Monday at 9:05", "monday morning at nine oh five", AsHeard, true},
		{"9:30", "monday morning at nine thirty", AsHeard, true},
		{"tomorrow at 3pm", "tomorrow afternoon at three", AsHeard, true},
		{"3 pm", "this afternoon at three", AsHeard, true},
		{"7:15 pm", "tuesday evening at seven fifteen", AsHeard, true},
		{"June 5 at 9 am", "june fifth in the morning at nine", AsHeard, false},
		{"9 pm", "in the evening at nine", AsHeard, true},
		{"9 am", "in the evening at nine", AsHeard, false},
		{"Monday morning", "monday morning at nine", AsHeard, true},
		{"Monday morning at 9", "monday morning at nine a m", AsHeard, true},
		{"Monday morning at 9", "monday at nine in the morning", AsHeard, true},
		{"Monday morning at 9", "monday afternoon at nine", AsHeard, false},
		{"Monday at 9 pm", "on monday morning at nine", AsHeard, false},
		{"Monday at 9", "on tuesday morning at nine", AsHeard, false},
		{"Monday at 9", "on monday morning at ten", AsHeard, false},
		{"Monday morning", "monday afternoon at nine", AsHeard, false},
		{"Monday afternoon", "monday at nine", AsHeard, false},
		{"9 am", "this morning nine people called", AsHeard, false},
		{"monday at nine", "monday at nine", Exact, true},
		{"Monday morning at nine", "monday morning at nine", Exact, true},
		{"Monday morning at nine", "monday at nine", Exact, false}, // every word is needed
		{"good morning", "good morning nine clinics here", AsHeard, true},
	} {
		if m := Find(Normalise(c.want), Normalise(c.heard), c.tolerance); m.Found != c.found {
			t.Errorf("%q in %q: found %t, want %t (%v in %v)", c.want, c.heard, m.Found, c.found, Normalise(c.want), Normalise(c.heard))
		}
	}
}
