package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// starved places a call over SIP, in real time, from a process of its own, and
// stops that process three times while it talks, as a machine does that has
// other things to do.
func starved(ctx context.Context, h *house, agent string, r *rand.Rand) (outcome, error) {
	dir, err := os.MkdirTemp(h.folder, "starved-")
	if err != nil {
		return outcome{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "--sip-call", dir, "--agent-fault", agent)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return outcome{}, err
	}
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err == nil { // it talks
		for range 3 {
			starve(cmd.Process, time.Duration(1500+r.IntN(1500))*time.Millisecond, time.Duration(150+r.IntN(450))*time.Millisecond)
		}
	}
	text, readErr := io.ReadAll(lines)
	if err := cmd.Wait(); err != nil {
		return outcome{}, fmt.Errorf("the call over SIP: %w", err)
	}
	var c call.Call
	if err := json.Unmarshal(text, &c); err != nil {
		return outcome{}, fmt.Errorf("the call over SIP said %q (%w, %w)", text, err, readErr)
	}
	return outcome{call: c}, nil
}

// starve lets the process run for a while and then stops it for a while.
func starve(p *os.Process, run, stop time.Duration) {
	for _, step := range []struct {
		wait   time.Duration
		signal os.Signal
	}{{run, syscall.SIGSTOP}, {stop, syscall.SIGCONT}} {
		pause := time.NewTimer(step.wait)
		<-pause.C
		_ = p.Signal(step.signal) // a process that has ended needs none
	}
}

// talker tells when the call is answered.
type talker struct {
	experiment.Line
	answered func()
}

// Place implements experiment.Line.
func (t talker) Place(ctx context.Context, d leg.Dial, p leg.Party, tape *leg.Tape) call.Attempt {
	tell := d.OnState
	d.OnState = func(s leg.State) {
		if s == leg.Answered {
			t.answered()
		}
		if tell != nil {
			tell(s)
		}
	}
	return t.Line.Place(ctx, d, p, tape)
}

// sipCall is the child's part: one call over SIP on loopback.
func sipCall(ctx context.Context, dir, agent string, out io.Writer) error {
	h, err := newHouse(ctx, dir, linePhone)
	if err != nil {
		return err
	}
	defer h.close()
	h.realTime = true
	to, err := h.hireWith(ctx, agent, "rms", 1)
	if err != nil {
		return err
	}
	server, err := sip.Listen(sip.ServerOptions{
		Bind: netip.MustParseAddrPort("127.0.0.1:0"), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Answerer: func(ctx context.Context, in leg.Incoming) leg.Answer {
			in.To = to
			return h.answer(ctx, in)
		},
	})
	if err != nil {
		return err
	}
	defer func() { _ = server.Close(ctx) }()
	line, err := sip.New(sip.Options{
		Trunks: []sip.Trunk{{Name: trunkName, Host: server.Addr().String(), Transport: "udp", From: ourNumber}}, Now: time.Now,
	})
	if err != nil {
		return err
	}
	defer line.Close()
	e := h.experiments(crew{line: func(experiment.Line) experiment.Line {
		return talker{line, func() { fmt.Fprintln(out, "answered") }}
	}})
	id, err := h.callFor(ctx, e, ownFault{scenario: moves}, to)
	if err != nil {
		return err
	}
	o, err := h.one(ctx, e, h.reviews(e, h.speech.Transcriber()), id)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o.call)
}
