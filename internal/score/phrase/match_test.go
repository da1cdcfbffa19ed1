package phrase

import "testing"

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		tolerance   Tolerance
		Found       bool
	}{
		// Ordinary words may be slightly misheard.
		{"your appointment is confirmed", "okay your appointment is confirmed thank you", AsHeard, true},
		{"your appointment is confirmed", "your appointments confirmed", AsHeard, true},
		{"your appointment is confirmed", "your apartment is confirmed", AsHeard, false},
		{"your appointment is confirmed", "your appointment is cancelled", AsHeard, false},
		{"your appointment is confirmed", "goodbye", AsHeard, false},
		{"thank you for calling", "thanks for calling", AsHeard, true},
		{"thank you for calling the clinic", "thank you for call in the clinic", AsHeard, true},
		{"goodbye", "good bye", AsHeard, true},
		{"appointment", "appointments", AsHeard, true},
		{"cat", "hat", AsHeard, false},
		// Negations reverse the meaning and are never skipped.
		{"we can move your appointment today", "we can not move your appointment today", AsHeard, false},
		{"you do not need to pay", "you do need to pay", AsHeard, false},
		{"we accept new patients", "we don't accept new patients", AsHeard, false},
		{"available", "that room is no longer available", AsHeard, false},
		{"covered", "no longer covered", AsHeard, false},
		{"we accept", "we no longer accept it", AsHeard, false},
		{"no longer available", "that room is no longer available", AsHeard, true},
		{"available", "no available", AsHeard, true},
		{"a longer visit", "no a longer visit", AsHeard, true},
		// Numbers, amounts, times, dates and days may not.
		{"the visit costs forty five dollars today", "the visit costs sixty five dollars today", AsHeard, false},
		{"$45", "it is forty five dollars", AsHeard, true},
		{"₹500", "it is five hundred rupees", AsHeard, true},
		{"₹ 1,500", "it is fifteen hundred rupees", AsHeard, true},
		{"₹500", "it is five hundred dollars", AsHeard, false},
		{"$500", "it is ₹500", AsHeard, false},
		{"¥500", "it is 500 yen", AsHeard, true},
		{"¥500", "it is $500", AsHeard, false},
		{"₹10-₹20", "ten to twenty rupees", AsHeard, true},
		// A sign may have a space before it.
		{"50 %", "fifty percent", AsHeard, true},
		{"50 percent", "it is 50 %.", AsHeard, true},
		{"50 %", "it is fifty dollars", AsHeard, false},
		{"4.5%", "4.50 % more", AsHeard, true},
		{"10-15 %", "ten to fifteen percent", AsHeard, true},
		{"10-15 €", "ten to fifteen euros", AsHeard, true},
		// Every letter of a code counts.
		{"X7K9PQ", "x seven k nine p q", AsHeard, true},
		{"X7K-9PQ", "it is x 7 k 9 p q", AsHeard, true},
		{"x 7 k 9 p q", "it is X7K9PQ", AsHeard, true},
		{"X7K9PQ", "it is x7k9pq", AsHeard, true},
		{"X7K9PQ", "x seven k nine p d", AsHeard, false},
		{"A1B2C3", "a one b two d three", AsHeard, false},
		{"your code is QX77", "your code is q x seventy seven", AsHeard, true},
		{"your code is QX77", "your code is q c seventy seven", AsHeard, false},
		{"SW1A 1AA", "s w one a one a a", AsHeard, true},
		{"SW1A 1AA", "s w one b one a a", AsHeard, false},
		{"flight BA2490 to Rome", "flight b a twenty four ninety to rome", AsHeard, true},
		{"flight BA2490 to Rome", "flight b e twenty four ninety to rome", AsHeard, false},
		{"the trip takes 2h30 by train", "the trip takes two hours thirty by train", AsHeard, true},
		{"it is about 5m away from here", "it is about five meters away from here", AsHeard, true},
		// Most of Europe separates thousands by points.
		{"10.000 €", "10 Euro", AsHeard, false},
		{"10.000 €", "10.000 Euro", AsHeard, true},
		{"10.000€", "ten thousand euros", AsHeard, true},
		{"€10.000", "ten thousand dollars", AsHeard, false},
		{"1.500 €", "1.509 Euro", AsHeard, false},
		{"1.500,00 €", "1500 Euro", AsHeard, true},
		{"1.500,50 €", "fifteen hundred euros and fifty cents", AsHeard, true},
		{"€1.500,50", "fifteen hundred euros", AsHeard, false},
		{"45,50 €", "forty five euros fifty", AsHeard, true},
		{"$1,500.50", "fifteen hundred dollars and fifty cents", AsHeard, true},
		{"$0.125", "zero point one two five dollars", AsHeard, true},
		{"$0.125", "0.129 dollars", AsHeard, false},
		{"$0.000", "zero dollars", AsHeard, true},
		{"$3.459", "three point four five nine dollars", AsHeard, true},
		// A figure may be a part of a longer word.
		{"1st-class ticket", "a first class ticket", AsHeard, true},
		{"3rd-party cookies", "third party cookies", AsHeard, true},
		{"third party cookies", "3rd-party cookies", AsHeard, true},
		{"a 1.5-hour visit", "an hour and a half visit", AsHeard, true},
		{"50%-off sale", "fifty percent off sale", AsHeard, true},
		{"1st-class@example.com", "one s t dash class at example dot com", AsHeard, true},
		{"a $1,500-credit", "a fifteen hundred dollar credit", AsHeard, true},
		{"24-hour service", "twenty four hour service", AsHeard, true},
		{"12-AB", "twelve a b", AsHeard, true},
		{"$45", "it is forty five", AsHeard, true},
		{"$45", "it is forty five euros", AsHeard, false},
		{"$45", "it is one forty five", AsHeard, false},
		{"$45", "it is one hundred forty five dollars", AsHeard, false},
		{"$45", "it is forty five fifty", AsHeard, false},
		{"$45.50", "it is forty five fifty", AsHeard, true},
		{"$45.50", "forty five dollars and fifty cents", AsHeard, true},
		{"10:30", "at ten thirty on monday", AsHeard, true},
		{"10:30", "at half past ten", AsHeard, true},
		{"10:30", "at ten thirteen", AsHeard, false},
		// A time ends where the next one begins, whatever commas a recogniser leaves out.
		{"10:30", "we have ten thirty, eleven thirty, or two fifteen", AsHeard, true},
		{"11:30", "we have ten thirty eleven thirty or two fifteen", AsHeard, true},
		{"9:30", "nine thirty ten or eleven", AsHeard, true},
		{"10:30", "we have 10:30, 11:30 or 2:15", AsHeard, true},
		{"11:30", "we have 10:30, 11:30 or 2:15", AsHeard, true},
		{"10:30", "nine thirty, ten thirty and eleven", AsHeard, true},
		{"9:00", "we have 9:00, 10:00, 11:00", AsHeard, true},
		{"10:00", "we have 9:00, 10:00, 11:00", AsHeard, true},
		{"11:00", "nine o'clock, eleven o'clock", AsHeard, true},
		{"9:00", "nine o'clock, eleven thirty", AsHeard, true},
		{"10:30", "number five five ten thirty", AsHeard, false},
		{"10:30", "ten thirty forty", AsHeard, false},
		{"10:30", "one ten thirty", AsHeard, false},
		{"10:00", "we have 9:10, 9:50", AsHeard, false},
		{"10:09", "we have 9:10, 9:50", AsHeard, false},
		{"30", "we have 9:30, 10:15", AsHeard, false},
		{"10:20", "nine forty ten twenty or ten forty", AsHeard, true},
		{"9:50", "nine forty ten twenty or ten forty", AsHeard, false},
		{"in 2015", "in twenty fifteen", AsHeard, true},
		{"March 3rd, 2019", "march third twenty nineteen", AsHeard, true},
		{"March 3rd, 2019", "march third twenty eighteen", AsHeard, false},
		{"4012", "forty twelve", AsHeard, true},
		{"2001", "twenty zero one", AsHeard, true},
		{"$200-$300", "between two hundred and three hundred dollars", AsHeard, true},
		{"$300", "one hundred, two hundred, or three hundred dollars", AsHeard, true},
		{"$2,000-$35,000", "between two thousand and thirty five thousand dollars", AsHeard, true},
		{"$2,003,000", "between two thousand and three thousand dollars", AsHeard, false},
		{"1,002,300", "one million two thousand three hundred", AsHeard, true},
		{"102,000", "one hundred and two thousand", AsHeard, true},
		{"325,125", "three hundred twenty five thousand one hundred and twenty five", AsHeard, true},
		{"50th anniversary", "your fiftieth anniversary", AsHeard, true},
		{"140th Street", "one hundred fortieth street", AsHeard, true},
		{"40th", "the fourteenth", AsHeard, false},
		{"March 30", "march thirtieth", AsHeard, true},
		{"$1,000-$2,000", "one thousand to two thousand dollars", AsHeard, true},
		{"$900 - $1,200", "nine hundred to twelve hundred dollars", AsHeard, true},
		{"1,000-2,000 people", "from one thousand to two thousand people", AsHeard, true},
		{"$1,000-$2,000", "one thousand to three thousand dollars", AsHeard, false},
		{"020 7946 0958", "oh two oh seven nine four six oh nine five eight", AsHeard, true},
		{"0207", "it is oh two oh seven", AsHeard, true},
		{"2", "oh two oh my", AsHeard, true},
		{"119", "one hundred nineteen", AsHeard, true},
		{"1,012", "one thousand and twelve", AsHeard, true},
		{"30", "thirty eleven", AsHeard, false},
		{"10:30", "at ten on the thirtieth", AsHeard, false},
		{"10:00", "at ten thirty", AsHeard, false},
		{"10:00", "at ten o'clock", AsHeard, true},
		// A full hour is a time, not a number of things.
		{"two o'clock", "on friday at two o'clock", AsHeard, true},
		{"two o'clock", "on friday at two", AsHeard, true},
		{"two o'clock", "we are open until two thank you for calling", AsHeard, true},
		{"two o'clock", "at two works for me", AsHeard, true},
		{"two o'clock", "on friday we have nine o'clock ten thirty or two what time would you like", AsHeard, true},
		{"two o'clock", "two", AsHeard, true},
		{"two o'clock", "tuesday two p m", AsHeard, true},
		{"2 pm", "on friday at two", AsHeard, true},
		{"14:00", "at two in the afternoon", AsHeard, true},
		{"14:00", "at fourteen o'clock", AsHeard, true},
		{"one o'clock", "at one thank you", AsHeard, true},
		{"two o'clock", "you have two appointments", AsHeard, false},
		{"two o'clock", "i see two of them", AsHeard, false},
		{"two o'clock", "please press two", AsHeard, false},
		{"two o'clock", "it takes about two weeks", AsHeard, false},
		{"two o'clock", "at two locations", AsHeard, false},
		{"two o'clock", "for two people", AsHeard, false},
		{"2 pm", "after two days", AsHeard, false},
		{"one o'clock", "that is one moment please", AsHeard, false},
		{"two", "you have two appointments", AsHeard, true},
		{"two o'clock", "at two thirty", AsHeard, false},
		{"10:30 am", "ten thirty in the morning", AsHeard, true},
		{"10:30 am", "ten thirty", AsHeard, true},
		{"10:30 am", "ten thirty p m", AsHeard, false},
		{"14:30", "two thirty", AsHeard, true},
		{"14:30", "two thirty a m", AsHeard, false},
		{"18:30", "we close at eighteen thirty", AsHeard, true},
		{"18:30", "we close at six thirty", AsHeard, true},
		{"6:30 pm", "we close at eighteen thirty", AsHeard, true},
		{"6:30 am", "we open at eighteen thirty", AsHeard, false},
		{"2:15 pm", "on friday at to fifteen p m", AsHeard, true},
		{"2:15", "from one to fifteen", AsHeard, false},
		// Minutes are counted from the hour before or to the hour after.
		{"9:20", "at twenty past nine", AsHeard, true},
		{"10:05", "five past ten", AsHeard, true},
		{"10:15", "a quarter after ten", AsHeard, true},
		{"9:45", "at quarter till ten", AsHeard, true},
		{"9:40", "twenty to ten", AsHeard, true},
		{"9:50", "at ten to ten", AsHeard, true},
		{"12:50", "ten minutes to one", AsHeard, true},
		{"9:10", "twenty past nine", AsHeard, false},
		{"10:20", "twenty to ten", AsHeard, false},
		{"10:00", "we are open ten to five", AsHeard, true},
		{"4:40", "reduced from twenty to five", AsHeard, false},
		{"9:30 am", "at 9.30 a.m.", AsHeard, true},
		{"9:00-17:00", "from nine to five", AsHeard, true},
		// The hour after midnight is the twelfth.
		{"00:30", "twelve thirty a m", AsHeard, true},
		{"00:30", "half past midnight", AsHeard, true},
		{"00:30", "twelve thirty p m", AsHeard, false},
		{"midnight", "at twelve a m", AsHeard, true},
		{"12 pm", "at twelve noon", AsHeard, true},
		{"11:50 am", "at ten to noon", AsHeard, true},
		// Amounts with cents, scale and currency, however they are spoken.
		{"$40.50", "forty dollars fifty", AsHeard, true},
		{"$40", "forty dollars fifty", AsHeard, false},
		{"$40", "forty dollars fifty people have paid it", AsHeard, true},
		{"$40", "forty dollars ten percent off", AsHeard, true},
		{"$40.50", "it is 40.5", AsHeard, true},
		{"$0.99", "ninety nine cents", AsHeard, true},
		{"99 cents", "only $0.99", AsHeard, true},
		{"$99", "ninety nine cents", AsHeard, false},
		{"99 pence", "ninety nine cents", AsHeard, false},
		{"40 USD", "forty dollars", AsHeard, true},
		{"EUR 40", "forty euros", AsHeard, true},
		{"€12,50", "twelve euros fifty", AsHeard, true},
		{"12,50 €", "12.50 €", AsHeard, true},
		{"EUR 40", "forty dollars", AsHeard, false},
		{"$45", "it takes forty five minutes", AsHeard, false},
		{"$45", "forty five this time", AsHeard, true},
		{"10 am", "it is ten dollars", AsHeard, false},
		{"$1,000,000", "one million dollars", AsHeard, true},
		{"$2.5 million", "two and a half million dollars", AsHeard, true},
		{"1,200,000", "one million two hundred thousand", AsHeard, true},
		{"$1", "one million dollars", AsHeard, false},
		{"4.5%", "four and a half percent", AsHeard, true},
		// Digits one by one, with "oh", "double" and round hundreds.
		{"800-555-0100", "eight hundred five five five oh one oh oh", AsHeard, true},
		{"805", "eight hundred five", AsHeard, true},
		{"0123", "oh one two three", AsHeard, true},
		{"5550123", "double five five oh one two three", AsHeard, true},
		{"007", "double oh seven", AsHeard, true},
		{"55", "a double five star hotel", AsHeard, false},
		// "Second" is an ordinal or a measure of time.
		{"May 22", "on may twenty second", AsHeard, true},
		{"May 22", "the twenty second of may", AsHeard, true},
		{"May 20", "on may twenty second", AsHeard, false},
		{"May 2", "the twenty second of may", AsHeard, false},
		{"the 2nd", "on the second", AsHeard, true},
		{"2nd floor", "second floor", AsHeard, true},
		{"the 2nd", "one second please", AsHeard, false},
		{"20", "a twenty second wait", AsHeard, true},
		{"second appointment", "the second appointment", AsHeard, true},
		{"is cancelled", "your appointment cancelled", AsHeard, true},
		{"is cancelled", "your appointment is not cancelled", AsHeard, false},
		{"is cancelled", "your appointment is confirmed", AsHeard, false},
		{"is that right", "that right", AsHeard, true},
		{"is that right", "that is wrong", AsHeard, false},
		{"9:30", "we have nine nine thirty or ten", AsHeard, true},
		{"March 3rd", "on tuesday the third of march", AsHeard, true},
		{"March 3rd", "on march thirteenth", AsHeard, false},
		{"the 3rd", "the third of march", AsHeard, true},
		{"tuesday", "see you on thursday", AsHeard, false},
		{"Tuesday March 3rd at 10:30", "so that is tuesday march third at ten thirty", AsHeard, true},
		{"Tuesday March 3rd at 10:30", "so that is tuesday march fourth at ten thirty", AsHeard, false},
		{"Tuesday March 3rd at 10:30", "so that is wednesday march third at ten thirty", AsHeard, false},
		{"555 0123", "five five five zero one two three", AsHeard, true},
		{"555 0123", "five five five zero one two four", AsHeard, false},
		{"4571", "your code is four five seven one", AsHeard, true},
		{"457", "your code is four five seven one", AsHeard, false},
		{"four percent", "4%", AsHeard, true},
		// Abbreviations and written forms are spoken in full.
		{"anna.miller@example.com", "anna dot miller at example dot com", AsHeard, true},
		{"anna.miller@example.com", "it is anna.miller@example.com", AsHeard, true},
		{"anna@example.com", "anna at example dot org", AsHeard, false},
		{"anna@example.com", "anna at sample dot com", AsHeard, false},
		{"www.example.com", "www dot example dot com", AsHeard, true},
		{"confirmed", "it is confirmed.com", AsHeard, true},
		{"Tue, Sept 5", "on tuesday september fifth", AsHeard, true},
		{"Mar 3", "march third", AsHeard, true},
		{"Mon-Fri", "monday to friday", AsHeard, true},
		{"25.12.2026", "the twenty fifth of december", AsHeard, true},
		{"10 mins", "ten minutes", AsHeard, true},
		// Letters and digits of other scripts.
		{"नमस्ते", "नमस्ते जी", AsHeard, true},
		{"तीन", "तान", AsHeard, false},
		{"٤٥", "forty five", AsHeard, true},
		{"４５", "forty five", AsHeard, true},
		// A negated value was not stated, however far away the negation is.
		{"Tuesday", "not on tuesday", AsHeard, false},
		{"9:30", "not at nine thirty", AsHeard, false},
		{"9:30", "we are not open at nine thirty", AsHeard, false},
		{"$40", "it does not cost forty dollars", AsHeard, false},
		{"available", "it is not yet available", AsHeard, false},
		{"refund", "without refund", AsHeard, false},
		{"Tuesday", "why not on tuesday", AsHeard, true},
		{"Tuesday", "not on monday but on tuesday", AsHeard, true},
		{"9:30", "we do not open until nine thirty", AsHeard, true},
		{"$40", "do not worry it is forty dollars", AsHeard, true},
		{"$40", "no it is forty dollars", AsHeard, true},
		// Neither was a value that was taken back at once; its correction was.
		{"$40", "it is forty, sorry, fifty dollars", AsHeard, false},
		{"$50", "it is forty, sorry, fifty dollars", AsHeard, true},
		{"$40", "forty dollars i am sorry i mean it is fifty dollars", AsHeard, false},
		{"$40", "that is forty no fifty dollars", AsHeard, false},
		{"Tuesday", "on tuesday no sorry on wednesday", AsHeard, false},
		{"3 pm", "at three p m, scratch that, four p m", AsHeard, false},
		{"4 pm", "at three p m, scratch that, four p m", AsHeard, true},
		{"3 pm", "at three p m, let me correct that, it is four p m", AsHeard, false},
		{"$40", "forty dollars, strike that, fifty", AsHeard, false},
		{"3 pm", "at three p m, let me check that for you", AsHeard, true},
		// Things are counted by the dozen.
		{"12 eggs", "a dozen eggs", AsHeard, true},
		{"a dozen eggs", "twelve eggs", AsHeard, true},
		{"24 bottles", "two dozen bottles", AsHeard, true},
		{"6 rolls", "half a dozen rolls", AsHeard, true},
		{"12 rolls", "half a dozen rolls", AsHeard, false},
		{"12 eggs", "two dozen eggs", AsHeard, false},
		{"2 eggs", "two dozen eggs", AsHeard, false},
		{"dozens of them", "dozens of them", AsHeard, true},
		{"Tuesday", "on monday no sorry on tuesday", AsHeard, true},
		{"10:30 am", "at ten thirty a m sorry eleven", AsHeard, false},
		{"May 3", "may third i mean may fourth", AsHeard, false},
		{"$40", "forty dollars sorry for the wait", AsHeard, true},
		{"$40", "it is forty dollars sorry forty dollars", AsHeard, true},
		{"Tuesday", "on tuesday sorry monday is full", AsHeard, true},
		{"Tuesday", "we have tuesday or wednesday", AsHeard, true},
		{"$40", "forty dollars sorry fifty dollars", Exact, true},
		// Exact means exact.
		{"I cannot help you", "I can not help you", Exact, true},
		{"I cannot help you", "I can help you", Exact, false},
		{"free of charge", "three of charge", Exact, false},
		{"two o'clock", "we need two documents", Exact, false},
	} {
		m := Find(Normalise(c.want), Normalise(c.heard), c.tolerance)
		if m.Found != c.Found {
			t.Errorf("%q in %q: found %t with similarity %.2f, want %t", c.want, c.heard, m.Found, m.Similarity, c.Found)
		}
		if m.Found && (m.First < 0 || m.Last < m.First) {
			t.Errorf("%q in %q: found at %d to %d", c.want, c.heard, m.First, m.Last)
		}
	}
}

func TestClosestPassageIsNamed(t *testing.T) {
	t.Parallel()
	heard := Normalise("well hello there your appointment has been cancelled goodbye")
	m := Find(Normalise("your appointment has been confirmed"), heard, Exact)
	if m.Found || m.First != 3 || m.Last < 6 || m.Similarity < 0.6 || m.Similarity >= 1 {
		t.Errorf("the closest passage is %+v", m)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("$45", "one forty five")
	f.Add("a", "")
	f.Add("10:30 am", "10 30 am am")
	f.Add("not", "not not")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 200 || len(b) > 400 {
			return
		}
		want, heard := Normalise(a), Normalise(b)
		m := Find(want, heard, AsHeard)
		if m.Similarity < 0 || m.Similarity > 1 {
			t.Fatalf("similarity %f", m.Similarity)
		}
		if m.First >= 0 && (m.Last < m.First || m.Last >= len(heard)) {
			t.Fatalf("passage %d to %d of %d tokens", m.First, m.Last, len(heard))
		}
		if len(want) > 0 && a == b && !m.Found {
			t.Fatalf("%q does not find itself", a)
		}
	})
}
