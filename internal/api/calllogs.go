package api

import (
	"bytes"
	"context"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// CallLogs takes in records of finished calls.
type CallLogs interface {
	// Accept stores the record durably. It may keep body.
	Accept(ctx context.Context, workspaceID string, body []byte) (calllog.Accepted, error)
}

// CallLogAccepted is the answer to a call log.
type CallLogAccepted struct {
	ID        string  `json:"id" doc:"The call it became or belongs to" example:"call_01k0000000000000000000000"`
	Status    string  `json:"status" enum:"accepted"`
	AgentID   *string `json:"agent_id" doc:"The agent it is linked to; null when there is none"`
	Duplicate bool    `json:"duplicate" doc:"true when this call was submitted before"`
}

type callLogInput struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

func (s *server) callLogRoutes() {
	if s.CallLogs == nil {
		return
	}
	op := huma.Operation{
		OperationID: "submit-call-log", Method: http.MethodPost, Path: "/v2/call-logs", Tags: []string{"Call logs"},
		Summary:       "Submit a call log",
		Description:   "Takes in the record of a finished call. The answer leaves when the record is on disk. The record of a test call that carries metadata.ringtrue_call, or fits one by numbers and time, joins that call.",
		DefaultStatus: http.StatusAccepted, SkipValidateBody: true, MaxBodyBytes: s.MaxImport + 1,
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{}},
	}
	register(s, op, s.submitCallLog)
	// The body is read by hand, so its description is written by hand too.
	op.RequestBody.Content["application/json"] = &huma.MediaType{Schema: callLogSchema(s.api.OpenAPI().Components.Schemas.Map())}
}

func (s *server) submitCallLog(ctx context.Context, in *callLogInput) (*body[CallLogAccepted], error) {
	if in.ContentType != "" {
		if kind, _, err := mime.ParseMediaType(in.ContentType); err != nil || kind != "application/json" {
			return nil, problem.New(problem.UnsupportedType, "the body's media type is not supported").
				WithHint("send Content-Type: application/json")
		}
	}
	// The library takes its buffer back after the answer; what is kept must be our own.
	a, err := s.CallLogs.Accept(ctx, workspaceOf(ctx), bytes.Clone(in.RawBody))
	if err != nil {
		return nil, err
	}
	return &body[CallLogAccepted]{CallLogAccepted{ID: a.ID, Status: a.Status, AgentID: a.AgentID, Duplicate: a.Duplicate}}, nil
}
