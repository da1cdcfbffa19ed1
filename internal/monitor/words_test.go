package monitor

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// What a person says to whom the call was transferred is no sentence of the
// agent's.
func TestLastActIsTheAgents(t *testing.T) {
	t.Parallel()
	turns := []call.Turn{{Speaker: call.Agent, Text: "I connect you."}, {Speaker: call.Caller, Text: "Fine."}, {Speaker: call.Agent, By: "transfer_target", Text: "Billing, hello?"}}
	if got := lastAct(turns); got != "i connect you" {
		t.Errorf("the agent's last sentence is %q", got)
	}
}

// What an agent said in its last turn, and what is stored of its last sentence.
func TestLastAct(t *testing.T) {
	for text, want := range map[string]string{
		"Thank you for calling. Goodbye.":                  "goodbye",
		"I connect you to Mr. Jones.":                      "i connect you to mr *",
		"I'm sorry, Sgt. Pepper is busy.":                  "i'm sorry * is busy",
		"Your flight to the U.S. is delayed.":              "your flight to the # is delayed",
		"It takes approx. two hours, is that okay?":        "it takes approx # hours is that okay",
		"hold on. your call is important. please wait":     "please wait",
		"One moment… Checking your booking":                "checking your booking",
		"He said \"Done.\" Booking is complete.":           "booking is complete",
		"(Your call is recorded.) Please state your name.": "please state your name",
		"Your total is $45.50. Is that right? \"Yes?\"":    "yes",
		"See you at 3 p.m. Goodbye, Karen!":                "goodbye *",
		"All set.\n\nIs there anything else?":              "is there anything else",
		"Your code is:\r\n12.\r\nGoodbye,\nMaria":          "goodbye *",
		"…":                           "",
		"Is it the 5th?! Or the 6th?": "or the #",
		"I'd like to confirm Maria's visit, is that right?": "i'd like to confirm * visit is that right",
	} {
		if got := lastAct([]call.Turn{{Speaker: call.Agent, Text: text}, {Speaker: call.Caller, Text: "Bye."}}); got != want {
			t.Errorf("%q\n  became %q\n  not    %q", text, got, want)
		}
	}
}

// Whoever reads a figure by its unit is told every unit that there is, and none that there is not.
func TestTheUnitsOfFiguresAreListed(t *testing.T) {
	t.Parallel()
	var want []string
	for _, f := range figures() {
		if !slices.Contains(want, f.unit) {
			want = append(want, f.unit)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[TrendLine](), reflect.TypeFor[MetricNow](), reflect.TypeFor[Anomaly](), reflect.TypeFor[Breakdown]()} {
		unit, _ := of.FieldByName("Unit")
		if got := strings.Split(unit.Tag.Get("enum"), ","); !slices.Equal(got, want) {
			t.Errorf("%s lists the units %q, want %q", of.Name(), got, want)
		}
	}
}
