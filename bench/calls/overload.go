package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// flood requests far more calls than can be carried, in order, like the calls of a large
// experiment. The policy that experiments use decides when each may dial.
func (n *near) flood(out *result) (calls []*nearCall) {
	fmt.Println("up")
	pressure := func() experiment.Pressure {
		l := n.line.Load()
		return experiment.Pressure{Second: l.Second, Calls: l.Streams, Busy: l.Busy, Late: l.Late, Behind: l.Behind}
	}
	admission := experiment.NewAdmission(pressure)
	if n.o.trace {
		over := make(chan struct{})
		defer close(over)
		go traced(over, admission, pressure)
	}
	var wg sync.WaitGroup
	var up, most atomic.Int64
	length := time.Duration(n.o.seconds) * time.Second
	begun := time.Now()
	for i := range n.o.overload {
		waited := false
		for {
			ok, _ := admission.Enter()
			if ok {
				break
			}
			waited = true
			wait(time.Now().Add(time.Second))
		}
		if waited {
			// Those after it in the queue have waited, too.
			out.Waited = max(out.Waited, n.o.overload-i)
			out.LongestWait = time.Since(begun).Seconds()
		}
		c := &nearCall{number: i, tape: leg.NewTape(length + 20*time.Second)}
		calls = append(calls, c)
		most.Store(max(most.Load(), up.Add(1)))
		wg.Go(func() {
			defer admission.Leave()
			defer up.Add(-1)
			n.place(c, length)
		})
	}
	fmt.Println("peak")
	wg.Wait()
	out.Most = int(most.Load())
	return calls
}

// traced prints every second what admission is based on, and how much room it sees.
func traced(over <-chan struct{}, admission *experiment.Admission, pressure func() experiment.Pressure) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		p := pressure()
		room, placed := admission.Room()
		fmt.Fprintf(os.Stderr, "%d calls, busy %.2f, late %s, behind %s: room for %d, %d placed\n",
			p.Calls, p.Busy, p.Late.Round(100*time.Microsecond), p.Behind.Round(100*time.Microsecond), room, placed)
	}
}

// overload shows what admission does: no admitted call is spoilt, and the others wait.
func overload(ctx context.Context, o options, dir string) error {
	ours, err := measure(ctx, o, dir, nearPart)
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": map[string]float64{
			"calls": float64(ours.Answered), "asked": float64(o.overload), "calls_at_once": float64(ours.Most), "waited": float64(ours.Waited),
			"missed_frames": float64(ours.Missed), "lost_frames": float64(ours.Lost + ours.FarLost), "spoilt_calls": float64(ours.Spoilt),
			"lateness_ms_p50": ours.P50, "lateness_ms_p99": ours.P99, "lateness_ms_p999": ours.P999, "lateness_ms_worst": ours.Worst,
			"frames_late_60_ms": float64(ours.Over60),
			"stolen_percent":    ours.Stolen, "others_percent": ours.others,
		}})
	}
	printOverload(os.Stdout, o, ours)
	return nil
}

func printOverload(w io.Writer, o options, ours outcome) {
	fmt.Fprintf(w, "%d calls of %d s asked for at once, on one processor\n\n", o.overload, o.seconds)
	fmt.Fprintf(w, "on the line at most   %d\nanswered in the end   %d\nhad to wait           %d, the last one %.0f s\n", ours.Most, ours.Answered, ours.Waited, ours.LongestWait)
	fmt.Fprintf(w, "frames                %d, %d never sent, %d lost on the way there, %d back\nspoilt calls          %d\n", ours.Due, ours.Missed, ours.Lost, ours.FarLost, ours.Spoilt)
	fmt.Fprintf(w, "lateness              p50 %.2f, p99 %.2f, p99.9 %.2f, worst %.2f ms; %d frames by more than 5 ms, %d by more than 60 ms\n", ours.P50, ours.P99, ours.P999, ours.Worst, ours.Over5, ours.Over60)
	printQuiet(w, ours)
}
