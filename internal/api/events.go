package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/live"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Events gives the progress of a workspace's experiments, in order (a *store.Store).
type Events interface {
	// EventsAfter are the events with a higher number than seq, lowest first.
	EventsAfter(ctx context.Context, workspaceID string, seq int64, limit int) ([]store.Event, error)
	// LastEventSeq is the number of the workspace's newest event, 0 when there is none.
	LastEventSeq(ctx context.Context, workspaceID string) (int64, error)
}

// EventData is what one message of the stream carries.
type EventData struct {
	Kind              string `json:"kind" enum:"experiment,call" doc:"What took a step, an experiment or a call; also the event name of the message"`
	At                int64  `json:"at" doc:"When it happened, milliseconds since 1970"`
	VoiceExperimentID string `json:"voice_experiment_id" doc:"The experiment, also of a call"`
	CallID            string `json:"call_id,omitempty" doc:"The call; left out for a step of an experiment"`
	Status            string `json:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED,QUEUED,DIALING,IN_PROGRESS,ENDED" doc:"The new status of the experiment or call"`
	ScoringStatus     string `json:"scoring_status,omitempty" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED" doc:"How far the review of the call is; left out for a step of an experiment"`
	Verdict           string `json:"verdict,omitempty" enum:"passed,failed,void,not_evaluated" doc:"The verdict, once there is one; left out before"`
	Detail            string `json:"detail,omitempty" doc:"More about the step: why an experiment ended as it did, how a call ended, or what a call waits for; left out when there is nothing more"`
}

type eventsInput struct {
	LastEventID       string `header:"Last-Event-ID" maxLength:"20" doc:"Id of the last message received: the stream goes on after it. Without it the stream begins now"`
	After             string `query:"after" maxLength:"20" doc:"The same as Last-Event-ID, for clients that cannot set a header; 0 begins with the oldest event that is kept (events are kept for an hour)"`
	VoiceExperimentID string `query:"voice_experiment_id" maxLength:"128" doc:"Only events of this Voice Experiment"`
	Live              string `query:"live" enum:"true,false" default:"true" doc:"false: leave out the live messages of running calls"`
}

const (
	// eventBatch is how many events are read at once.
	eventBatch = 200
	// streamWrite is how long a client may take to accept one write.
	streamWrite = 10 * time.Second
	// streamRetry is the Retry-After while too many streams are open.
	streamRetry = 5 * time.Second
)

func (s *server) eventRoutes() {
	if s.Events == nil {
		return
	}
	schemas := s.API.OpenAPI().Components.Schemas
	schema := &huma.Schema{OneOf: []*huma.Schema{schemas.Schema(typeOf[EventData](), true, "EventData"), schemas.Schema(typeOf[LiveCall](), true, "LiveCall")}}
	rest.Register(s.Server, huma.Operation{
		OperationID: "stream-events", Method: http.MethodGet, Path: "/events", Tags: []string{"Events"},
		Summary: "Follow progress as server-sent events",
		Description: "Each message has a number as its id, the kind as its event name and one EventData as its data. Comment lines show that the stream is alive. " +
			"Messages named live have no number and one LiveCall as their data: what a call on the line of this very process does, at most twice a second. They are not stored: a message that is missed is not sent again.",
		Responses: map[string]*huma.Response{"200": {
			Description: "A stream that stays open.",
			Content:     map[string]*huma.MediaType{rest.StreamType: {Schema: schema}},
		}},
	}, s.streamEvents)
}

