package monitor

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// UpsetCallers are the calls with upset callers.
type UpsetCallers struct {
	About
	Mood Mood        `json:"mood" doc:"How the callers of all calls in the window felt"`
	Data []UpsetCall `json:"data" doc:"Calls with an upset caller, the latest first"`
	// NextCursor is null on the last page.
	NextCursor *string `json:"next_cursor" doc:"Give it as cursor to get the next page; null when there is none"`
}

// UpsetCall is a call with an upset caller, and where that shows.
type UpsetCall struct {
	CallID      string   `json:"call_id" doc:"Id of the call"`
	AgentID     *string  `json:"agent_id" doc:"The agent of the call; null when it is linked to none"`
	At          int64    `json:"at" doc:"When the call began, milliseconds since 1970"`
	EndReason   string   `json:"end_reason" enum:"completed,transferred,caller_hung_up,agent_hung_up,max_duration,silence,busy,no_answer,declined,voicemail,agent_never_joined,unreachable,media_lost,codec_mismatch,agent_error,configuration,provider_error,platform_error,interrupted,ringtrue_error,unknown" doc:"End reason code of the call"`
	Turn        int      `json:"turn" doc:"Index of the turn that shows best that the caller was upset"`
	Quote       string   `json:"quote" doc:"The caller's words in that turn, 240 bytes at most; empty when they must not be kept"`
	Valence     *float64 `json:"valence" doc:"Mean valence of the call, -1 (unpleasant) to 1 (pleasant); null when the caller's words could not be read, as those that are not English"`
	Frustration float64  `json:"frustration" doc:"How frustrated the caller was, 0 to 1"`
}

// Upset returns the calls with upset callers, limit per page.
func (s *Service) Upset(ctx context.Context, workspaceID string, q Query, limit int, cursor string) (UpsetCallers, error) {
	at, callID, err := readCursor(cursor)
	if err != nil {
		return UpsetCallers{}, err
	}
	return ask(ctx, s, workspaceID, q, maxDayWindow, func(tx Tx, p span) (UpsetCallers, error) {
		b, err := p.bucket(ctx, tx, p.Series, bucket.CountsAlone)
		if err != nil {
			return UpsetCallers{}, err
		}
		q := UpsetQuery{Origin: p.origin, Agent: p.agent, From: p.from, Until: p.until, Before: at, BeforeCall: callID, Limit: limit + 1}
		if p.Dim != DimAgent {
			q.Dim, q.Value = p.Dim, p.Value
		}
		facts, err := tx.UpsetFacts(ctx, workspaceID, q)
		if err != nil {
			return UpsetCallers{}, err
		}
		out := UpsetCallers{About: p.about(), Mood: moodOf(&b.Counts), Data: []UpsetCall{}}
		out.list(facts, limit)
		return out, nil
	})
}

// list adds facts up to the limit; a further one means that there is another page.
func (out *UpsetCallers) list(facts []Fact, limit int) {
	for i := range facts[:min(len(facts), limit)] {
		out.Data = append(out.Data, upsetCallOf(&facts[i]))
	}
	if len(facts) > limit && limit > 0 {
		last := &facts[limit-1]
		out.NextCursor = cursorAfter(last.At, last.CallID)
	}
}

func upsetCallOf(f *Fact) UpsetCall {
	out := UpsetCall{
		CallID: f.CallID, At: millis(f.At), EndReason: string(f.End), Turn: f.UpsetTurn, Quote: f.Quote, Frustration: f.Frustration,
	}
	if f.Sentiment != "" {
		out.Valence = &f.Valence
	}
	if f.AgentID != "" {
		out.AgentID = &f.AgentID
	}
	return out
}

func cursorAfter(at time.Time, callID string) *string {
	text := strconv.FormatInt(at.UnixMicro(), 36) + "." + callID
	return &text
}

func readCursor(text string) (at time.Time, callID string, err error) {
	if text == "" {
		return at, "", nil
	}
	when, callID, ok := strings.Cut(text, ".")
	n, parse := strconv.ParseInt(when, 36, 64)
	if !ok || parse != nil || n <= 0 || !page.IsID("call", callID) {
		return at, "", problem.Invalid(problem.Field{Path: "cursor", Message: "is not the next_cursor of a page"})
	}
	return time.UnixMicro(n).UTC(), callID, nil
}
