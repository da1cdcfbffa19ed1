package emotion

import (
	"math"
	"testing"
)

// Answers agree and disagree without much feeling; other feelings in them stay.
func TestAgreeingIsLittleFeeling(t *testing.T) {
	t.Parallel()
	for text, much := range map[string]bool{
		"I am, yes.": false, "yes I agree": false, "I think so, yes": false, "no I don't think so": false,
		"yes I love it": true, "I am so happy, yes": true, "no, that's horrible": true, "no it makes me angry": true,
	} {
		f := model(t).Feel(Input{Turns: turns("hello there", ">And do you work there?", text)})
		if got := of(t, f, 2); (math.Abs(got.Valence) > 0.5) != much {
			t.Errorf("%q has the valence %.2f, much %v", text, got.Valence, much)
		}
	}
}
