package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Event is one step of progress.
type Event struct {
	// ID is its number; give it as EventsFrom.After to go on behind it.
	ID int64 `json:"-"`
	// Kind is "experiment" or "call".
	Kind              string `json:"kind"`
	At                int64  `json:"at"`
	VoiceExperimentID string `json:"voice_experiment_id"`
	CallID            string `json:"call_id"`
	Status            string `json:"status"`
	ScoringStatus     string `json:"scoring_status"`
	Verdict           string `json:"verdict"`
	Detail            string `json:"detail"`
}

// EventsFrom says which events are wanted.
type EventsFrom struct {
	// VoiceExperimentID restricts them to one experiment, "" does not.
	VoiceExperimentID string
	// After begins behind the event of this number; nil begins now, 0 with the oldest that is kept.
	After *int64
}

const streamType = "text/event-stream"

// eventSilence is how long a stream may show no sign of life before it is
// opened anew; the service sends one every 15 seconds.
const eventSilence = time.Minute

// Events follows progress until ctx ends or the loop is left. A stream that
// breaks off is opened again behind the last event. The iteration ends with an
// error only when the service refuses or cannot be reached for several minutes
// (at once WithRetries(0)), and never with ctx's own end.
func (c *Client) Events(ctx context.Context, from EventsFrom) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		last, c := from.After, c.outlasting()
		var waited time.Duration
		for try := 0; ; try++ {
			fresh, goOn, err := c.follow(ctx, from.VoiceExperimentID, &last, yield)
			if !goOn || ctx.Err() != nil {
				return
			}
			if fresh {
				try = 0
			}
			if err == nil { // it did answer
				waited = 0
			}
			if err != nil && !c.triesAgain(ctx, try, waited, err) {
				yield(Event{}, err)
				return
			}
			pause := c.pause(try, err)
			if c.wait(ctx, pause) != nil {
				return
			}
			waited += pause
		}
	}
}

// follow reads one stream. fresh says that something came, goOn that the loop was not left.
func (c *Client) follow(ctx context.Context, experimentID string, last **int64, yield func(Event, error) bool) (fresh, goOn bool, err error) {
	q := url.Values{"live": {"false"}}
	setIf(q, "voice_experiment_id", experimentID)
	if *last != nil {
		q.Set("after", strconv.FormatInt(**last, 10))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := c.send(ctx, request{method: http.MethodGet, path: "/events", query: q, accept: "text/event-stream"})
	if err != nil {
		return false, true, err
	}
	defer resp.Body.Close() //nolint:errcheck // the stream is over
	if kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";"); kind != streamType {
		return false, true, final{fmt.Errorf("the answer of GET /events is %q and no stream of events", kind)}
	}
	silent := time.AfterFunc(eventSilence, cancel)
	defer silent.Stop()
	err = readEvents(resp.Body, func() { silent.Reset(eventSilence) }, func(id int64, e *Event) bool {
		*last = &id
		if e == nil {
			return true
		}
		fresh = true
		return yield(*e, nil)
	})
	switch {
	case errors.Is(err, errLeft):
		return fresh, false, nil
	case errors.As(err, &final{}):
		return fresh, true, err
	}
	return fresh, true, nil // a stream that broke off is opened again
}

var errLeft = errors.New("the loop was left")

// maxEventLine bounds one line of the stream.
const maxEventLine = 1 << 20

// readEvents reads server-sent events until the stream ends or emit returns
// false (errLeft). What cannot be read would not be readable again, and is final. alive is called for every line; emit gets the number that
// was reached, and nil where a message carries nothing but that.
func readEvents(r io.Reader, alive func(), emit func(id int64, e *Event) bool) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxEventLine)
	id, reached := int64(-1), int64(-1)
	var data strings.Builder
	for lines.Scan() {
		alive()
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				id = n
			}
		case "data":
			if data.Len()+len(value) > maxEventLine {
				return final{errors.New("an event is too long")}
			}
			data.WriteString(value)
		case "":
			if lines.Text() != "" {
				continue // a comment
			}
			e, err := eventOf(id, data.String())
			if err != nil {
				return err
			}
			data.Reset()
			if (e != nil || id != reached) && !emit(id, e) {
				return errLeft
			}
			reached = id
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return final{lines.Err()}
	}
	return lines.Err()
}

// eventOf decodes a message; one without data is nil.
func eventOf(id int64, data string) (*Event, error) {
	if data == "" {
		return nil, nil //nolint:nilnil // there is nothing and nothing is wrong
	}
	e := &Event{}
	if err := json.Unmarshal([]byte(data), e); err != nil {
		return nil, final{fmt.Errorf("an event is not JSON: %w", err)}
	}
	e.ID = id
	return e, nil
}
