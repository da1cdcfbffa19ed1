package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type reviewCommand struct {
	Since                string `help:"Only calls that began at or after this time: a day in UTC (2026-10-01), a time (2026-10-01T12:00:00Z) or an age (36h, 7d)." placeholder:"TIME"`
	Until                string `help:"Only calls that began before this time, given in the same way." placeholder:"TIME"`
	Agent                string `help:"Only calls of this agent." placeholder:"AGT"`
	Origin               string `help:"Only simulated or production calls." enum:",simulated,production" default:"" placeholder:"ORIGIN"`
	OnlyOlderThanEngines bool   `help:"Leave out calls whose latest review already used the current engines, metrics and scorers."`
	Resume               string `help:"Continue a review of history that was stopped." placeholder:"REV"`
	Detach               bool   `help:"Start the review and do not wait for its end."`
	URL                  string `help:"The service (default http://127.0.0.1:8080)." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Key                  string `help:"API key (better given as RINGTRUE_KEY)." env:"RINGTRUE_KEY" placeholder:"KEY"`
}

// Help is the longer part of --help.
func (reviewCommand) Help() string {
	return `Transcribes, measures and judges calls again, with the current engines and scorers; recordings are not fetched
again. Ctrl-C stops it. Exit code: 0 all were reviewed, 1 some could not be, 3 it was stopped or could not start.

  ringtrue review --since 2026-10-01
  ringtrue review --since 7d --agent agt_01…
  ringtrue review --origin production --only-older-than-engines --detach`
}

// Validate refuses empty texts, which come of variables that were never set. Taken as "not given"
// they would have the calls of all agents, or of all time, reviewed.
func (c *reviewCommand) Validate(parsed *kong.Context) error {
	for _, step := range parsed.Path {
		if step.Flag != nil && parsed.FlagValue(step.Flag) == "" {
			return fmt.Errorf("--%s is empty; give it a value, or leave it out", step.Flag.Name)
		}
	}
	return nil
}

// Run begins a review of history, or goes on with one, and prints how far it is. An interrupt stops
// the review; it can be resumed.
func (c *reviewCommand) Run(ctx context.Context, w *world) error {
	if fields := checkService(c.URL, c.Key); len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	service := client.New(c.URL, c.Key, tellsAgain(w.out))
	r, err := c.begin(ctx, service)
	if err != nil {
		return unanswered(c.URL, err)
	}
	fmt.Fprintf(w.out, "%s: %s to be reviewed again\n", r.ID, counted(r.Total, "call"))
	if c.Detach {
		return nil
	}
	id, last := r.ID, ""
	r, err = service.WaitReplay(ctx, id, func(r client.Replay) {
		if line := replayLine(r); line != last {
			fmt.Fprintln(w.out, line)
			last = line
		}
	})
	if errors.Is(err, context.Canceled) {
		r, err = stop(ctx, service, id)
	}
	switch {
	case err != nil: // which does not end the review
		fmt.Fprintf(w.out, "no answer; the review continues on the service. See its progress with: ringtrue review --resume %s\n", id)
		return unanswered(c.URL, err)
	case r.Status != "FINISHED":
		fmt.Fprintf(w.out, "stopped; continue with: ringtrue review --resume %s\n", r.ID)
		return exitCode(exitCouldNot)
	}
	fmt.Fprintf(w.out, "done: %d reviewed, %d left out, %d failed\n", r.Reviewed, r.Skipped, r.Failed)
	if r.Failed > 0 {
		return exitCode(exitNotPassed)
	}
	return nil
}

func (c *reviewCommand) begin(ctx context.Context, service *client.Client) (client.Replay, error) {
	narrowed := c.Since != "" || c.Until != "" || c.Agent != "" || c.Origin != "" || c.OnlyOlderThanEngines
	switch {
	case c.Resume != "" && narrowed:
		return client.Replay{}, problem.Invalid(problem.Field{Path: "--resume", Message: "continues with the calls that the review started with; leave out the flags that choose calls"})
	case c.Resume != "":
		return service.ResumeReplay(ctx, c.Resume)
	case !narrowed:
		return client.Replay{}, problem.Invalid(problem.Field{Path: "--since", Message: "say which calls: --since, --until, --agent, --origin or --only-older-than-engines"})
	}
	now := time.Now()
	since, err := moment("--since", c.Since, now)
	if err != nil {
		return client.Replay{}, err
	}
	until, err := moment("--until", c.Until, now)
	switch {
	case err != nil:
		return client.Replay{}, err
	case c.Until != "" && until <= 0: // sent as it is, that would be no bound at all
		return client.Replay{}, problem.Invalid(problem.Field{Path: "--until", Message: "must be later than 1970-01-01"})
	}
	return service.StartReplay(ctx, client.ReplayScope{
		Since: since, Until: until, AgentID: c.Agent, Origin: c.Origin, OnlyOlderThanEngines: c.OnlyOlderThanEngines,
	})
}

// stop ends the review for somebody who has interrupted the command.
func stop(ctx context.Context, service *client.Client, id string) (client.Replay, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return service.CancelReplay(ctx, id)
}

func replayLine(r client.Replay) string {
	done := r.Reviewed + r.Skipped + r.Failed
	share := 100
	if r.Total > 0 {
		share = min(100, 100*done/r.Total)
	}
	return fmt.Sprintf("%3d %%  %d of %d (%d left out, %d failed)", share, done, r.Total, r.Skipped, r.Failed)
}

// moment reads a day, a time or how long ago as milliseconds since 1970; 0 when there is none.
func moment(flag, text string, now time.Time) (int64, error) {
	if text == "" {
		return 0, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UnixMilli(), nil
		}
	}
	if t, ok := ago(text, now); ok {
		return t.UnixMilli(), nil
	}
	return 0, problem.Invalid(problem.Field{Path: flag, Message: "must be a day like 2026-10-01, a time like 2026-10-01T12:00:00Z, or how long ago, like 36h or 7d"})
}

// ago is the time so many hours (36h) or days of 24 hours (7d) before now.
func ago(text string, now time.Time) (time.Time, bool) {
	const longest = 100 * 366 * 24 * time.Hour // before that nobody recorded calls
	unit := map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour}[text[len(text)-1:]]
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 31)
	if err != nil || unit == 0 || time.Duration(n) > longest/unit {
		return time.Time{}, false
	}
	return now.Add(-unit * time.Duration(n)), true
}
