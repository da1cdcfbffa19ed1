package phrase

import "testing"

// The half of the day may be told before the time.
func TestDaytimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		found       bool
	}{
		{"Monday at 9", "on monday morning at nine", true},
		{"Monday 9 am", "on monday morning at nine", true},
		{"Monday at 9 am", "monday morning nine o'clock", true},
		{"Monday at 9:30 am", "monday morning at nine thirty works", true},
		{"Monday at 9:05", "monday morning at nine oh five", true},
		{"9:30", "monday morning at nine thirty", true},
		{"tomorrow at 3pm", "tomorrow afternoon at three", true},
		{"3 pm", "this afternoon at three", true},
		{"7:15 pm", "tuesday evening at seven fifteen", true},
		{"June 5 at 9 am", "june fifth in the morning at nine", false},
		{"Monday morning", "monday morning at nine", true},
		{"Monday morning at 9", "monday morning at nine a m", true},
		{"Monday morning at 9", "monday at nine in the morning", true},
		{"Monday morning at 9", "monday afternoon at nine", false},
		{"Monday at 9 pm", "on monday morning at nine", false},
		{"Monday at 9", "on tuesday morning at nine", false},
		{"Monday at 9", "on monday morning at ten", false},
		{"Monday morning", "monday afternoon at nine", false},
		{"Monday afternoon", "monday at nine", false},
		{"9 am", "this morning nine people called", false},
		{"good morning", "good morning nine clinics here", true},
	} {
		if m := Find(Normalise(c.want), Normalise(c.heard), AsHeard); m.Found != c.found {
			t.Errorf("%q in %q: found %t, want %t (%v in %v)", c.want, c.heard, m.Found, c.found, Normalise(c.want), Normalise(c.heard))
		}
	}
}
