package emotion

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

func turns(texts ...string) []call.Turn {
	var out []call.Turn
	for i, text := range texts {
		t := call.Turn{Index: i, Speaker: call.Caller, Text: text}
		if text[0] == '>' {
			t.Speaker, t.Text = call.Agent, text[1:]
		}
		out = append(out, t)
	}
	return out
}

// theModel is loaded once for all tests.
var theModel = sync.OnceValues(New)

func model(t testing.TB) *Model {
	t.Helper()
	m, err := theModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// of returns the feeling of the caller's turn with the given index.
func of(t *testing.T, f call.Feeling, at int) call.TurnFeeling {
	t.Helper()
	for _, x := range f.Turns {
		if x.Turn == at {
			return x
		}
	}
	t.Fatalf("turn %d was not judged", at)
	return call.TurnFeeling{}
}

func TestSignsInWords(t *testing.T) {
	t.Parallel()
	m := model(t)
	for text, want := range map[string]string{
		"I already told you my number":                  "told_before",
		"how many times do I have to say it":            "told_before",
		"can I speak to a real person please":           "wants_person",
		"put me through to your supervisor":             "wants_person",
		"you are not listening to me":                   "not_understood",
		"that's not what I asked for":                   "not_understood",
		"No, I said Tuesday.":                           "corrects",
		"no that's wrong":                               "corrects",
		"forget it":                                     "asks_to_stop",
		"stop calling me":                               "asks_to_stop",
		"this f***ing thing":                            "sharp_words",
		"thank you very much":                           "thanks",
		"thanks for nothing":                            "sharp_words",
		"I'd like to book a table for two":              "",
		"no thanks":                                     "",
		"could you tell me where the nearest branch is": "",
		"I told my wife about it":                       "",
		"yes that is correct":                           "",
		"that's right":                                  "",
		"I am not stupid":                               "",
		"the agent at the desk was nice":                "",
		"oh I'm such an idiot":                          "",
		"that's a bloody brilliant idea":                "",
		"no thank you I just want the code":             "",
		"because of you we missed it":                   "blames",
		"I'll see you in court":                         "threatens",
		"nobody called me back":                         "let_down",
		"I'm still waiting":                             "let_down",
		"I can't stop crying":                           "distressed",
		"I'm at my wits' end":                           "distressed",
		"the baby won't stop crying":                    "",
		"my car broke down on Friday":                   "",
		"oh I felt so stupid, it was in my pocket":      "",
		"every time I come it's lovely":                 "",
		"it's insane how good it is":                    "",
		"you are an absolute idiot":                     "sharp_words",
	} {
		var got []string
		for _, s := range of(t, m.Feel(Input{Turns: turns(text)}), 0).Signs {
			got = append(got, string(s))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	m := model(t)
	const first, again = "I need to move my appointment to Friday", "I want to move the appointment to Friday"
	for name, c := range map[string]struct {
		turns []call.Turn
		at    int
		want  bool
	}{
		"unasked":                   {turns(">How can I help?", first, ">We have a new app.", again), 3, true},
		"the first request is fair": {turns(">How can I help?", first, ">Sorry, could you repeat that?", again), 3, false},
		"the second is not":         {turns(">Hello", first, ">Sorry, could you repeat that?", again, ">I didn't catch that.", again), 5, true},
		"digits and their names":    {turns(">Your number?", "5 5 1 9 0", ">And the name?", "five five one nine zero"), 3, true},
		"something else":            {turns(">How can I help?", first, ">Which day?", "Friday at nine if possible"), 3, false},
	} {
		has := false
		for _, s := range of(t, m.Feel(Input{Turns: c.turns}), c.at).Signs {
			has = has || s == call.SignRepeats
		}
		if has != c.want {
			t.Errorf("%s: %v", name, has)
		}
	}
}

// timed gives the turns times of two seconds each, one after the other.
func timed(ts []call.Turn) []call.Turn {
	for i := range ts {
		ts[i].Start, ts[i].End = time.Duration(2*i)*time.Second, time.Duration(2*i+2)*time.Second
	}
	return ts
}

func has(f call.TurnFeeling, s call.Sign) bool {
	return slices.Contains(f.Signs, s)
}

func TestSignsInTimes(t *testing.T) {
	t.Parallel()
	m := model(t)
	base := func() []call.Turn {
		return timed(turns(">We are open from nine.", "but what about Sunday", ">From nine on weekdays and", "I asked about Sunday hours", ">On weekdays"))
	}
	hung := Input{Turns: base(), Timed: true, End: call.EndOf(call.EndCallerHungUp, ""), Length: 10 * time.Second}
	if !has(of(t, m.Feel(hung), 3), call.SignHangsUp) {
		t.Error("hanging up on the agent's words was not seen")
	}
	hung.Length = 12 * time.Second
	if has(of(t, m.Feel(hung), 3), call.SignHangsUp) {
		t.Error("the agent had ended two seconds before")
	}
	broken := Input{Turns: turns(">Hello", "I only want to know the"), End: call.EndOf(call.EndCallerHungUp, "")}
	if !has(of(t, m.Feel(broken), 1), call.SignHangsUp) {
		t.Error("hanging up in mid-sentence was not seen")
	}
	over := Input{Turns: base(), Timed: true}
	over.Turns[1].Start -= 800 * time.Millisecond
	if has(of(t, m.Feel(over), 1), call.SignInterrupts) {
		t.Error("one interruption is no sign")
	}
	over.Turns[3].Start -= 800 * time.Millisecond
	if f := m.Feel(over); !has(of(t, f, 1), call.SignInterrupts) || !has(of(t, f, 3), call.SignInterrupts) {
		t.Error("two interruptions were not seen")
	}
	over.Timed = false
	if has(of(t, m.Feel(over), 3), call.SignInterrupts) {
		t.Error("without times nothing can be known of interruptions")
	}
	still := Input{Turns: base(), Timed: true}
	for i := 3; i < 5; i++ {
		still.Turns[i].Start += 9 * time.Second
		still.Turns[i].End += 9 * time.Second
	}
	if !has(of(t, m.Feel(still), 3), call.SignLongSilence) {
		t.Error("nine seconds of silence were not seen")
	}
}

func TestThanksDoNotMendAnUpsetCall(t *testing.T) {
	t.Parallel()
	ts := turns(">How can I help?", "I need to cancel my order", ">Your order number?", "I already told you my number",
		">Please say your order number", "this is ridiculous let me speak to a human", ">Goodbye", "thank you bye")
	f := model(t).Feel(Input{Turns: ts})
	if !f.Upset || f.UpsetTurn != 5 || f.Sentiment == call.Positive {
		t.Errorf("upset %v at %d, %s (%s)", f.Upset, f.UpsetTurn, f.Sentiment, f.Reason)
	}
	if x := of(t, f, 7); x.Sentiment != call.Neutral || x.Frustration > 0.1 {
		t.Errorf("a courtesy is %s with frustration %g", x.Sentiment, x.Frustration)
	}
	calm := model(t).Feel(Input{Turns: turns(">How can I help?", "I'd like to book a table for two", ">When?", "tonight at eight please", ">Done.", "okay thanks bye")})
	if calm.Upset || calm.UpsetTurn != -1 || calm.Sentiment == call.Negative || calm.Frustration > 0.25 {
		t.Errorf("upset %v, %s, %g", calm.Upset, calm.Sentiment, calm.Frustration)
	}
}

func TestFeelAbstains(t *testing.T) {
	t.Parallel()
	m := model(t)
	for name, ts := range map[string][]call.Turn{
		"nothing": nil, "the agent alone": turns(">Hello?", ">Is anybody there?"), "blanks": {{Speaker: call.Caller, Text: "  "}}, "marks": {{Speaker: call.Caller, Text: "..."}}, "a sound": turns("[inaudible]", "[background noise]"),
	} {
		f := m.Feel(Input{Turns: ts})
		if len(f.Engines) != 0 || len(f.Turns) != 0 || f.Sentiment != "" || f.Upset || f.UpsetTurn != -1 || f.Reason == "" || f.Change != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// What the result rests on is told in a sentence, whether the caller spoke once or more often.
func TestWhatTheResultRestsOnIsCounted(t *testing.T) {
	t.Parallel()
	for told, texts := range map[string][]string{
		"in 1 turn came": {"Hello, I would like to book a table."}, "in 2 turns came": {"Hello, I would like to book a table.", ">How many people?", "For four, on Friday."},
	} {
		if f := model(t).Feel(Input{Turns: turns(texts...)}); !strings.Contains(f.Reason, told) {
			t.Errorf("%q is not in %q", told, f.Reason)
		}
	}
}

func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	m := model(t)
	for text, english := range map[string]bool{
		"Guten Tag, ich möchte bitte meinen Termin am Freitag verschieben": false,
		"hola necesito cambiar mi cita para el viernes por favor":          false,
		"bonjour je voudrais changer mon rendez-vous de vendredi":          false,
		"здравствуйте я хочу перенести запись":                             false,
		"金曜日の予約を変更したいです":                                                   false,
		"oui merci": false,
		"dzień dobry nie działa mi internet od tygodnia i nikt nie odbiera telefonu":    false,
		"merhaba faturam yanlış geldi ve kimse bana yardım etmiyor çok sinirliyim":      false,
		"mera paisa wapas karo main bahut pareshan hoon aap log kuch nahi karte":        false,
		"xin chào tôi muốn đổi lịch hẹn sang thứ sáu":                                   false,
		"it's Kowalczyk from Szczecin, K O W A L C Z Y K, and the policy is in my name": true,
		"hi quiero cambiar my flight porque it was cancelled thank you muchas gracias":  true,
		"Hello, I would like to move my appointment to Friday":                          true,
		"table for two":                 true,
		"Friday":                        true,
		"four five seven one nine zero": true,
		"San Jose California":           true,
		"uh my name is José Martínez de la Cruz and I live on El Camino Real": true,
	} {
		f := m.Feel(Input{Turns: turns(text)})
		_, read := f.Engines["words"]
		if read != english {
			t.Errorf("%q: words were read: %v", text, read)
		}
		if _, ok := f.Engines["behaviour"]; !ok {
			t.Errorf("%q: behaviour was not judged", text)
		}
		if !read && (f.Sentiment != "" || f.Turns[0].Sentiment != "" || !strings.Contains(f.Reason, "not English")) {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

// The agent's words about feelings are not the caller's: sympathy and apologies
// add nothing to a calm caller's frustration, a refusal does.
func TestSympathyIsNoRefusal(t *testing.T) {
	t.Parallel()
	m := model(t)
	const calm = "I noticed the smoke and unplugged the charger"
	alone := of(t, m.Feel(Input{Turns: turns(">Go on", calm)}), 1).Frustration
	for said, adds := range map[string]bool{
		"I'm so sorry for the frustration":                        false,
		"I'm sorry to hear that, how upsetting and annoying":      false,
		"I apologize for the terrible experience":                 false,
		"I am sorry about that, you must be furious":              false,
		"I'm sorry, that is not possible":                         true,
		"I'm sorry but we have no record of that":                 true,
		"I apologise, our office is closed and I cannot help you": true,
	} {
		got := of(t, m.Feel(Input{Turns: turns(">"+said, calm)}), 1).Frustration
		if adds != (got > alone) || !adds && got != alone {
			t.Errorf("%q: %.3f, %.3f without", said, got, alone)
		}
	}
}

// An agent that repeats itself only adds frustration to callers who show some,
// and a log that only has the starts of turns shows no silence.
func TestPatientCallerStaysPatient(t *testing.T) {
	t.Parallel()
	const loop = ">I am so sorry for the wait, that must be very annoying and upsetting for you today"
	ts := turns(loop, "I'd like a table for two", loop, "tomorrow at seven", loop, "the name is Jones", loop, "that is all")
	for i := range ts {
		ts[i].Start = time.Duration(i) * 10 * time.Second
		ts[i].End = ts[i].Start
	}
	f := model(t).Feel(Input{Turns: ts, Timed: true})
	if f.Upset || f.Frustration > 0.2 || f.Sentiment == call.Negative {
		t.Errorf("%+v", f)
	}
	for _, x := range f.Turns {
		if has(x, call.SignLongSilence) {
			t.Errorf("turn %d: a silence without an end before it", x.Turn)
		}
	}
}

func TestChangeIsLastThirdMinusFirst(t *testing.T) {
	t.Parallel()
	m := model(t)
	up := turns("this is terrible I hate it", "my number is four five", "oh wonderful I love it that is great")
	f := m.Feel(Input{Turns: up})
	if f.Change == nil || *f.Change < 0.8 || f.Worst > -0.4 {
		t.Errorf("change %v, worst %g", f.Change, f.Worst)
	}
	if f := m.Feel(Input{Turns: up[:2]}); f.Change != nil {
		t.Error("two turns have no thirds")
	}
}

func FuzzFeel(f *testing.F) {
	f.Add("hello\n>hi\nI already told you\n>what?\nrepresentative", int64(1000), uint8(3), true)
	f.Add("\n\n>\n\x00", int64(-5), uint8(0), false)
	m := model(f)
	f.Fuzz(func(t *testing.T, text string, step int64, end uint8, timed bool) {
		var ts []call.Turn
		for i, line := range strings.Split(text, "\n") {
			x := call.Turn{Index: i, Speaker: call.Caller, Text: line, Start: time.Duration(int64(i) * step), End: time.Duration(int64(i+1) * step)}
			if rest, ok := strings.CutPrefix(line, ">"); ok {
				x.Speaker, x.Text = call.Agent, rest
			}
			ts = append(ts, x)
		}
		codes := []call.EndCode{call.EndCallerHungUp, call.EndCompleted, call.EndUnknown, ""}
		sound := audio.Clip{PCM: make([]int16, int(end)*100), Rate: int(step % 20000)}
		for i := range sound.PCM {
			sound.PCM[i] = int16(i * int(step))
		}
		got := m.Feel(Input{Turns: ts, Timed: timed, Caller: sound, End: call.EndOf(codes[int(end)%4], ""), Length: time.Duration(step)})
		in := func(v, from, to float64) {
			if !(v >= from && v <= to) {
				t.Fatalf("%g is not within %g and %g", v, from, to)
			}
		}
		in(got.Valence, -1, 1)
		in(got.Worst, -1, 1)
		in(got.Frustration, 0, 1)
		if got.Upset != (got.UpsetTurn >= 0) || got.Reason == "" {
			t.Fatalf("%+v", got)
		}
		for _, x := range got.Turns {
			in(x.Valence, -1, 1)
			in(x.Frustration, 0, 1)
			if x.Arousal != nil {
				in(*x.Arousal, -1, 1)
			}
		}
	})
}
