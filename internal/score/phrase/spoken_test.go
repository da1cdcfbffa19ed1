package phrase

import "testing"

// Written phrases that are found, or not, in what an agent says.
func TestSpoken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, heard string
		tolerance   Tolerance
		found       bool
	}{
		// A number may have any length, such as that of a card, which must not be read out.
		{"4532 1234 5678 9010", "four five three two one two three four five six seven eight nine zero one zero", AsHeard, true},
		{"4532 1234 5678 9010", "four five three two one two three four five six seven eight nine zero one zero", Exact, true},
		{"4532 1234 5678 9010", "four five three two one two three four five six seven eight nine zero one one", AsHeard, false},
		{"4532 1234 5678", "four five three two one two three four five six seven eight nine zero one one", AsHeard, false},
		// What is not, will not be or has not been is negated.
		{"available", "it will not be available", AsHeard, false},
		{"confirmed", "your order has not been confirmed yet", AsHeard, false},
		{"cancelled", "it has not been cancelled", Exact, false},
		{"confirmed", "it has been confirmed", AsHeard, true},
		// A thing is negated where it is not offered, given or needed.
		{"refund", "we do not offer a refund", AsHeard, false},
		{"refund", "unfortunately we cannot give you a refund", AsHeard, false},
		{"credit cards", "we do not accept credit cards", AsHeard, false},
		{"credit card", "you do not need a credit card", Exact, false},
		{"a discount", "i can not give you any discount", AsHeard, false},
		{"refund", "we offer a refund", AsHeard, true},
		{"refund", "we do offer you a refund", AsHeard, true},
		{"refund", "not only a refund but a voucher", AsHeard, true},
		{"refund", "why not take the refund", AsHeard, true},
		{"refund", "whether or not the refund has come", AsHeard, true},
		{"not offer a refund", "we do not offer a refund", AsHeard, true},
		{"we do not offer refunds", "we do not offer refunds", Exact, true},
		{"refund", "i have not heard of it but the refund is on its way", AsHeard, true},
		// "No" negates behind a verb, and is an answer elsewhere.
		{"refund", "there is no refund", AsHeard, false},
		{"guarantee", "there's no guarantee", Exact, false},
		{"appointments available", "we have no appointments available", AsHeard, false},
		{"Tuesday", "we have no tuesday appointments", AsHeard, false},
		{"refunds are possible", "no refunds are possible within thirty days", AsHeard, true},
		{"$40", "is it fifty no forty dollars", AsHeard, true},
		{"no refund", "there is no refund", AsHeard, true},
		{"no guarantee", "there is no guarantee", Exact, true},
		// What belongs to a day names the day.
		{"Monday", "monday's appointment", AsHeard, true},
		{"Thursday's appointment", "thursdays appointment", AsHeard, true},
		{"monday's appointment is full", "tuesday's appointment is full", AsHeard, false},
		// An amount is not one of other cents, whose digits are the same.
		{"$19.99", "that is $1999", AsHeard, false},
		{"$1999", "that is $19.99", AsHeard, false},
		{"$45.50", "four thousand five hundred fifty dollars", AsHeard, false},
		{"$4,550", "forty five dollars and fifty cents", AsHeard, false},
		{"$19.99", "nineteen ninety nine dollars", AsHeard, true},
		{"$1999", "nineteen ninety nine dollars", AsHeard, true},
		{"$45.50", "it is forty five fifty", AsHeard, true},
		// Nothing need be written before the point.
		{"$.99", "ninety nine cents", AsHeard, true},
		{"$.99", "ninety nine dollars", AsHeard, false},
		{"50 cents", "only $.50", AsHeard, true},
		{".5 mg", "zero point five milligrams", AsHeard, true},
		{".5 mg", "point five milligrams", AsHeard, true},
		{".5 mg", "five milligrams", AsHeard, false},
		{"5 mg", "take .5 mg", AsHeard, false},
		// "Oh" is a zero behind a point as elsewhere.
		{"1.05", "one point oh five", AsHeard, true},
		{"2.0", "version two point oh", AsHeard, true},
		{"5.105", "five point one oh five", AsHeard, true},
		{"5.5", "it is five point five oh and there is more", AsHeard, true},
		// Hyphens and minus signs of typesetters are those of typewriters.
		{"−5", "minus five", AsHeard, true},
		{"5", "−5", AsHeard, false},
		{"2‑3 days", "two to three days", AsHeard, true},
		{"Mon‐Fri", "monday to friday", AsHeard, true},
		{"non‑refundable", "it is nonrefundable", AsHeard, true},
		// "Sat" and "Sun" may be words and are mostly days.
		{"Sat", "on saturday", AsHeard, true},
		{"Saturday", "Sat 9am", AsHeard, true},
		{"Mon-Sat", "monday to saturday", AsHeard, true},
		{"Sat-Sun", "saturday and sunday", AsHeard, true},
		{"open Sat 9 to 5", "open saturday nine to five", AsHeard, true},
		{"open Sat 9 to 5", "open sunday nine to five", AsHeard, false},
		{"Mon-Sat", "monday to sunday", AsHeard, false},
		{"the sun is out", "the sun is out", AsHeard, true},
		// A negation counts without its apostrophe as well.
		{"we accept new patients", "we dont accept new patients", AsHeard, false},
		{"your order has shipped", "your order hasnt shipped", AsHeard, false},
		{"I don't know", "i dont know", Exact, true},
		// A number may begin with a zero and a hundred.
		{"0800 123 456", "call oh eight hundred one two three four five six", AsHeard, true},
		{"$800", "oh eight hundred dollars", AsHeard, true},
		{"$805", "oh eight hundred five dollars", AsHeard, true},
		// Scripts without spaces: the characters must follow one another, however they are parted.
		{"欢迎致电", "您好，欢迎致电我们公司。", AsHeard, true},
		{"欢迎致电", "您好 欢迎 致电 我们 公司", Exact, true},
		{"您好，欢迎致电", "您好欢迎致电", Exact, true},
		{"星期二见", "星期三见", AsHeard, false},
		{"可以退款", "可以不退款", AsHeard, false},
		{"上午9点", "我们上午9点开门", AsHeard, true},
		{"上午9点", "我们上午8点开门", AsHeard, false},
		{"ありがとうございます", "お電話ありがとうございます", AsHeard, true},
		{"コーヒー", "コーヒーをどうぞ", AsHeard, true},
		{"สวัสดี", "สวัสดีครับ", AsHeard, true},
		// A share is the same with zeros at its end.
		{"4.50%", "four point five percent", AsHeard, true},
		{"4.50%", "four and a half percent", AsHeard, true},
		{"4.5%", "four point five zero percent", AsHeard, true},
		{"5.00%", "five percent", AsHeard, true},
		{"4.05%", "four point five percent", AsHeard, false},
		{"version 2.10", "version two point one", AsHeard, false},
		// An hour written with its minutes is one, and no number of things.
		{"10:00", "you have ten visits", AsHeard, false},
		{"9:00 to 17:00", "nine visits to five doctors", AsHeard, false},
		{"10:00", "at ten", AsHeard, true},
		{"10:00", "we have ten or eleven thirty", AsHeard, true},
		{"10:00", "let's make it ten", AsHeard, true},
		{"10 am", "we have ten doctors", AsHeard, false},
		{"10 am", "we are open ten to five", AsHeard, true},
		// A time is no amount.
		{"10:45", "it costs ten forty five dollars", AsHeard, false},
		{"10:45", "it costs $10.45", AsHeard, false},
		{"half past ten", "it is ten dollars thirty", AsHeard, false},
		{"10:45", "ten forty five", AsHeard, true},
		{"10:45", "at 1045", AsHeard, true},
		{"nineteen ninety nine", "nineteen ninety nine dollars", AsHeard, true},
	} {
		if m := Find(Normalise(c.want), Normalise(c.heard), c.tolerance); m.Found != c.found {
			t.Errorf("%q in %q: found %t, want %t (%v in %v)", c.want, c.heard, m.Found, c.found, Normalise(c.want), Normalise(c.heard))
		}
	}
}
