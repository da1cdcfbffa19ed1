// Package price reckons what test calls cost a workspace: the minutes on a trunk
// or in rooms, the speech engines and the language model, at the prices that the
// workspace has set. It knows money and minutes only: package experiment hands it
// the calls of a run, package store keeps the prices and package api shows them.
package price

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Prices are what a workspace pays for a minute of a call. nil is a price that
// nobody has set, which is not the same as nothing to pay.
type Prices struct {
	// Currency is of ISO 4217 ("EUR").
	Currency string  `json:"currency"`
	Trunks   []Trunk `json:"trunks,omitempty"`
	// Rooms is a minute at the media server, Speech of synthesis and recognition
	// together, Model of a call that a language model plays or judges.
	Rooms  *float64 `json:"rooms,omitempty"`
	Speech *float64 `json:"speech,omitempty"`
	Model  *float64 `json:"model,omitempty"`
}

// Trunk is what a minute on one trunk costs.
type Trunk struct {
	Name      string  `json:"name"`
	PerMinute float64 `json:"per_minute"`
	// BilledSeconds is the step to which the time of a call is rounded up: 60 when
	// every begun minute is paid.
	BilledSeconds int `json:"billed_seconds"`
}

// The bounds of prices.
const (
	// Standard is the currency where none is set.
	Standard  = "USD"
	maxTrunks = 100
	maxName   = 100
	maxPrice  = 1000
	maxStep   = 60
)

// Validate names everything that is wrong.
func (p Prices) Validate() error {
	var fields []problem.Field
	wrong := func(path, message string) { fields = append(fields, problem.Field{Path: path, Message: message}) }
	if !regexp.MustCompile(`^[A-Z]{3}$`).MatchString(p.Currency) {
		wrong("currency", "must be three capital letters, as in USD or EUR")
	}
	if len(p.Trunks) > maxTrunks {
		wrong("trunks", "must not be more than 100")
	}
	seen := map[string]bool{}
	for i, t := range p.Trunks[:min(len(p.Trunks), maxTrunks)] {
		at := fmt.Sprintf("trunks[%d].", i)
		switch {
		case strings.TrimSpace(t.Name) == "" || !utf8.ValidString(t.Name) || utf8.RuneCountInString(t.Name) > maxName:
			wrong(at+"name", "must have 1 to 100 characters")
		case seen[t.Name]:
			wrong(at+"name", "stands twice")
		}
		seen[t.Name] = true
		if !payable(t.PerMinute) {
			wrong(at+"per_minute", notPayable)
		}
		if t.BilledSeconds < 1 || t.BilledSeconds > maxStep {
			wrong(at+"billed_seconds", "must be between 1 and 60")
		}
	}
	for _, one := range []struct {
		path  string
		price *float64
	}{{"rooms_per_minute", p.Rooms}, {"speech_per_minute", p.Speech}, {"model_per_minute", p.Model}} {
		if one.price != nil && !payable(*one.price) {
			wrong(one.path, notPayable)
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

const notPayable = "must be between 0 and 1000"

func payable(price float64) bool { return price >= 0 && price <= maxPrice }

// Use is what the calls of a run travel by and what plays and hears them. What is
// free runs on this machine and costs nothing unless a price says otherwise.
type Use struct {
	// Trunk is "" in rooms.
	Trunk                           string
	FreeLine, FreeSpeech, FreeModel bool
}

// Rates are the prices of a minute for one run; nil is not known.
type Rates struct {
	Currency string `json:"currency"`
	// Trunk is "" in rooms.
	Trunk string `json:"trunk,omitempty"`
	// Line is of a minute on the trunk or in a room, rounded up to steps of so many seconds.
	Line   *float64 `json:"line,omitempty"`
	Step   int      `json:"step,omitempty"`
	Speech *float64 `json:"speech,omitempty"`
	Model  *float64 `json:"model,omitempty"`
}

// For are the prices that hold for what a run makes use of.
func (p Prices) For(u Use) Rates {
	r := Rates{
		Currency: p.Currency, Trunk: u.Trunk, Step: 1,
		Line: orFree(p.Rooms, u.FreeLine), Speech: orFree(p.Speech, u.FreeSpeech), Model: orFree(p.Model, u.FreeModel),
	}
	if r.Currency == "" {
		r.Currency = Standard
	}
	if u.Trunk != "" {
		r.Line = orFree(nil, u.FreeLine)
		for _, t := range p.Trunks {
			if t.Name == u.Trunk {
				r.Line, r.Step = &t.PerMinute, t.BilledSeconds
			}
		}
	}
	return r
}

func orFree(price *float64, free bool) *float64 {
	if price == nil && free {
		return new(float64)
	}
	return price
}

// Bill is what calls come to. The zero value is that of no calls.
type Bill struct {
	// Line, Speech and Model are what is known of each.
	Line, Speech, Model float64
	// Missing names what was used and has no price, each once.
	Missing []string
}

// Charge adds a call that was answered for so long, with what it needs a language
// model for. A call that nobody answered costs nothing.
func (b *Bill) Charge(r Rates, answered time.Duration, model bool) {
	if answered <= 0 {
		return
	}
	step := time.Duration(max(r.Step, 1)) * time.Second
	line := "trunk " + r.Trunk
	if r.Trunk == "" {
		line = "rooms"
	}
	b.add(&b.Line, r.Line, (answered+step-1)/step*step, line)
	b.add(&b.Speech, r.Speech, answered, "speech")
	if model {
		b.add(&b.Model, r.Model, answered, "language model")
	}
}

func (b *Bill) add(sum, price *float64, time time.Duration, name string) {
	if price != nil {
		*sum += *price * time.Minutes()
		return
	}
	if !slices.Contains(b.Missing, name) {
		b.Missing = append(b.Missing, name)
	}
}

// Total is the sum, false when a price was missing. All sums are to a ten-thousandth.
func (b *Bill) Total() (float64, bool) {
	return Round(b.Line + b.Speech + b.Model), len(b.Missing) == 0
}

// Round is an amount to a ten-thousandth of the currency.
func Round(amount float64) float64 { return math.Round(amount*1e4) / 1e4 }
