package score

import "testing"

func TestFindPassage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		tolerance   tolerance
		found       bool
	}{
		// Ordinary words bear a little mishearing.
		{"your appointment is confirmed", "okay your appointment is confirmed thank you", asHeard, true},
		{"your appointment is confirmed", "your appointments confirmed", asHeard, true},
		{"your appointment is confirmed", "your apartment is confirmed", asHeard, false},
		{"your appointment is confirmed", "your appointment is cancelled", asHeard, false},
		{"your appointment is confirmed", "goodbye", asHeard, false},
		{"thank you for calling", "thanks for calling", asHeard, true},
		{"thank you for calling the clinic", "thank you for call in the clinic", asHeard, true},
		{"goodbye", "good bye", asHeard, true},
		{"appointment", "appointments", asHeard, true},
		{"cat", "hat", asHeard, false},
		// Negations turn the meaning round and are never passed over.
		{"we can move your appointment today", "we can not move your appointment today", asHeard, false},
		{"you do not need to pay", "you do need to pay", asHeard, false},
		{"we accept new patients", "we don't accept new patients", asHeard, false},
		// Numbers, amounts, times, dates and days never bear any.
		{"the visit costs forty five dollars today", "the visit costs sixty five dollars today", asHeard, false},
		{"$45", "it is forty five dollars", asHeard, true},
		{"$45", "it is forty five", asHeard, true},
		{"$45", "it is forty five euros", asHeard, false},
		{"$45", "it is one forty five", asHeard, false},
		{"$45", "it is one hundred forty five dollars", asHeard, false},
		{"$45", "it is forty five fifty", asHeard, false},
		{"$45.50", "it is forty five fifty", asHeard, true},
		{"$45.50", "forty five dollars and fifty cents", asHeard, true},
		{"10:30", "at ten thirty on monday", asHeard, true},
		{"10:30", "at half past ten", asHeard, true},
		{"10:30", "at ten thirteen", asHeard, false},
		{"10:30", "at ten on the thirtieth", asHeard, false},
		{"10:00", "at ten thirty", asHeard, false},
		{"10:00", "at ten o'clock", asHeard, true},
		// A full hour is a time and no number of things.
		{"two o'clock", "on friday at two o'clock", asHeard, true},
		{"two o'clock", "on friday at two", asHeard, true},
		{"two o'clock", "we are open until two thank you for calling", asHeard, true},
		{"two o'clock", "at two works for me", asHeard, true},
		{"two o'clock", "on friday we have nine o'clock ten thirty or two what time would you like", asHeard, true},
		{"two o'clock", "two", asHeard, true},
		{"two o'clock", "tuesday two p m", asHeard, true},
		{"2 pm", "on friday at two", asHeard, true},
		{"14:00", "at two in the afternoon", asHeard, true},
		{"14:00", "at fourteen o'clock", asHeard, true},
		{"one o'clock", "at one thank you", asHeard, true},
		{"two o'clock", "you have two appointments", asHeard, false},
		{"two o'clock", "i see two of them", asHeard, false},
		{"two o'clock", "please press two", asHeard, false},
		{"two o'clock", "it takes about two weeks", asHeard, false},
		{"two o'clock", "at two locations", asHeard, false},
		{"two o'clock", "for two people", asHeard, false},
		{"2 pm", "after two days", asHeard, false},
		{"one o'clock", "that is one moment please", asHeard, false},
		{"two", "you have two appointments", asHeard, true},
		{"two o'clock", "at two thirty", asHeard, false},
		{"10:30 am", "ten thirty in the morning", asHeard, true},
		{"10:30 am", "ten thirty", asHeard, true},
		{"10:30 am", "ten thirty p m", asHeard, false},
		{"14:30", "two thirty", asHeard, true},
		{"14:30", "two thirty a m", asHeard, false},
		{"18:30", "we close at eighteen thirty", asHeard, true},
		{"18:30", "we close at six thirty", asHeard, true},
		{"6:30 pm", "we close at eighteen thirty", asHeard, true},
		{"6:30 am", "we open at eighteen thirty", asHeard, false},
		{"2:15 pm", "on friday at to fifteen p m", asHeard, true},
		{"2:15", "from one to fifteen", asHeard, false},
		// Minutes are counted from the hour before or to the hour after.
		{"9:20", "at twenty past nine", asHeard, true},
		{"10:05", "five past ten", asHeard, true},
		{"10:15", "a quarter after ten", asHeard, true},
		{"9:45", "at quarter till ten", asHeard, true},
		{"9:40", "twenty to ten", asHeard, true},
		{"9:50", "at ten to ten", asHeard, true},
		{"12:50", "ten minutes to one", asHeard, true},
		{"9:10", "twenty past nine", asHeard, false},
		{"10:20", "twenty to ten", asHeard, false},
		{"10:00", "we are open ten to five", asHeard, true},
		{"4:40", "reduced from twenty to five", asHeard, false},
		{"9:30 am", "at 9.30 a.m.", asHeard, true},
		{"9:00-17:00", "from nine to five", asHeard, true},
		// The hour after midnight is the twelfth.
		{"00:30", "twelve thirty a m", asHeard, true},
		{"00:30", "half past midnight", asHeard, true},
		{"00:30", "twelve thirty p m", asHeard, false},
		{"midnight", "at twelve a m", asHeard, true},
		{"12 pm", "at twelve noon", asHeard, true},
		{"11:50 am", "at ten to noon", asHeard, true},
		// Amounts with their cents, their scale and their currency, however they are told.
		{"$40.50", "forty dollars fifty", asHeard, true},
		{"$40", "forty dollars fifty", asHeard, false},
		{"$40", "forty dollars fifty people have paid it", asHeard, true},
		{"$40", "forty dollars ten percent off", asHeard, true},
		{"$40.50", "it is 40.5", asHeard, true},
		{"$0.99", "ninety nine cents", asHeard, true},
		{"99 cents", "only $0.99", asHeard, true},
		{"$99", "ninety nine cents", asHeard, false},
		{"99 pence", "ninety nine cents", asHeard, false},
		{"40 USD", "forty dollars", asHeard, true},
		{"EUR 40", "forty euros", asHeard, true},
		{"€12,50", "twelve euros fifty", asHeard, true},
		{"12,50 €", "12.50 €", asHeard, true},
		{"EUR 40", "forty dollars", asHeard, false},
		{"$45", "it takes forty five minutes", asHeard, false},
		{"$45", "forty five this time", asHeard, true},
		{"10 am", "it is ten dollars", asHeard, false},
		{"$1,000,000", "one million dollars", asHeard, true},
		{"$2.5 million", "two and a half million dollars", asHeard, true},
		{"1,200,000", "one million two hundred thousand", asHeard, true},
		{"$1", "one million dollars", asHeard, false},
		{"4.5%", "four and a half percent", asHeard, true},
		// Digits one by one, with "oh", "double" and round hundreds.
		{"800-555-0100", "eight hundred five five five oh one oh oh", asHeard, true},
		{"805", "eight hundred five", asHeard, true},
		{"0123", "oh one two three", asHeard, true},
		{"5550123", "double five five oh one two three", asHeard, true},
		{"007", "double oh seven", asHeard, true},
		{"55", "a double five star hotel", asHeard, false},
		// A second is a place in a row, or a measure of time.
		{"May 22", "on may twenty second", asHeard, true},
		{"May 22", "the twenty second of may", asHeard, true},
		{"May 20", "on may twenty second", asHeard, false},
		{"May 2", "the twenty second of may", asHeard, false},
		{"the 2nd", "on the second", asHeard, true},
		{"2nd floor", "second floor", asHeard, true},
		{"the 2nd", "one second please", asHeard, false},
		{"20", "a twenty second wait", asHeard, true},
		{"second appointment", "the second appointment", asHeard, true},
		{"is cancelled", "your appointment cancelled", asHeard, true},
		{"is cancelled", "your appointment is not cancelled", asHeard, false},
		{"is cancelled", "your appointment is confirmed", asHeard, false},
		{"is that right", "that right", asHeard, true},
		{"is that right", "that is wrong", asHeard, false},
		{"9:30", "we have nine nine thirty or ten", asHeard, true},
		{"March 3rd", "on tuesday the third of march", asHeard, true},
		{"March 3rd", "on march thirteenth", asHeard, false},
		{"the 3rd", "the third of march", asHeard, true},
		{"tuesday", "see you on thursday", asHeard, false},
		{"Tuesday March 3rd at 10:30", "so that is tuesday march third at ten thirty", asHeard, true},
		{"Tuesday March 3rd at 10:30", "so that is tuesday march fourth at ten thirty", asHeard, false},
		{"Tuesday March 3rd at 10:30", "so that is wednesday march third at ten thirty", asHeard, false},
		{"555 0123", "five five five zero one two three", asHeard, true},
		{"555 0123", "five five five zero one two four", asHeard, false},
		{"4571", "your code is four five seven one", asHeard, true},
		{"457", "your code is four five seven one", asHeard, false},
		{"four percent", "4%", asHeard, true},
		// What is written short or for the eye is said in full.
		{"anna.miller@example.com", "anna dot miller at example dot com", asHeard, true},
		{"anna.miller@example.com", "it is anna.miller@example.com", asHeard, true},
		{"anna@example.com", "anna at example dot org", asHeard, false},
		{"anna@example.com", "anna at sample dot com", asHeard, false},
		{"www.example.com", "www dot example dot com", asHeard, true},
		{"confirmed", "it is confirmed.com", asHeard, true},
		{"Tue, Sept 5", "on tuesday september fifth", asHeard, true},
		{"Mar 3", "march third", asHeard, true},
		{"Mon-Fri", "monday to friday", asHeard, true},
		{"25.12.2026", "the twenty fifth of december", asHeard, true},
		{"10 mins", "ten minutes", asHeard, true},
		// Letters and digits of other scripts.
		{"नमस्ते", "नमस्ते जी", asHeard, true},
		{"तीन", "तान", asHeard, false},
		{"٤٥", "forty five", asHeard, true},
		{"４５", "forty five", asHeard, true},
		// What is denied was not stated, however far the negation stands from it.
		{"Tuesday", "not on tuesday", asHeard, false},
		{"9:30", "not at nine thirty", asHeard, false},
		{"9:30", "we are not open at nine thirty", asHeard, false},
		{"$40", "it does not cost forty dollars", asHeard, false},
		{"available", "it is not yet available", asHeard, false},
		{"refund", "without refund", asHeard, false},
		{"Tuesday", "why not on tuesday", asHeard, true},
		{"Tuesday", "not on monday but on tuesday", asHeard, true},
		{"9:30", "we do not open until nine thirty", asHeard, true},
		{"$40", "do not worry it is forty dollars", asHeard, true},
		{"$40", "no it is forty dollars", asHeard, true},
		// What is taken back at once was not stated either; what was put in its place was.
		{"$40", "it is forty, sorry, fifty dollars", asHeard, false},
		{"$50", "it is forty, sorry, fifty dollars", asHeard, true},
		{"$40", "forty dollars i am sorry i mean it is fifty dollars", asHeard, false},
		{"$40", "that is forty no fifty dollars", asHeard, false},
		{"Tuesday", "on tuesday no sorry on wednesday", asHeard, false},
		{"Tuesday", "on monday no sorry on tuesday", asHeard, true},
		{"10:30 am", "at ten thirty a m sorry eleven", asHeard, false},
		{"May 3", "may third i mean may fourth", asHeard, false},
		{"$40", "forty dollars sorry for the wait", asHeard, true},
		{"$40", "it is forty dollars sorry forty dollars", asHeard, true},
		{"Tuesday", "on tuesday sorry monday is full", asHeard, true},
		{"Tuesday", "we have tuesday or wednesday", asHeard, true},
		{"$40", "forty dollars sorry fifty dollars", exact, true},
		// Exact means exact.
		{"I cannot help you", "I can not help you", exact, true},
		{"I cannot help you", "I can help you", exact, false},
		{"free of charge", "three of charge", exact, false},
		{"two o'clock", "we need two documents", exact, false},
	} {
		m := findPassage(Normalise(c.want), Normalise(c.heard), c.tolerance)
		if m.found != c.found {
			t.Errorf("%q in %q: found %t with similarity %.2f, want %t", c.want, c.heard, m.found, m.similarity, c.found)
		}
		if m.found && (m.first < 0 || m.last < m.first) {
			t.Errorf("%q in %q: found at %d to %d", c.want, c.heard, m.first, m.last)
		}
	}
}

func TestClosestPassageIsNamed(t *testing.T) {
	t.Parallel()
	heard := Normalise("well hello there your appointment has been cancelled goodbye")
	m := findPassage(Normalise("your appointment has been confirmed"), heard, exact)
	if m.found || m.first != 3 || m.last < 6 || m.similarity < 0.6 || m.similarity >= 1 {
		t.Errorf("the closest passage is %+v", m)
	}
}

func FuzzFindPassage(f *testing.F) {
	f.Add("$45", "one forty five")
	f.Add("a", "")
	f.Add("10:30 am", "10 30 am am")
	f.Add("not", "not not")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 200 || len(b) > 400 {
			return
		}
		want, heard := Normalise(a), Normalise(b)
		m := findPassage(want, heard, asHeard)
		if m.similarity < 0 || m.similarity > 1 {
			t.Fatalf("similarity %f", m.similarity)
		}
		if m.first >= 0 && (m.last < m.first || m.last >= len(heard)) {
			t.Fatalf("passage %d to %d of %d tokens", m.first, m.last, len(heard))
		}
		if len(want) > 0 && a == b && !m.found {
			t.Fatalf("%q does not find itself", a)
		}
	})
}
