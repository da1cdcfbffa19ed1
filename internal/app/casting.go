package app

import (
	"context"
	"net/netip"
	"net/url"
	"slices"

	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// The sample rates of the lines in Hz.
const (
	phoneRate = 8000
	roomRate  = 16000
)

// rateOf is the sample rate of the line that an experiment names.
func rateOf(line string) int {
	if line == experiment.LineRoom {
		return roomRate
	}
	return phoneRate
}

// casting makes callers: it has their lines synthesised, gives them ears when
// their script needs words, and a language model when they have no script.
type casting struct {
	speech *speech.Engines
	lines  *caller.Cache
}

// prepare implements experiment.Options.Prepare.
func (c *casting) prepare(ctx context.Context, item scenario.Item) error {
	_, err := caller.Prepare(ctx, c.speech.Mouth(), c.lines, item)
	return err
}

// cast implements experiment.Options.Cast.
func (c *casting) cast(ctx context.Context, want experiment.Casting) (experiment.Party, error) {
	lines, err := caller.Prepare(ctx, c.speech.Mouth(), c.lines, want.Item)
	if err != nil {
		return nil, err
	}
	return caller.New(caller.Options{
		Item: want.Item, Seed: want.Seed, Lines: lines,
		Mouth: c.speech.Mouth(), Model: c.speech.Model(), Prompt: want.Prompt,
		Ears: func() (leg.Ears, error) {
			return c.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{
				Rate: rateOf(want.Line), Language: want.Item.Language(), Hints: want.Item.Words(),
			})
		},
		Notify: want.Notify,
	})
}

// preflight checks that a run can be placed at all, so that a wrong password
// or a missing program is told at once and not by each call.
func (p *parts) preflight(ctx context.Context, line, trunk string, items []scenario.Item) error {
	dataset := "dataset_id"
	if line == experiment.LineRoom {
		dataset = "datasetId" // as the two operations have it
	}
	var fields []problem.Field
	for _, item := range items {
		if item.NeedsModel() && p.speech.Model() == nil {
			fields = append(fields, problem.Field{
				Path:    dataset,
				Message: "item " + item.ID + " has a goal and no script, and no language model is configured to play it",
			})
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields[:min(len(fields), 20)]...).
			WithHint("give the items scripts, or configure --speech-url and --chat-model")
	}
	played := slices.ContainsFunc(items, scenario.Item.NeedsModel)
	for _, f := range p.speech.Check(ctx) {
		if f.Needed && !f.OK && (played || f.Name != speech.ModelFinding) {
			return problem.New(problem.Unavailable, "%s does not work: %s", f.Name, f.Detail).WithHint("%s", f.Hint)
		}
	}
	if line == experiment.LineRoom {
		return nil // the media server is asked by those who want rooms of it
	}
	return p.line.Probe(ctx, trunk)
}

// trunks are the configured trunks as experiments see them.
type trunks []sip.Trunk

func (t trunks) find(name string) (experiment.Trunk, error) {
	for _, one := range t {
		if name == "" || one.Name == name {
			return told(one), nil
		}
	}
	if name == "" {
		return experiment.Trunk{}, problem.New(problem.Unavailable, "no trunk is configured").
			WithHint("start the service with --trunk NAME=sip://…")
	}
	return experiment.Trunk{}, problem.New(problem.Conflict, "there is no trunk %q", name).
		WithHint("name a configured trunk in the agent's defaults, or none")
}

// all are the trunks in the order in which they were named.
func (t trunks) all() []experiment.Trunk {
	list := make([]experiment.Trunk, len(t))
	for i, one := range t {
		list[i] = told(one)
	}
	return list
}

func told(t sip.Trunk) experiment.Trunk {
	return experiment.Trunk{
		Name: t.Name, From: t.From, CallsPerSecond: t.CallsPerSecond, ConcurrentCalls: t.ConcurrentCalls, Local: allOnThisMachine([]sip.Trunk{t}),
	}
}

// free says which of the engines and the media server are on this machine.
func free(o Options) experiment.Free {
	endpoint := onThisMachine(o.Speech.HTTP.BaseURL)
	offline := func(engine string) bool { return engine == "" || engine == speech.Local }
	return experiment.Free{
		Speech: endpoint || offline(o.Speech.TTS) && offline(o.Speech.STT),
		Model:  endpoint || o.Speech.HTTP.ChatModel == "",
		Rooms:  o.Media.URL == "" || onThisMachine(o.Media.URL),
	}
}

// onThisMachine reports whether an address leads to a loopback address.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
