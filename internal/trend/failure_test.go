package trend

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

func failing(words string) Failure {
	return Failure{End: call.EndCallerHungUp, Blame: call.BlameCaller, Scorer: "outcome", Words: words}
}

func counted(n int64, words string) Counted { return Counted{Shape: ShapeOf(failing(words)), Count: n} }

func TestShapeHidesWhatBelongsToOneCall(t *testing.T) {
	for words, want := range map[string]string{
		"Your order 4711-22 is late, Mr. Miller.":                                       "your order # is late mr *",
		"Please hold for Mr. J. Miller or Prof. Anna Okonkwo.":                          "please hold for mr * or *",
		"You chose plan B. Shall I go on":                                               "you chose plan # shall i go on",
		"So your name is Agnieszka, is that right?":                                     "so your name is * is that right",
		"I've booked two seats for Friday at eight thirty.":                             "i've booked # seats for # at #",
		"I'll write to jane.doe@example.com about it":                                   "i'll write to @ about it",
		"I'll write to john dot doe at gmail dot com about it":                          "i'll write to @ about it",
		"Your email is maria underscore lopez 22 at yahoo dot co dot uk, correct?":      "your email is @ correct",
		"it is J O H N at mail dash server dot com and www dot acme dot org slash help": "it is @ and @",
		"so john doe 7 at gmail dot com":                                                "so john @",
		"Is it jane at example dot com or jane@example.com?":                            "is it @ or @",
		"visit acmeplumbing.com or acme.co.uk/help.":                                    "visit @ or @",
		"We are open 24/7 as of 03/04/2026, yes and/or no":                              "we are open # as of # yes and or no",
		"put a dot in the box at the dot":                                               "put a dot in the box at the dot",
		"meet me at dot com":                                                            "meet me @",
		"Maria, are you still there?":                                                   "* are you still there",
		"Great. Li, Wei's card was declined":                                            "great * card was declined",
		"Unfortunately, we are closed. However, you can call. Okay, bye. Sorry, no.":    "unfortunately we are closed however you can call okay bye sorry no",
		"Really, Tomorrow, Three, I, Well, yes":                                         "really # i well yes",
		"thank you mister okonkwo so your name's agnieszka right":                       "thank you mister * so your name's * right",
		"MARIA, ARE YOU THERE?":                                                         "maria are you there",
		"Thank you, Karen, goodbye!":                                                    "thank you * goodbye",
		"THAT IS B as in boy, 5 5 5, 0 1 9 9":                                           "that is # as in boy #",
		"WE COULD NOT FIND YOUR BOOKING 44, DR SMITH":                                   "we could not find your booking # dr *",
		"Please Hold The Line. Your Call Is Important To Us.":                           "please hold the line your call is important to us",
		"Welcome to The Home Depot, is that OK, Karen?":                                 "welcome to the * is that ok *",
		"it costs £49.99":                                                               "it costs #",
		"":                                                                              "",
		strings.Repeat("very ", 100) + "long indeed":                                    strings.TrimSpace(strings.Repeat("very ", 22)) + " long indeed",
		"könnten Sie das bitte wiederholen":                                             "könnten * das bitte wiederholen",
		"one moment please twenty-five people are ahead of you 1.":                      "# moment please # people are ahead of you #",
	} {
		if got := ShapeOf(failing(words)).Words; got != want {
			t.Errorf("%q\n  became %q\n  not    %q", words, got, want)
		}
	}
}

func TestKeyForgetsOrderNumberAndNames(t *testing.T) {
	a := ShapeOf(failing("I'm sorry, I could not find booking 1234 for Mr. Smith."))
	b := ShapeOf(failing("Sorry I could not find the bookings 77 88 for Mrs Okonkwo"))
	if a.Key != b.Key {
		t.Errorf("%q and %q have different keys", a.Words, b.Words)
	}
	for _, f := range []Failure{
		{End: call.EndSilence, Blame: call.BlameCaller, Scorer: "outcome", Words: a.Words},
		{End: call.EndCallerHungUp, Blame: call.BlameAgent, Scorer: "outcome", Words: a.Words},
		{End: call.EndCallerHungUp, Blame: call.BlameCaller, Scorer: "tools", Words: a.Words},
		failing("Could I have your date of birth?"),
	} {
		if ShapeOf(f).Key == a.Key {
			t.Errorf("%+v has the same key", f)
		}
	}
	if len(a.Key) != 16 || a.Key != ShapeOf(failing("sorry, I could not find booking 9 for Mr Smith")).Key {
		t.Error("keys are not what they were")
	}
}

