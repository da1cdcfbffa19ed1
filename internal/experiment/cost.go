package experiment

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Free says what runs on this machine, and so costs nothing unless a price is set for it.
type Free struct{ Speech, Model, Rooms bool }

// Cost is what calls cost or are likely to cost; for calls that are over, Low and High are the
// same.
type Cost struct {
	Currency  string
	Low, High price.Bill
}

// ratesOf are the prices that hold for an experiment.
func (s *Service) ratesOf(prices price.Prices, e Experiment, trunk Trunk) price.Rates {
	use := price.Use{Trunk: trunk.Name, FreeLine: trunk.Local, FreeSpeech: s.Free.Speech, FreeModel: s.Free.Model}
	if e.Line == LineRoom {
		use.Trunk, use.FreeLine = "", s.Free.Rooms
	}
	return prices.For(use)
}

// spent is what the calls of an experiment cost: at the prices of its start, or at today's if one
// that is needed was missing then.
func (s *Service) spent(r Results, today price.Prices) Cost {
	var c Cost
	if rates := r.Experiment.Plan.Rates; rates != nil {
		if c = charge(r, *rates); len(c.Low.Missing) == 0 {
			return c
		}
	}
	trunk, err := s.Trunk(r.Experiment.Plan.Defaults.Trunk)
	if err != nil { // it is configured no more
		trunk = Trunk{Name: r.Experiment.Plan.Defaults.Trunk}
	}
	return charge(r, s.ratesOf(today, r.Experiment, trunk))
}

func charge(r Results, rates price.Rates) Cost {
	var bill price.Bill
	for i := range r.Calls {
		c := &r.Calls[i]
		model := needsModel(r.Experiment.Plan, c.Item)
		for _, answered := range answeredTimes(&c.Call) {
			bill.Charge(rates, answered, model)
		}
	}
	return Cost{Currency: rates.Currency, Low: bill, High: bill}
}

// answeredTimes are the answered times of all attempts at a call; every one of them costs.
func answeredTimes(c *call.Call) []time.Duration {
	var out []time.Duration
	for _, a := range c.Attempts {
		if !a.AnsweredAt.IsZero() && a.EndedAt.After(a.AnsweredAt) {
			out = append(out, a.EndedAt.Sub(a.AnsweredAt))
		}
	}
	if len(out) == 0 && c.Duration() > 0 {
		out = append(out, c.Duration())
	}
	return out
}

// needsModel reports whether a language model plays or judges calls of the item.
func needsModel(p Plan, item scenario.Item) bool {
	return item.NeedsModel() || item.NeedsJudge() ||
		slices.ContainsFunc(p.Scorers, func(c score.Config) bool { return c.Kind == score.KindJudge })
}
