package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/price"
)

// Prices keeps what a workspace pays for its calls.
type Prices interface {
	Prices(ctx context.Context, workspaceID string) (price.Prices, error)
	Set(ctx context.Context, workspaceID string, p price.Prices) error
}

// CallPrices are what a minute of a call costs.
type CallPrices struct {
	Currency string       `json:"currency" doc:"Currency of all prices: three capital letters (ISO 4217)" example:"USD"`
	Trunks   []TrunkPrice `json:"trunks" required:"false" doc:"Price of each trunk. A trunk that is not named is free when it leads to this machine, else its cost is unknown"`
	Rooms    *float64     `json:"rooms_per_minute" required:"false" doc:"Price of a minute in a room, 0 to 1000. null: free at the embedded media server, else unknown"`
	Speech   *float64     `json:"speech_per_minute" required:"false" doc:"Price of speech synthesis and recognition together for a minute of a call, 0 to 1000. null: free when both run on this machine, else unknown"`
	Model    *float64     `json:"model_per_minute" required:"false" doc:"Price of a minute of a call that a language model plays or judges, 0 to 1000. null: free when the model runs on this machine, else unknown"`
}

// TrunkPrice is what a minute on a trunk costs.
type TrunkPrice struct {
	Name          string  `json:"name" doc:"Name of the trunk"`
	PerMinute     float64 `json:"per_minute" doc:"Price of a minute of a call, 0 to 1000" example:"0.013"`
	BilledSeconds *int    `json:"billed_seconds,omitempty" doc:"The duration of a call is rounded up to a multiple of so many seconds, 1 to 60: 60 when each minute that has begun is paid, 1 when each second is. 60 when not given"`
}

// ExperimentCost is what the calls of an experiment cost.
type ExperimentCost struct {
	Currency string   `json:"currency" doc:"Currency of the amounts: three capital letters (ISO 4217)" example:"USD"`
	Amount   *float64 `json:"amount" doc:"The whole cost; null when a price is missing"`
	Line     float64  `json:"line" doc:"The part for the trunk or the rooms"`
	Speech   float64  `json:"speech" doc:"The part for speech synthesis and recognition"`
	Model    float64  `json:"model" doc:"The part for the language model"`
	Missing  []string `json:"missing" doc:"What was used and has no price, such as \"trunk main\" or \"speech\""`
}

type setPricesInput struct{ Body CallPrices }

func (s *server) priceRoutes() {
	if s.Prices == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-prices", Method: http.MethodGet, Path: "/prices", Tags: []string{tagWorkspaces},
		Summary: "Get what a minute of a call costs",
	}, s.getPrices)
	rest.Register(s.Server, huma.Operation{
		OperationID: "set-prices", Method: http.MethodPut, Path: "/prices", Tags: []string{tagWorkspaces},
		Summary:     "Set what a minute of a call costs",
		Description: "They replace the earlier prices. Estimates and the results of experiments are computed from them; an experiment keeps the prices of its start. Nothing is billed.",
	}, s.setPrices)
}

func (s *server) getPrices(ctx context.Context, _ *struct{}) (*rest.Body[CallPrices], error) {
	p, err := s.Prices.Prices(ctx, rest.WorkspaceOf(ctx))
	if err != nil {
		return nil, err
	}
	out := CallPrices{Currency: p.Currency, Trunks: []TrunkPrice{}, Rooms: p.Rooms, Speech: p.Speech, Model: p.Model}
	for _, t := range p.Trunks {
		out.Trunks = append(out.Trunks, TrunkPrice{t.Name, t.PerMinute, &t.BilledSeconds})
	}
	return rest.Answer(out), nil
}

// eachMinute is the step in which the time of calls is billed when nothing is said.
const eachMinute = 60

func (s *server) setPrices(ctx context.Context, in *setPricesInput) (*rest.Body[CallPrices], error) {
	p := price.Prices{Currency: in.Body.Currency, Rooms: in.Body.Rooms, Speech: in.Body.Speech, Model: in.Body.Model}
	for _, t := range in.Body.Trunks {
		step := eachMinute
		if t.BilledSeconds != nil {
			step = *t.BilledSeconds
		}
		p.Trunks = append(p.Trunks, price.Trunk{Name: t.Name, PerMinute: t.PerMinute, BilledSeconds: step})
	}
	if err := s.Prices.Set(ctx, rest.WorkspaceOf(ctx), p); err != nil {
		return nil, err
	}
	return s.getPrices(ctx, nil)
}

func wireCost(c experiment.Cost) ExperimentCost {
	b := c.Low
	out := ExperimentCost{
		Currency: c.Currency, Line: price.Round(b.Line), Speech: price.Round(b.Speech), Model: price.Round(b.Model), Missing: orEmpty(b.Missing),
	}
	if total, known := b.Total(); known {
		out.Amount = &total
	}
	return out
}

// costRange is what calls are likely to cost, nil with the reason when it is not known.
func costRange(c experiment.Cost) (r *CostRange, note string) {
	low, known := c.Low.Total()
	high, _ := c.High.Total()
	if known {
		return &CostRange{Currency: c.Currency, Low: low, High: high}, ""
	}
	note = "No price is set for "
	for i, name := range c.Low.Missing {
		if i > 0 {
			note += ", "
		}
		note += name
	}
	return nil, note + ", so the cost is not known. An admin sets prices in the settings of the workspace."
}
