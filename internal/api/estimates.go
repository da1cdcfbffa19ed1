package api

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// RunEstimate is what a test run is likely to take and cost.
type RunEstimate struct {
	Calls            int        `json:"calls" doc:"How many calls the run makes"`
	Minutes          LikelySpan `json:"minutes" doc:"Answered minutes of all calls together"`
	SecondsUntilDone LikelySpan `json:"seconds_until_done" doc:"Seconds from the start until the last call is scored"`
	Cost             *CostRange `json:"cost" doc:"What the calls cost; null when a price is missing, as the notes say"`
	Notes            []string   `json:"notes" doc:"What the estimate rests on, in sentences"`
}

// LikelySpan is the range in which the true value is likely to lie.
type LikelySpan struct {
	Low  float64 `json:"low" doc:"Lower end of the likely range"`
	High float64 `json:"high" doc:"Upper end of the likely range"`
}

// CostRange is a span of money.
type CostRange struct {
	Currency string  `json:"currency" doc:"Currency of the amounts: three capital letters (ISO 4217)" example:"USD"`
	Low      float64 `json:"low" doc:"Lower end of the likely range"`
	High     float64 `json:"high" doc:"Upper end of the likely range"`
}

type estimateInput struct {
	AgentID string `path:"agent_id" maxLength:"128" doc:"Id of the agent to test"`
	Body    RunRequest
}

func (s *server) estimateRoute() {
	rest.Register(s.Server, huma.Operation{
		OperationID: "estimate-run", Method: http.MethodPost, Path: "/voice-agent/{agent_id}/estimate", Tags: []string{tagRuns},
		Summary:     "Estimate how long a test run takes and what it costs",
		Description: "Takes the same body as a run and refuses the same mistakes, but starts nothing, and does not check whether the trunk and the speech engines answer.",
	}, s.estimate)
}

func (s *server) estimate(ctx context.Context, in *estimateInput) (*rest.Body[RunEstimate], error) {
	e, err := s.Results.Estimate(ctx, rest.WorkspaceOf(ctx), in.Body.start(in.AgentID))
	if err != nil {
		return nil, err
	}
	cost, note := costRange(e.Cost)
	if note != "" {
		e.Notes = append(e.Notes, note)
	}
	return rest.Answer(RunEstimate{
		Calls: e.Calls, Minutes: spanOf(e.Talk, time.Minute, 10), SecondsUntilDone: spanOf(e.Until, time.Second, 1),
		Cost: cost, Notes: e.Notes,
	}), nil
}

// spanOf is a span in units, rounded to that many parts of one.
func spanOf(s experiment.Span, unit time.Duration, parts float64) LikelySpan {
	in := func(d time.Duration) float64 { return math.Round(float64(d)/float64(unit)*parts) / parts }
	return LikelySpan{Low: in(s.Low), High: in(s.High)}
}
