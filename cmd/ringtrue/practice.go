package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type practiceCommand struct {
	roomFlags
	Listen    string   `help:"Address to take SIP calls at, over UDP and TCP (default 127.0.0.1:5070)." default:"127.0.0.1:5070" placeholder:"IP:PORT"`
	Fault     []string `help:"A fault to switch on, with its size: late=1500ms. Repeatable; --faults lists them." sep:"none" placeholder:"NAME=SIZE"`
	Faults    bool     `help:"List the faults and exit."`
	Seed      uint64   `help:"Seed for what the faults decide at random." default:"1"`
	ReportURL string   `name:"report-url" help:"Ringtrue service to send the agent's own record of each call to." placeholder:"URL"`
	ReportKey string   `name:"report-key" help:"API key for it (better given as RINGTRUE_REPORT_KEY)." placeholder:"KEY"`
	SourceID  string   `name:"source-id" help:"The agent's id in its own system, sent with its records." default:"clinic-front-desk"`
	Voice     string   `help:"The voice of the front desk." default:"rms"`

	Recordings string `help:"Address that serves the recordings of the last 64 calls over HTTP (default: a free port of this machine)." default:"127.0.0.1:0" placeholder:"IP:PORT"`

	ReadyJSON       bool `name:"ready-json" hidden:"" help:"Print where calls are taken as one JSON line."`
	UntilStdinClose bool `name:"until-stdin-closes" hidden:"" help:"End when standard input does; a line on it is a new report key, or rooms to join."`
}

// Help is the longer part of --help.
func (practiceCommand) Help() string {
	return `The front desk of an invented clinic: books, moves and cancels appointments, and tells prices and opening hours.

  ringtrue practice --fault wrong_price --fault late=2s
  ringtrue serve --trunk practice=sip://127.0.0.1:5070        # in another terminal, to phone it

  # In rooms: the answer of create-media-rooms on standard input.
  curl … $API/test-runs/create-media-rooms -d '{"datasetId": "ds_…"}' | ringtrue practice --rooms-from -`
}

// Run takes calls until it is told to stop.
func (c *practiceCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	if c.Faults {
		_, err := fmt.Fprint(w.out, app.PracticeFaults())
		return err
	}
	if c.ReportURL != "" {
		if fields := checkAddress("--report-url", c.ReportURL); len(fields) > 0 {
			return problem.Invalid(fields...)
		}
	}
	rooms, err := c.rooms(ctx, w)
	if err != nil {
		return err
	}
	if c.joining() || c.NoPhone {
		c.Listen = ""
	}
	p, err := app.NewPractice(ctx, app.PracticeOptions{
		Listen: c.Listen, Rooms: c.Listen == "", Recordings: c.Recordings, Faults: c.Fault, Seed: c.Seed, Voice: c.Voice,
		ReportURL: c.ReportURL, ReportKey: c.ReportKey, SourceID: c.SourceID,
		Log: log, Now: time.Now,
	})
	if err != nil {
		return err
	}
	if err = c.ready(w, p, len(rooms)); err == nil {
		err = c.work(ctx, w, p, rooms, log)
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if stopErr := p.Stop(stop); err == nil {
		err = stopErr
	}
	return err
}

// ready tells where calls are taken.
func (c *practiceCommand) ready(w *world, p *app.Practice, rooms int) (err error) {
	switch {
	case c.ReadyJSON:
		return json.NewEncoder(w.out).Encode(practiceReady{SIP: p.Addr(), Ready: true})
	case rooms > 0:
		_, err = fmt.Fprintf(w.out, "The practice agent joins %s and exits when the calls there are over.\n", counted(rooms, "room"))
	default:
		_, err = fmt.Fprintf(w.out, "The practice agent takes calls at %s (SIP over UDP and TCP).\n", p.Addr())
	}
	if err == nil {
		_, err = fmt.Fprintf(w.out, "It serves the recordings of the last 64 calls at %s.\n", p.Recordings())
	}
	return err
}

// work takes calls until it is told to stop, or until those in the rooms are over.
func (c *practiceCommand) work(ctx context.Context, w *world, p *app.Practice, rooms []client.MediaRoom, log *slog.Logger) error {
	if len(rooms) > 0 {
		return attendAll(ctx, p, rooms)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	told := make(chan []byte)
	if c.UntilStdinClose {
		go func() {
			defer end()
			listenToParent(ctx, w, p, told)
		}()
	}
	var joined sync.WaitGroup
	defer joined.Wait()
	for {
		select {
		case <-ctx.Done():
			return nil
		case answer := <-told:
			joined.Go(func() { attendTold(ctx, p, answer, log) })
		}
	}
}

// listenToParent takes new report keys and rooms from standard input and returns when it ends.
func listenToParent(ctx context.Context, w *world, p *app.Practice, told chan<- []byte) {
	lines := bufio.NewScanner(w.in)
	lines.Buffer(nil, mostAnswer)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "{"):
			select {
			case told <- []byte(line):
			case <-ctx.Done():
				return
			}
		case line != "":
			p.SetReportKey(line)
		}
	}
}

// attendTold joins the rooms that the parent has told of.
func attendTold(ctx context.Context, p *app.Practice, answer []byte, log *slog.Logger) {
	rooms, err := roomsOf(answer)
	if err == nil {
		err = attendAll(ctx, p, rooms)
	}
	if err != nil {
		log.Error("the practice agent could not join every room", "error", err)
	}
}
