package emotion

import (
	"testing"

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

func TestFeel(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, ts := range [][]call.Turn{
		turns(">Hello how can I help", "I'd like to book a table for two", ">For when?", "tonight at eight please", ">Done", "okay thanks bye"),
		turns(">Hello how can I help", "I need to cancel my order", ">Your order number?", "I already told you my number", ">Please say your order number", "this is ridiculous let me speak to a human", ">ok", "thank you bye"),
	} {
		f := m.Feel(Input{Turns: ts})
		for _, x := range f.Turns {
			t.Logf("%q %.2f %s %.2f %v %v", ts[x.Turn].Text, x.Valence, x.Sentiment, x.Frustration, x.Signs, x.Emotions)
		}
		t.Logf("%+v", f)
	}
}
