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
	Name            string   `json:"name" doc:"Name by which agents and runs refer to it"`
	Default         bool     `json:"default" doc:"true: calls use this trunk when none is named"`
	FromNumber      *string  `json:"from_number" doc:"Number that calls come from; null when none is configured"`
	CallsPerSecond  *float64 `json:"calls_per_second" doc:"How many calls may begin per second, over all processes together; null when there is no limit"`
	ConcurrentCalls *int     `json:"concurrent_calls" doc:"How many calls may go on at a time, over all processes together; null when there is no limit"`
	Answers         *bool    `json:"answers" doc:"Whether the trunk answered just now; null unless check=true was given"`
}

// TrunkList is all trunks.
type TrunkList struct {
	Data []Trunk `json:"data" doc:"The default first"`
}

type trunksInput struct {
	Check bool `query:"check" doc:"true: ask each trunk whether it answers. This takes up to five seconds; an answer is kept for 15 seconds"`
}

func (s *server) trunkRoutes() {
	if s.Trunks == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-trunks", Method: http.MethodGet, Path: "/trunks", Tags: []string{tagRuns},
		Summary:     "List the trunks",
		Description: "Trunks are configured when the service is started (--trunk) and are the same for all workspaces. Their addresses and credentials are not shown.",
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
