package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// Trunks tells which ways there are into the telephone network.
type Trunks interface {
	// ListTrunks gives the default first; with ask each is asked whether it is there.
	ListTrunks(ctx context.Context, ask bool) []experiment.TrunkState
}

// Trunk is a way into the telephone network, without where it leads and what opens it.
type Trunk struct {
	Name            string   `json:"name" doc:"What agents and runs call it by"`
	Default         bool     `json:"default" doc:"true: calls go over it when nobody names another"`
	FromNumber      *string  `json:"from_number" doc:"The number that calls come from"`
	CallsPerSecond  *float64 `json:"calls_per_second" doc:"Calls that may begin in a second, over all processes; null when there is no limit"`
	ConcurrentCalls *int     `json:"concurrent_calls" doc:"Calls that there may be at a time; null when there is no limit"`
	Answers         *bool    `json:"answers" doc:"Whether it answered when it was asked; null without check"`
}

// TrunkList is all trunks.
type TrunkList struct {
	Data []Trunk `json:"data" doc:"The default first"`
}

type trunksInput struct {
	Check bool `query:"check" doc:"true asks each trunk whether it answers, which takes up to five seconds; an answer is kept for 15 seconds"`
}

func (s *server) trunkRoutes() {
	if s.Trunks == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-trunks", Method: http.MethodGet, Path: "/trunks", Tags: []string{tagRuns},
		Summary:     "List the trunks",
		Description: "Trunks are configured where the service is started (--trunk) and are the same for all its workspaces. Their addresses and credentials are not shown.",
	}, s.listTrunks)
}

func (s *server) listTrunks(ctx context.Context, in *trunksInput) (*rest.Body[TrunkList], error) {
	list := TrunkList{Data: []Trunk{}}
	for i, t := range s.Trunks.ListTrunks(ctx, in.Check) {
		out := Trunk{Name: t.Name, Default: i == 0, FromNumber: rest.OrNull(t.From), Answers: t.Answers}
		if t.CallsPerSecond > 0 {
			out.CallsPerSecond = &t.CallsPerSecond
		}
		if t.ConcurrentCalls > 0 {
			out.ConcurrentCalls = &t.ConcurrentCalls
		}
		list.Data = append(list.Data, out)
	}
	return rest.Answer(list), nil
}
