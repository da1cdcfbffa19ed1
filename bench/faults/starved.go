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
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// starved places a call over SIP, in real time, from a process of its own, and stops that process
// each time our caller has begun to speak, as a busy machine might. Stopping it while our side is
// silent would spoil nothing: no word is late or missing then, and such a call is evidence.
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
	var last []byte
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if last = slices.Clone(lines.Bytes()); string(last) == speaks {
			starve(cmd.Process, time.Duration(50+r.IntN(200))*time.Millisecond, time.Duration(150+r.IntN(450))*time.Millisecond)
		}
	}
	if err := cmd.Wait(); err != nil {
		return outcome{}, fmt.Errorf("the call over SIP: %w", err)
	}
	var c call.Call
	if err := json.Unmarshal(last, &c); err != nil {
		return outcome{}, fmt.Errorf("the call over SIP said %q (%w, %w)", last, err, lines.Err())
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

const (
	// speaks is what the process of the call prints when our caller begins to speak.
	speaks = "speaks"
	// stops is how often it is stopped, and so how often it prints that.
	stops = 3
	// fresh is how long the caller must have been silent for speech to count as new.
	fresh = 300 * time.Millisecond
)

// talker is a caller that reports when it begins to speak, a few times.
type talker struct {
	experiment.Party
	told   int
	silent time.Duration
	begun  chan<- struct{}
}

// Step implements leg.Party.
func (t *talker) Step(in, out *leg.Frame) {
	t.Party.Step(in, out)
	if audio.Level(out.PCM) <= audio.AudibleDB {
		t.silent += leg.FrameTime
		return
	}
	if t.silent >= fresh && t.told < stops {
		t.told++
		t.begun <- struct{}{}
	}
	t.silent = 0
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
	begun := make(chan struct{}, stops)
	var told sync.WaitGroup
	told.Go(func() {
		for range begun {
			fmt.Fprintln(out, speaks)
		}
	})
	e := h.experiments(crew{
		line: func(experiment.Line) experiment.Line { return line },
		party: func(p experiment.Party) experiment.Party {
			return &talker{Party: struct{ experiment.Party }{p}, begun: begun}
		},
	})
	id, err := h.callFor(ctx, e, ownFault{scenario: moves}, to)
	if err != nil {
		return err
	}
	o, err := h.one(ctx, e, h.reviews(e, h.speech.Transcriber()), id)
	close(begun)
	told.Wait()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o.call)
}
