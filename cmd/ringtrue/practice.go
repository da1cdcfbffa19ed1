package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/app"
)

type practiceCommand struct {
	Listen    string   `help:"Address that takes SIP calls, UDP and TCP (default 127.0.0.1:5070)." default:"127.0.0.1:5070" placeholder:"HOST:PORT"`
	Fault     []string `help:"A fault to switch on, with its size: late=1500ms. Repeatable; --faults lists them." sep:"none" placeholder:"NAME=SIZE"`
	Faults    bool     `help:"List the faults and end."`
	Seed      uint64   `help:"Seed of everything the faults draw by chance." default:"1"`
	ReportURL string   `name:"report-url" help:"Ringtrue service that gets the agent's own record of each call." placeholder:"URL"`
	ReportKey string   `name:"report-key" help:"API key for it (better given as RINGTRUE_REPORT_KEY)." placeholder:"KEY"`
	SourceID  string   `name:"source-id" help:"The agent's id in its own system, sent with its records." default:"clinic-front-desk"`
	Voice     string   `help:"The voice of the front desk." default:"rms"`

	Recordings string `help:"Address that serves the recordings of the last 64 calls over HTTP (default: a free port of this machine)." default:"127.0.0.1:0" placeholder:"IP:PORT"`

	ReadyJSON       bool `name:"ready-json" hidden:"" help:"Print where calls are taken as one JSON line."`
	UntilStdinClose bool `name:"until-stdin-closes" hidden:"" help:"End when standard input does; a line on it is a new report key."`
}

// Run takes calls until it is told to stop.
func (c *practiceCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	if c.Faults {
		_, err := fmt.Fprint(w.out, app.PracticeFaults())
		return err
	}
	p, err := app.NewPractice(ctx, app.PracticeOptions{
		Listen: c.Listen, Recordings: c.Recordings, Faults: c.Fault, Seed: c.Seed, Voice: c.Voice,
		ReportURL: c.ReportURL, ReportKey: c.ReportKey, SourceID: c.SourceID,
		Log: log, Now: time.Now,
	})
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	if c.ReadyJSON {
		err = json.NewEncoder(w.out).Encode(practiceReady{SIP: p.Addr()})
	} else {
		_, err = fmt.Fprintf(w.out, "The practice agent takes calls at %s (SIP over UDP and TCP).\n"+
			"It serves the recordings of the last 64 calls at %s.\n", p.Addr(), p.Recordings())
	}
	if c.UntilStdinClose {
		go c.listenToParent(w, p, end)
	}
	if err == nil {
		<-ctx.Done()
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if stopErr := p.Stop(stop); err == nil {
		err = stopErr
	}
	return err
}

// listenToParent takes new report keys from standard input and ends with it.
func (c *practiceCommand) listenToParent(w *world, p *app.Practice, end func()) {
	lines := bufio.NewScanner(w.in)
	for lines.Scan() {
		if key := strings.TrimSpace(lines.Text()); key != "" {
			p.SetReportKey(key)
		}
	}
	end()
}
