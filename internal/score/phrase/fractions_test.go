package phrase

import "testing"

// Fractions, thousands, lengths, and single things, written and spoken.
func TestFractions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		tolerance   Tolerance
		found       bool
	}{
		{"2 1/2 hours", "two and a half hours", AsHeard, true},
		{"two and a half hours", "2 1/2 hours", AsHeard, true},
		{"2 1/2 hours", "two hours", AsHeard, false},
		{"1 1/2 hours", "an hour and a half", AsHeard, true},
		{"2 1/4 hours", "two and a quarter hours", AsHeard, true},
		{"1 3/4 cups", "one and three quarters cups", AsHeard, true},
		{"1/2 cup", "half a cup", AsHeard, true},
		{"2/3 cup", "two thirds cup", AsHeard, true},
		{"2¾ cups", "two and three quarters cups", AsHeard, true},
		{"¾ cup", "three quarters cup", AsHeard, true},
		{"¾ cup", "a cup", AsHeard, false},
		{"on 3/4", "on three four", AsHeard, true}, // it may be a date
		{"12 1/8", "twelve one eight", AsHeard, true},
		// "K" may be spoken as such or as thousands.
		{"10k", "ten thousand", AsHeard, true},
		{"10k", "ten k", AsHeard, true},
		{"10k", "ten", AsHeard, false},
		{"10k", "eleven thousand", AsHeard, false},
		{"10k", "one hundred ten thousand", AsHeard, false},
		{"10k", "ten thousand five hundred", AsHeard, false},
		{"we have 10k users", "we have ten users", AsHeard, false},
		{"1.5k", "fifteen hundred", AsHeard, true},
		{"401k", "your four oh one k plan", AsHeard, true},
		{"5k run", "five k run", AsHeard, true},
		{"1.5 million", "a million and a half", AsHeard, true},
		{"the 100th customer", "the hundredth customer", AsHeard, true},
		{"the 100th customer", "the one hundredth customer", Exact, true},
		{"200th", "the two hundredth", AsHeard, true},
		{"1000th", "the thousandth", AsHeard, true},
		{"100th", "one thousandth", AsHeard, false},
		// Hours and minutes are one length.
		{"2.5 hours", "two hours and thirty minutes", AsHeard, true},
		{"2 hours 30 minutes", "two and a half hours", AsHeard, true},
		{"90 minutes", "one hour thirty minutes", AsHeard, true},
		{"1.5 hours", "an hour and thirty minutes", AsHeard, true},
		{"2 hours", "two hours and ten minutes", AsHeard, false},
		{"10 minutes", "two hours and ten minutes", AsHeard, false},
		// "A" counts one, but not in a rate.
		{"1 hour", "it takes about an hour", AsHeard, true},
		{"1 week", "within a week", AsHeard, true},
		{"1 hour", "forty dollars an hour", AsHeard, false},
		{"1 hour", "two calls an hour", AsHeard, false},
		{"1 day", "three times a day", AsHeard, false},
		{"1 day", "once a day", AsHeard, false},
		{"$1", "just a dollar", AsHeard, true},
		{"$1.50", "it is a dollar fifty", AsHeard, true},
		{"$1", "it is a dollar fifty", AsHeard, false},
		{"$1.50", "a dollar and a half", AsHeard, true},
		{"$1", "a dollar and a half", AsHeard, false},
		{"1 year", "a year and a half", AsHeard, false},
		{"1 year", "a year and a day", AsHeard, true},
		{"$1", "a dollar amount", AsHeard, false},
		{"£1", "forty dollars a pound", AsHeard, false},
		{"$40/mo", "forty dollars a month", AsHeard, true},
		{"$40/yr", "forty dollars per year", AsHeard, true},
		{"$40/mo", "forty dollars a year", AsHeard, false},
		// A part of a percent or a million.
		{"0.25%", "a quarter of a percent", AsHeard, true},
		{"0.25%", "point two five percent", AsHeard, true},
		{"0.5%", "half a percent", AsHeard, true},
		{"3.25%", "three point two five percent", AsHeard, true},
		{"$500,000", "half a million dollars", AsHeard, true},
		{"$250,000", "a quarter million dollars", AsHeard, true},
		{"$1,000,000", "half a million dollars", AsHeard, false},
		{"1 mile", "it is about a mile", AsHeard, true},
		{"-5", "negative five", AsHeard, true},
		{"5", "negative five", AsHeard, false},
		{"a negative test", "a negative test", AsHeard, true},
		// A currency may be told twice, or with its land.
		{"20 US dollars", "twenty dollars", AsHeard, true},
		{"$20 USD", "twenty dollars", AsHeard, true},
		{"$20", "twenty us dollars", Exact, true},
		{"20 CHF", "twenty swiss francs", Exact, true},
		{"$20 EUR", "twenty dollars", AsHeard, false},
		{"2027-06-05T14:30:00Z", "june fifth at two thirty", AsHeard, true},
		{"2027-06-05T14:30", "june fifth at two fifteen", AsHeard, false},
		// Days of one month.
		{"May 5-7", "may fifth to seventh", AsHeard, true},
		{"May 5-7", "may fifth through may seventh", AsHeard, true},
		{"May 5-7", "may five to seven", AsHeard, true},
		{"5-7 May", "the fifth to seventh of may", AsHeard, true},
		{"May 5-7", "may fifth to eighth", AsHeard, false},
		{"May 5, 9-5", "may fifth nine to five", AsHeard, true},
		// A dash leads to no hour.
		{"4:40", "20-5", AsHeard, false},
		{"24-7", "twenty four seven", AsHeard, true},
	} {
		if m := Find(Normalise(c.want), Normalise(c.heard), c.tolerance); m.Found != c.found {
			t.Errorf("%q in %q: found %t, want %t (%v in %v)", c.want, c.heard, m.Found, c.found, Normalise(c.want), Normalise(c.heard))
		}
	}
}