func (s *server) streamEvents(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	workspaceID := rest.WorkspaceOf(ctx)
	from, path := in.LastEventID, "header.Last-Event-ID"
	if from == "" {
		from, path = in.After, "query.after"
	}
	var after int64
	var err error
	if from == "" {
		after = math.MaxInt64
	} else if after, err = strconv.ParseInt(from, 10, 64); err != nil || after < 0 {
		return nil, problem.Invalid(problem.Field{Path: path, Message: "must be the number of an event"})
	}
	last, err := s.Events.LastEventSeq(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	// A client may know a number that is yet to come: the database is another one now,
	// or an older copy of it. It would hear nothing until the numbers have caught up.
	after = min(after, last)
	f := follower{s: s, workspaceID: workspaceID, experimentID: in.VoiceExperimentID, after: after, live: in.Live != "false"}
	return &huma.StreamResponse{Body: f.stream}, nil
}

// openStreams counts the event streams of every workspace that has any.
type openStreams struct {
	mu   sync.Mutex
	open map[string]int
}

// take counts one more stream, and returns false when the workspace has as many as it may.
func (o *openStreams) take(workspaceID string, most int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open[workspaceID] >= most {
		return false
	}
	if o.open == nil {
		o.open = map[string]int{}
	}
	o.open[workspaceID]++
	return true
}

// give counts a stream as closed.
func (o *openStreams) give(workspaceID string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open[workspaceID]--; o.open[workspaceID] == 0 {
		delete(o.open, workspaceID)
	}
}

// follower sends one client what happens in its workspace.
type follower struct {
	s            *server
	workspaceID  string
	experimentID string
	after        int64
	live         bool
	// stillMay reports whether the client may go on watching.
	stillMay func() bool
	w        http.ResponseWriter
	out      *http.ResponseController
}

// stream runs until the client goes away, stops reading or may watch no more, or the server shuts down.
func (f *follower) stream(hc huma.Context) {
	r, under := humago.Unwrap(hc)
	if !f.s.streams.take(f.workspaceID, f.s.MaxStreams) {
		e := problem.New(problem.RateLimited, "too many event streams of this workspace are open")
		e.RetryAfter = streamRetry
		f.s.Refuse(under, r, e)
		return
	}
	defer f.s.streams.give(f.workspaceID)
	hc.SetHeader("Content-Type", rest.StreamType)
	hc.SetHeader("Cache-Control", "no-store")
	hc.SetHeader("X-Accel-Buffering", "no")
	hc.SetStatus(http.StatusOK)
	w, ok := hc.BodyWriter().(http.ResponseWriter)
	if !ok || hc.Method() == http.MethodHead { // who asks for the head alone does not want to wait
		return
	}
	f.w, f.out = w, http.NewResponseController(w)
	f.stillMay = func() bool { return f.s.mayFollow(r, f.workspaceID) }
	defer func() { _ = f.out.SetWriteDeadline(time.Time{}) }() // the connection may serve other requests
	var calls <-chan live.Message
	if f.live {
		watcher := f.s.Live.Watch(f.workspaceID)
		defer watcher.Close()
		calls = watcher.Messages()
	}
	// The number comes first, so that a client that breaks off before the first
	// event misses nothing either.
	if f.send([]byte("retry: 2000\nid: "+strconv.FormatInt(f.after, 10)+"\n\n")) == nil {
		f.follow(hc.Context(), calls)
	}
}

// follow sends stored events whenever it is time to look for them, and what running calls do as it
// happens.
func (f *follower) follow(ctx context.Context, calls <-chan live.Message) {
	poll, beat, recheck := time.NewTicker(f.s.Poll), time.NewTicker(f.s.Heartbeat), time.NewTicker(f.s.Recheck)
	defer poll.Stop()
	defer beat.Stop()
	defer recheck.Stop()
	err := f.forward(ctx)
	for err == nil {
		select {
		case <-ctx.Done():
			return
		case <-f.s.Done:
			return
		case <-recheck.C:
			if !f.stillMay() {
				return
			}
		case <-beat.C:
			err = f.send([]byte(": alive\n\n"))
		case m := <-calls:
			err = f.tell(m, calls)
		case <-poll.C:
			err = f.forward(ctx)
		}
	}
}

// mayFollow reports whether the request of an open stream would still be let in to the workspace.
// Its key may have been revoked since, its session may have ended or moved to another workspace, or
// its person may have been removed. A stream that was checked only when it began would go on for
// days.
func (s *server) mayFollow(r *http.Request, workspaceID string) bool {
	id, err := s.Identify(r)
	if err != nil { // while the database is away nobody can say
		return !problem.Is(err, problem.Unauthenticated)
	}
	return id.WorkspaceID == workspaceID
}

// tell sends what running calls did: the message, and those that wait behind it.
func (f *follower) tell(m live.Message, more <-chan live.Message) error {
	var text bytes.Buffer
	for {
		if f.experimentID == "" || f.experimentID == m.ExperimentID {
			writeLive(&text, m)
		}
		select {
		case m = <-more:
			continue
		default:
		}
		break
	}
	if text.Len() == 0 {
		return nil
	}
	return f.send(text.Bytes())
}

// forward sends everything that is new.
func (f *follower) forward(ctx context.Context) error {
	for {
		events, err := f.s.Events.EventsAfter(ctx, f.workspaceID, f.after, eventBatch)
		if problem.Is(err, problem.Unavailable) && ctx.Err() == nil {
			// The stream stays open and goes on where it was once the database is back.
			f.s.Log.WarnContext(ctx, "event stream waits", "request_id", rest.RequestIDOf(ctx), "error", err)
			return nil
		}
		if err != nil {
			if ctx.Err() == nil {
				f.s.Log.ErrorContext(ctx, "event stream broke off", "request_id", rest.RequestIDOf(ctx), "error", err)
			}
			return err
		}
		var text bytes.Buffer
		for _, e := range events {
			f.after = e.Seq
			if f.experimentID == "" || f.experimentID == e.Progress.ExperimentID {
				writeEvent(&text, e)
			}
		}
		if text.Len() > 0 {
			if err := f.send(text.Bytes()); err != nil {
				return err
			}
		}
		if len(events) < eventBatch {
			return nil
		}
	}
}

func writeEvent(text *bytes.Buffer, e store.Event) {
	p := e.Progress
	data, err := json.Marshal(EventData{
		Kind: p.Kind, At: rest.Moment(e.At), VoiceExperimentID: p.ExperimentID, CallID: p.CallID,
		Status: p.Status, ScoringStatus: p.ScoringStatus, Verdict: p.Verdict, Detail: p.Detail,
	})
	if err != nil {
		return // EventData holds nothing that cannot be written
	}
	text.WriteString("id: " + strconv.FormatInt(e.Seq, 10) + "\nevent: " + p.Kind + "\ndata: ")
	text.Write(data)
	text.WriteString("\n\n")
}

// send writes and flushes. It gives up on a client that does not read.
func (f *follower) send(text []byte) error {
	if err := f.out.SetWriteDeadline(f.s.Steady().Add(streamWrite)); err != nil && !isUnsupported(err) {
		return err
	}
	if _, err := f.w.Write(text); err != nil {
		return err
	}
	return f.out.Flush()
}

func isUnsupported(err error) bool { return errors.Is(err, http.ErrNotSupported) }
