package judge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// maxAnswerBytes limits the length of an answer.
const maxAnswerBytes = 256 << 10

// finding is the model's answer to one assertion.
type finding struct {
	Number  whole  `json:"number"`
	Verdict string `json:"verdict"`
	Turn    *whole `json:"turn"`
	Quote   string `json:"quote"`
	Why     string `json:"why"`
}

// whole is a whole number, which models sometimes write in quotes or with decimals.
type whole int

// UnmarshalJSON implements json.Unmarshaler.
func (w *whole) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(data), `" `), 32)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt16 {
		return errors.New("it is not a whole number")
	}
	*w = whole(f)
	return nil
}

// readAnswer returns one finding per assertion, in order. An assertion that the model left out gets
// an empty finding. Unknown or repeated numbers make the answer unusable.
func readAnswer(text string, assertions int) ([]finding, error) {
	if len(text) > maxAnswerBytes {
		return nil, errors.New("it is too long")
	}
	list, found := findings(text)
	if !found {
		return nil, errors.New("it is not the JSON that was asked for")
	}
	out := make([]finding, assertions)
	seen := map[whole]bool{}
	for _, f := range list {
		if f.Number < 1 || int(f.Number) > assertions || seen[f.Number] {
			return nil, fmt.Errorf("it names assertion %d, which does not exist or was already answered", f.Number)
		}
		seen[f.Number] = true
		out[f.Number-1] = f
	}
	if len(seen) == 0 {
		return nil, errors.New("it judges none of the assertions")
	}
	return out, nil
}

// maxTries limits at how many positions of an answer JSON is looked for.
const maxTries = 50

// findings extracts the findings from an answer, which may have a code fence or explanations, or be
// just the list. If there are two such lists, neither counts: one may be quoted from the call.
func findings(text string) (list []finding, found bool) {
	for range maxTries {
		begin := strings.IndexAny(text, "{[")
		if begin < 0 {
			break
		}
		text = text[begin:]
		var a struct {
			Assertions []finding `json:"assertions"`
		}
		into := any(&a)
		if text[0] == '[' {
			into = &a.Assertions
		}
		d := json.NewDecoder(strings.NewReader(text))
		if d.Decode(into) != nil {
			text = text[1:]
			continue
		}
		found, text = true, text[d.InputOffset():]
		if len(a.Assertions) > 0 && len(list) > 0 {
			return nil, false
		}
		list = append(list, a.Assertions...)
	}
	return list, found
}

// checked turns a finding into a verdict. It refuses a finding whose quote nobody said, because the
// model made it up, and one whose quote is a word that is in every call.
func (f finding) checked(h *call.Heard) (e *call.Evidence, v call.Verdict, why string) {
	switch word := strings.ToLower(strings.TrimSpace(f.Verdict)); word {
	case "holds":
		v = call.Passed
	case "fails":
		v = call.NotPassed
	case "":
		return nil, call.NotEvaluated, "the model did not judge it"
	case "unclear":
		return nil, call.NotEvaluated, cmp.Or(sentence(f.Why), "the model could not decide")
	default:
		return nil, call.NotEvaluated, fmt.Sprintf("the model answered %q, which is not one of the verdicts it may give", short(word, 40))
	}
	if words := phrase.Normalise(f.Quote); len(words) == 1 && words[0].Kind == phrase.Word && phrase.Light(words[0].Text) {
		return nil, call.NotEvaluated, fmt.Sprintf("the model quoted only %q, a word that shows nothing, so its answer was rejected", words[0].Text)
	}
	turn := -1
	if f.Turn != nil {
		turn = int(*f.Turn)
	}
	if turn < -1 {
		return nil, call.NotEvaluated, "the model named a turn that does not exist"
	}
	found, ok := score.Quote(h, turn, f.Quote)
	if !ok {
		// The right words with a wrong turn number still count.
		found, ok = score.Quote(h, -1, f.Quote)
	}
	if !ok {
		return nil, call.NotEvaluated, "the model quoted words that nobody said in the call, so its answer was rejected"
	}
	return &found, v, cmp.Or(sentence(f.Why), "the model gave no reason")
}

// sentence returns the model's reason without its full stop, shortened to about 300 bytes.
func sentence(s string) string {
	return short(strings.TrimRight(strings.Join(strings.Fields(s), " "), ". "), 300)
}
