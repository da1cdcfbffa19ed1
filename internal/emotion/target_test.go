package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A sharp word counts against the agent only if it is directed at it.
func TestSharpWordsOfOthers(t *testing.T) {
	t.Parallel()
	m := model(t)
	for text, want := range map[string]bool{
		"you are useless":                                      true,
		"i think you are an idiot":                             true,
		"your driver was an idiot":                             true,
		"this is useless":                                      true,
		"he was home all day and you said it is pathetic":      true,
		"i am calling because you idiots lost my parcel":       true,
		"i locked the keys in the car like an idiot":           false,
		"silly me stupid old woman that i am":                  false,
		"my neighbour is a moron he blocks my drive":           false,
		"some idiot hit my car in the car park":                false,
		"that man from the other company said you are thieves": false,
		"give me a stupid amount of cheese":                    false,
		"i've got stupid amounts of luggage":                   false,
	} {
		f := m.Feel(Input{Turns: turns(">how can i help", text, ">one moment", "my name is jones")})
		sharp := false
		for _, s := range of(t, f, 1).Signs {
			sharp = sharp || s == call.SignSharpWords
		}
		if sharp != want {
			t.Errorf("%q: sharp %v", text, sharp)
		}
		if !want && f.Upset {
			t.Errorf("%q makes the call upset: %s", text, f.Reason)
		}
	}
}
