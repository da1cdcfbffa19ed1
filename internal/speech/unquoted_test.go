package speech

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// TestWhatEndpointsQuoteIsLeftOut makes endpoints quote the request in their refusal: no error may
// contain the quoted words or a part of the key.
func TestWhatEndpointsQuoteIsLeftOut(t *testing.T) {
	t.Parallel()
	const said = "My card's number is 4929 1234, Ann Lee."
	for name, says := range map[string]string{
		"as it was said": `{"error":{"message":"cannot use: My card's number is 4929 1234, Ann Lee. Sorry"}}`,
		"as it was sent": `{"detail":[{"loc":["body"],"input":{"input":"My card's number is 4929 1234, Ann Lee.","voice":"x"}}]}`,
		"in capitals":    `MY CARD'S NUMBER IS 4929 1234, ANN LEE is too much`,
		"with the key":   strings.Repeat("-", 290) + testKey,
	} {
		e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, says)
		})
		_, spoken := e.Mouth().Say(t.Context(), scenario.Persona{}, "en", said)
		_, thought := e.Model().Complete(t.Context(), chat.Request{Messages: []chat.Message{{Role: chat.System, Content: "Be brief."}, {Role: chat.User, Content: said}}}, nil)
		for _, err := range []error{spoken, thought} {
			told := strings.ToLower(fmt.Sprint(err))
			if err == nil || strings.Contains(told, "4929") || strings.Contains(told, "lee") || strings.Contains(told, testKey[:8]) {
				t.Errorf("%s: got %q", name, told)
			}
		}
	}
}

// TestUnquoted checks that the endpoint's own words remain.
func TestUnquoted(t *testing.T) {
	t.Parallel()
	asked := []string{"You are a person making a telephone call.", "Yes.", "What does the model cost?"}
	for text, want := range map[string]string{
		"The model `x-1` does not exist":         "The model `x-1` does not exist",
		"property 'seed' is unsupported":         "property 'seed' is unsupported",
		`you said "Yes." to it`:                  `you said "` + quotation + `." to it`,
		"bad: what does the model cost? and Yes": "bad: " + quotation + "? and " + quotation,
		"cost? You are a person, you know":       "cost? " + quotation + ", you know",
		"":                                       "",
	} {
		if got := unquoted(text, asked); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
