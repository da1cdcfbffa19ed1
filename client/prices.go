package client

import (
	"context"
	"net/url"
)

// Prices are what a minute of a call costs a workspace. nil is a price that nobody
// has set; what runs on the service's own machine is free then, and the cost of
// anything else not known.
type Prices struct {
	// Currency is of ISO 4217 ("EUR").
	Currency string       `json:"currency"`
	Trunks   []TrunkPrice `json:"trunks,omitempty"`
	Rooms    *float64     `json:"rooms_per_minute,omitempty"`
	Speech   *float64     `json:"speech_per_minute,omitempty"`
	Model    *float64     `json:"model_per_minute,omitempty"`
}

// TrunkPrice is what a minute on a trunk costs. Calls are rounded up to steps of
// BilledSeconds; nil is 60.
type TrunkPrice struct {
	Name          string  `json:"name"`
	PerMinute     float64 `json:"per_minute"`
	BilledSeconds *int    `json:"billed_seconds,omitempty"`
}

// Cost is what the calls of an experiment cost; Amount is nil when a price is missing.
type Cost struct {
	Currency string   `json:"currency"`
	Amount   *float64 `json:"amount"`
	Line     float64  `json:"line"`
	Speech   float64  `json:"speech"`
	Model    float64  `json:"model"`
	Missing  []string `json:"missing"`
}

// CostRange is what a run is likely to cost.
type CostRange struct {
	Currency string  `json:"currency"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// Prices are those of the workspace.
func (c *Client) Prices(ctx context.Context) (Prices, error) {
	var out Prices
	err := c.get(ctx, "/prices", nil, &out)
	return out, err
}

// SetPrices puts prices in the place of those that were.
func (c *Client) SetPrices(ctx context.Context, p Prices) (Prices, error) {
	var out Prices
	err := c.put(ctx, "/prices", p, &out)
	return out, err
}

// Trunk is a way into the telephone network. Answers is nil when it was not asked.
type Trunk struct {
	Name            string   `json:"name"`
	Default         bool     `json:"default"`
	FromNumber      *string  `json:"from_number"`
	CallsPerSecond  *float64 `json:"calls_per_second"`
	ConcurrentCalls *int     `json:"concurrent_calls"`
	Answers         *bool    `json:"answers"`
}

// Trunks are those of the service, the default first. With check each is asked whether it is there.
func (c *Client) Trunks(ctx context.Context, check bool) ([]Trunk, error) {
	q := url.Values{}
	if check {
		q.Set("check", "true")
	}
	var out struct {
		Data []Trunk `json:"data"`
	}
	err := c.get(ctx, "/trunks", q, &out)
	return out.Data, err
}