func TestNearlyTheSameWordsAreOneGroup(t *testing.T) {
	shapes := []Counted{
		counted(40, "I'm sorry, I could not find your booking. Could you repeat the number?"),
		counted(12, "Sorry, I couldn't find your booking, can you repeat that number please?"),
		counted(9, "I am sorry but I could not find a booking. Please repeat the booking number."),
		counted(30, "Could I have your date of birth?"),
		counted(4, "May I have your date of birth please, Mr. Jones?"),
		counted(7, "All our colleagues are busy at the moment, please hold the line."),
		{Shape: ShapeOf(Failure{End: call.EndSilence, Scorer: "outcome", Words: "Could I have your date of birth?"}), Count: 3},
	}
	want := []int64{61, 34, 7, 3}
	distinct := map[string]bool{}
	for _, s := range shapes {
		distinct[s.Key] = true
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var first []Group
	for range 20 {
		rng.Shuffle(len(shapes), func(i, j int) { shapes[i], shapes[j] = shapes[j], shapes[i] })
		groups := GroupAlike(shapes)
		var counts []int64
		keys := 0
		for _, g := range groups {
			counts = append(counts, g.Count)
			keys += len(g.Keys)
		}
		if !slices.Equal(counts, want) {
			t.Fatalf("groups of %v calls, want %v: %+v", counts, want, groups)
		}
		if keys != len(distinct) {
			t.Fatalf("%d keys in all, want %d", keys, len(distinct))
		}
		if first == nil {
			first = groups
		} else if !reflect.DeepEqual(first, groups) {
			t.Fatal("the order of the shapes changes the groups")
		}
	}
	// Splitting the counts in two does not change the groups.
	halves := GroupAlike(append(slices.Clone(shapes), shapes...))
	if halves[0].Count != 122 || len(halves[0].Keys) != len(first[0].Keys) {
		t.Errorf("counted twice: %+v", halves[0])
	}
}

// Last sentences that callers and operators would not consider the same.
func TestOtherSentencesStayApart(t *testing.T) {
	for _, texts := range [][]string{
		{"Your booking is confirmed.", "Your booking is not confirmed."},
		{"I can help you with that.", "I can't help you with that.", "I want to know what brings you here"},
		{"There are appointments available.", "There are no appointments available."},
		{"your payment went through", "your payment didnt go through"},
		{"We are able to change your flight today.", "We are unable to change your flight today."},
		{"You will be charged.", "You will never be charged."},
		{"WE COULD NOT FIND YOUR BOOKING", "WE ARE OPEN ON SUNDAY", "PLEASE HOLD THE LINE"},
		{"Please Hold The Line", "Your Card Was Declined"},
		{"Is that right?", "Are you there?", "How are you?", "Is it you, Karen?", "", "Yes.", "555-0123"},
	} {
		if groups := GroupAlike(each(texts)); len(groups) != len(texts) {
			t.Errorf("%q came to %d groups", texts, len(groups))
		}
	}
}

// Last sentences with other names and numbers, or in slightly different words.
func TestTheSameSentencesFallTogether(t *testing.T) {
	for _, texts := range [][]string{
		{"I couldn't find your booking", "I could not find your booking", "I couldnt find your booking", "I was unable to find your booking", "I cannot find your booking"},
		{"WE COULD NOT FIND YOUR BOOKING", "We could not find your booking.", "we could not find your booking"},
		{"Please Hold The Line While I Connect You", "Please hold the line while I connect you."},
		{"I will send it to john dot doe at gmail dot com", "I will send it to a@b.com"},
		{"Your appointment is on 03/04/2026.", "Your appointment is on March 4th."},
		{"Is your number 555-0123?", "Is your number five five five oh one two three?"},
		{"Maria, are you still there?", "Are you still there, Peter?", "Are you still there?"},
		{"I'm connecting you to Karen.", "I'm connecting you to Dr. J. Smith."},
		{"Your order 5 arrives Friday", "Your orders arrive on the second of May"},
	} {
		if groups := GroupAlike(each(texts)); len(groups) != 1 {
			t.Errorf("%q came to %d groups", texts, len(groups))
		}
	}
}

// Masked words are left as they are: keys are also computed from stored, masked sentences.
func TestMaskedWordsStayAsTheyAre(t *testing.T) {
	for _, words := range []string{"So your name is Agnieszka, is that right?", "Please hold for Mr. Jones, transferring you now", "I'll write to jane@example.com at ten", "It's 5."} {
		once := ShapeOf(failing(words))
		if twice := ShapeOf(failing(once.Words)); twice != once {
			t.Errorf("%+v came to %+v", once, twice)
		}
	}
}

// each returns every sentence once, the first as the most frequent.
func each(texts []string) (out []Counted) {
	for i, text := range texts {
		out = append(out, counted(int64(len(texts)-i), text))
	}
	return out
}

func FuzzShape(f *testing.F) {
	f.Add("My name is O'Neill-Smith, twenty-one, +49 30 1234 //@", "x")
	f.Add("\xff\xfe é ’’ ..", "")
	f.Fuzz(func(t *testing.T, words, scorer string) {
		s := ShapeOf(Failure{Words: words, Scorer: scorer})
		if strings.ContainsAny(s.Words, "0123456789") {
			t.Fatalf("%q keeps a number: %q", words, s.Words)
		}
		if n := len(strings.Fields(s.Words)); n > lastWords {
			t.Fatalf("%d words kept", n)
		}
		if g := GroupAlike([]Counted{{s, 1}, {s, 2}}); len(g) != 1 || g[0].Count != 3 {
			t.Fatalf("one shape came to %+v", g)
		}
	})
}

// Sentences of the same words of meaning, each as frequent as the other, are shown by the same one
// whatever order they are read in.
func TestTheSentenceOfAGroupIsTheSameInAnyOrder(t *testing.T) {
	a := Counted{ShapeOf(Failure{Words: "do you want a refund"}), 3}
	b := Counted{ShapeOf(Failure{Words: "do you want the refund"}), 3}
	one, other := GroupAlike([]Counted{a, b}), GroupAlike([]Counted{b, a})
	if a.Key != b.Key || len(one) != 1 || one[0].Words != other[0].Words {
		t.Errorf("%q in one order, and %q in the other", one[0].Words, other[0].Words)
	}
}
