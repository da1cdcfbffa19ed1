package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"mime"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// CallLogs takes in records of finished calls and shows what they tell.
type CallLogs interface {
	// Accept stores the record durably. It does not keep body.
	Accept(ctx context.Context, workspaceID string, body []byte) (calllog.Accepted, error)
	// Again is the answer to a request that repeats its idempotency key.
	Again(ctx context.Context, workspaceID, callID string) (calllog.Accepted, error)
	// Log returns what the records of the call tell.
	Log(ctx context.Context, workspaceID, callID string) (calllog.Log, error)
	// Amend adds metadata and outcome to a call that was submitted.
	Amend(ctx context.Context, workspaceID, callID string, m calllog.Amendment) (calllog.Log, error)
}

// CallLogAccepted is the answer to a call log.
type CallLogAccepted struct {
	ID        string  `json:"id" doc:"The call it became or belongs to" example:"call_01k0000000000000000000000"`
	Status    string  `json:"status" enum:"accepted"`
	AgentID   *string `json:"agent_id" doc:"The agent it is linked to; null when there is none"`
	Duplicate bool    `json:"duplicate" doc:"true when this call was submitted before"`
}

type callLogInput struct {
	rest.CreateHeader
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

const (
	tagCallLogs  = "Call logs"
	callLogsPath = "/v2/call-logs"
)

func (s *server) callLogRoutes() {
	if s.CallLogs == nil {
		return
	}
	op := huma.Operation{
		OperationID: "submit-call-log", Method: http.MethodPost, Path: callLogsPath, Tags: []string{tagCallLogs},
		Summary: "Submit a call log",
		Description: "Stores the record of a finished production call; the call is then reviewed. When the answer comes, the record is on disk. The same call may be submitted many times, " +
			"for each event of its platform and in any order: the records are merged, and a record that is already stored changes nothing. " +
			"A record with metadata.ringtrue_call, or with the numbers and time of a test call, is the agent's own record of that test call and joins it.",
		DefaultStatus: http.StatusAccepted, SkipValidateBody: true, MaxBodyBytes: s.MaxCallLog + 1,
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{}},
		Middlewares: huma.Middlewares{s.limited},
		Responses: map[string]*huma.Response{
			"429": {Description: "This key submits too many call logs; try again after the seconds in Retry-After."},
			"503": {Description: "More call logs arrive than can be stored, or the database does not answer. Nothing was stored; try again after the seconds in Retry-After."},
		},
	}
	rest.Register(s.Server, op, s.submitCallLog)
	// The body is read by hand, so its description is written by hand too.
	op.RequestBody.Content["application/json"] = &huma.MediaType{Schema: callLogSchema(s.API.OpenAPI().Components.Schemas.Map())}
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-call-log", Method: http.MethodGet, Path: callLogsPath + "/{id}", Tags: []string{tagCallLogs},
		Summary: "Get what the records of a call say", Description: "All submissions of the call taken together, in whatever order they came.",
	}, s.getCallLog)
	rest.Register(s.Server, huma.Operation{
		OperationID: "amend-call-log", Method: http.MethodPatch, Path: callLogsPath + "/{id}", Tags: []string{tagCallLogs},
		Summary:     "Add metadata and outcome to a call later",
		Description: "Metadata is merged key by key; null removes a key. The call is then reviewed again.",
	}, s.amendCallLog)
}

// limited turns away a key or a person that submits too fast, before its body is read.
func (s *server) limited(ctx huma.Context, next func(huma.Context)) {
	who, _ := rest.IdentityOf(ctx.Context()).Who()
	wait := s.callLogRate.take(who, s.Steady())
	if wait <= 0 {
		next(ctx)
		return
	}
	ctx.SetHeader("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	_ = huma.WriteErr(s.API, ctx, http.StatusTooManyRequests, "") // fails when the client has gone
}

func (s *server) submitCallLog(ctx context.Context, in *callLogInput) (*rest.Body[CallLogAccepted], error) {
	if in.ContentType != "" && in.ContentType != "application/json" {
		if kind, _, err := mime.ParseMediaType(in.ContentType); err != nil || kind != "application/json" {
			return nil, problem.New(problem.UnsupportedType, "the body's media type is not supported").
				WithHint("send Content-Type: application/json")
		}
	}
	var request string
	if in.IdempotencyKey != "" {
		sum := sha256.Sum256(in.RawBody)
		request = hex.EncodeToString(sum[:])
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "submit-call-log", From: request},
		func(ctx context.Context) (*rest.Body[CallLogAccepted], error) {
			return wireAccepted(s.CallLogs.Accept(ctx, rest.WorkspaceOf(ctx), in.RawBody))
		},
		func(m store.Remembered) (*rest.Body[CallLogAccepted], error) {
			return wireAccepted(s.CallLogs.Again(ctx, rest.WorkspaceOf(ctx), m.ID))
		})
}

func wireAccepted(a calllog.Accepted, err error) (*rest.Body[CallLogAccepted], error) {
	if err != nil {
		return nil, err
	}
	return rest.Answer(CallLogAccepted{ID: a.ID, Status: a.Status, AgentID: a.AgentID, Duplicate: a.Duplicate}), nil
}

// CallLogPath names a call that was submitted.
type CallLogPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the call, as the answer to its submission gave it"`
}

type amendCallLogInput struct {
	CallLogPath
	Body CallLogChange
}

// CallLogChange is what a client adds to a call later.
type CallLogChange struct {
	Metadata plainFields `json:"metadata,omitempty" doc:"Keys to add or to change; null removes a key"`
	Outcome  *string     `json:"outcome,omitempty" minLength:"1" maxLength:"256" doc:"Outcome of the call, in a word of your own; 256 bytes at most" example:"appointment_booked"`
}

// plainFields are fields of a client's own, whose numbers stay as they were written: an id of
// another system may have more digits than a float64 holds.
type plainFields map[string]any

// UnmarshalJSON implements json.Unmarshaler.
func (f *plainFields) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode((*map[string]any)(f))
}

func (s *server) getCallLog(ctx context.Context, in *CallLogPath) (*rest.Body[CallLogRecord], error) {
	l, err := s.CallLogs.Log(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return s.answerCallLog(ctx, l)
}

func (s *server) amendCallLog(ctx context.Context, in *amendCallLogInput) (*rest.Body[CallLogRecord], error) {
	m := calllog.Amendment{Metadata: in.Body.Metadata, Outcome: orZero(in.Body.Outcome)}
	l, err := s.CallLogs.Amend(ctx, rest.WorkspaceOf(ctx), in.ID, m)
	if err != nil {
		return nil, err
	}
	return s.answerCallLog(ctx, l)
}

// answerCallLog shows a call log with what lists show of the call's review. The verdict is in the
// call's own row, the caller's feeling in the review alone.
func (s *server) answerCallLog(ctx context.Context, l calllog.Log) (*rest.Body[CallLogRecord], error) {
	out := s.wireCallLog(l)
	if s.Calls == nil {
		return rest.Answer(out), nil
	}
	full, err := s.Calls.Call(ctx, rest.WorkspaceOf(ctx), l.Call.ID)
	if err != nil {
		return nil, err
	}
	if full.Review != nil {
		out.glance(glanceAt(full.Review))
	}
	return rest.Answer(out), nil
}
