package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// CallFilter narrows a list of calls; zero fields do not narrow.
type CallFilter struct {
	Origin, AgentID, VoiceExperimentID, DatasetItemID, Status, ScoringStatus, Verdict, EndReason, Blame, Sentiment string
	// Search is the beginning of a call's id or of its platform's id for it, or digits of a number.
	Search string
	// Upset is "true", "false" or "".
	Upset string
	// From and Until bound when a call took place (it started, or was created when
	// it never started), in milliseconds since 1970: From <= that time < Until.
	From, Until int64
	// LeftEarly narrows to answered calls whose caller left before the goal, as DropOff
	// counts them; LeftTurns ("3", "60+"), LeftSeconds ("10-15", "3600+") and LeftStage to
	// one place of it, LeftWords to numbers of its last acts.
	LeftEarly                         bool
	LeftTurns, LeftSeconds, LeftStage string
	LeftWords                         []int
	// Failing narrows to failing calls, as Failures counts them: of one group with its
	// FailureGroup.Numbers in FailingAlike.
	Failing      bool
	FailingAlike []int
	// Dimension ("agent_version", "prompt", "model" or "metadata.KEY") and Value narrow
	// to the calls with one value of a dimension; they go together.
	Dimension, Value string
	// Metadata must all be there with these values.
	Metadata map[string]string
}

// Calls lists calls of any origin by when they took place, newest first.
func (c *Client) Calls(ctx context.Context, f CallFilter, p PageOptions) (Page[Call], error) {
	q := p.query()
	for name, value := range map[string]string{
		"origin": f.Origin, "agent_id": f.AgentID, "voice_experiment_id": f.VoiceExperimentID, "status": f.Status,
		"scoring_status": f.ScoringStatus, "verdict": f.Verdict, "end_reason": f.EndReason,
		"sentiment": f.Sentiment, "upset": f.Upset, "dataset_item_id": f.DatasetItemID, "blame": f.Blame, "search": f.Search,
		"left_turns": f.LeftTurns, "left_seconds": f.LeftSeconds, "left_stage": f.LeftStage, "dimension": f.Dimension, "value": f.Value,
	} {
		setIf(q, name, value)
	}
	for name, at := range map[string]int64{"from": f.From, "until": f.Until} {
		if at != 0 {
			q.Set(name, strconv.FormatInt(at, 10))
		}
	}
	for name, only := range map[string]bool{"left_early": f.LeftEarly, "failing": f.Failing} {
		if only {
			q.Set(name, "true")
		}
	}
	setIf(q, "left_words", listOf(f.LeftWords))
	setIf(q, "failing_alike", listOf(f.FailingAlike))
	for name, value := range f.Metadata {
		q.Set("metadata."+name, value)
	}
	var out Page[Call]
	err := c.get(ctx, "/calls", q, &out)
	return out, err
}

// listOf writes numbers with commas between.
func listOf(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// Call is one call with everything known about it.
func (c *Client) Call(ctx context.Context, id string) (Call, error) {
	var out Call
	err := c.get(ctx, callPath(id), nil, &out)
	return out, err
}

// Peaks is the outline of a recording. Caller and Agent hold the lowest and
// the highest sample of each of N stretches in turn, -1 to 1.
type Peaks struct {
	CallID     string    `json:"call_id"`
	Rate       int       `json:"rate"`
	Samples    int64     `json:"samples"`
	DurationMS int64     `json:"duration_ms"`
	FromMS     int64     `json:"from_ms"`
	UntilMS    int64     `json:"until_ms"`
	N          int       `json:"n"`
	Caller     []float64 `json:"caller"`
	Agent      []float64 `json:"agent"`
}

// Peaks is the outline of a call's recording with at most n peaks per channel (1 to 4000).
func (c *Client) Peaks(ctx context.Context, id string, n int) (Peaks, error) {
	var out Peaks
	err := c.get(ctx, callPath(id)+"/peaks", url.Values{"n": {strconv.Itoa(n)}}, &out)
	return out, err
}

// RecordingRange opens length bytes of the recording from offset, fewer where it ends before;
// length -1 means to the end. No bytes, and those before the first one, cannot be asked for.
func (c *Client) RecordingRange(ctx context.Context, callID string, offset, length int64) (*Recording, error) {
	if offset < 0 || length == 0 || length < -1 {
		return nil, &Error{Code: "invalid_fields", Message: fmt.Sprintf("there is no range of %d bytes from %d", length, offset), Hint: "nothing was sent"}
	}
	asked := fmt.Sprintf("bytes=%d-", offset)
	if length >= 0 {
		asked = fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)
	}
	resp, err := c.send(ctx, request{ //nolint:bodyclose // whoever reads the recording closes it
		method: http.MethodGet, path: callPath(callID) + "/recording", accept: "audio/*, */*;q=0.1",
		header: http.Header{"Range": {asked}}, safe: true,
	})
	if err != nil {
		return nil, err
	}
	if whole := offset == 0 && length < 0; resp.StatusCode != http.StatusPartialContent && !whole {
		resp.Body.Close() //nolint:errcheck,gosec // it is not what was asked for
		return nil, fmt.Errorf("recording of %s: what answers gives the whole recording, and no part of it", callID)
	}
	return &Recording{ReadCloser: resp.Body, Type: resp.Header.Get("Content-Type"), Bytes: resp.ContentLength}, nil
}

func callPath(id string) string { return "/calls/" + url.PathEscape(id) }

// PeaksOf asks for a part of a recording's outline: n stretches from one ms to
// another; until 0 is the end.
func (c *Client) PeaksOf(ctx context.Context, id string, n int, from, until int64) (Peaks, error) {
	q := url.Values{"n": {strconv.Itoa(n)}}
	for name, at := range map[string]int64{"from_ms": from, "until_ms": until} {
		if at != 0 {
			q.Set(name, strconv.FormatInt(at, 10))
		}
	}
	var out Peaks
	err := c.get(ctx, callPath(id)+"/peaks", q, &out)
	return out, err
}
