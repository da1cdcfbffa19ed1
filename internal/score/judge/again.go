package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/score"
)

// digest identifies a question: who is asked, how the answer is read, what is asked, and the times
// of the turns, which become those of the evidence.
func (j judge) digest(messages []chat.Message, in *score.Input) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%d\n", j.model.Name(), score.MarkOf(score.Config{Kind: score.KindJudge}).Version)
	for _, m := range messages {
		fmt.Fprintf(sum, "%q\n", m.Content)
	}
	for _, t := range in.Heard.Turns {
		fmt.Fprintf(sum, "%d %d\n", t.Start, t.End)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// answered returns the score that the model gave when it was asked the same before. Asking again
// costs money, and when the endpoint is away just then, a verdict would be lost for nothing.
func (j judge) answered(earlier []call.Score, asked string) (call.Score, bool) {
	for _, e := range earlier {
		if e.Asked == asked {
			s := j.mark.Score(e.Verdict, e.Reason, e.Evidence...)
			s.Value, s.Unit, s.Asked = e.Value, e.Unit, asked
			return s, true
		}
	}
	return call.Score{}, false
}
