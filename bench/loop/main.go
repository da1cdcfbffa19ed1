// Command loop measures how fast whole conversations run in virtual time: the real caller and the
// practice agent (without recognition) joined by line/loop, with live voice activity detection and
// recording on, one minute each. It runs everything twice with the same seed and compares every
// sample and every timeline event.
//
//	go run ./bench/loop [--calls 200] [--seed 1] [--json] [--quick]
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

func main() {
	calls := flag.Int("calls", 200, "calls")
	seed := flag.Uint64("seed", 1, "seed of everything drawn by chance")
	asJSON := flag.Bool("json", false, "print one JSON object")
	quick := flag.Bool("quick", false, "a quarter of the calls")
	flag.Parse()
	if *quick {
		*calls /= 4
	}
	if err := run(context.Background(), *calls, *seed, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "loop:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, calls int, seed uint64, asJSON bool) error {
	b, err := newBench(ctx)
	if err != nil {
		return err
	}
	begun := time.Now()
	first, err := b.all(ctx, calls, seed)
	if err != nil {
		return err
	}
	took := time.Since(begun).Seconds()
	second, err := b.all(ctx, calls, seed)
	if err != nil {
		return err
	}
	media, same := 0.0, 1.0
	for i, r := range first {
		media += r.length.Seconds()
		if r.digest != second[i].digest {
			same = 0
		}
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": map[string]float64{
			"calls": float64(calls), "seconds": took, "same_bytes": same, "media_minutes": media / 60,
		}})
	}
	fmt.Printf("calls          %d\nmedia          %.1f min\nwall time      %.2f s on %d processors\nper minute     %.1f ms\nsame bytes     %v\n",
		calls, media/60, took, runtime.GOMAXPROCS(0), 1000*took/(media/60), same == 1)
	if same != 1 {
		return errors.New("two runs with the same seed differ")
	}
	return nil
}

// bench is what all calls share.
type bench struct {
	mouth speech.Mouth
	cache *caller.Cache
	item  scenario.Item
	line  *loop.Line
}

func newBench(ctx context.Context) (*bench, error) {
	engines, err := speech.New(speech.Options{})
	if err != nil {
		return nil, err
	}
	// The clock stands still: the diary and the records must not depend on the day.
	now := func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) }
	desk, err := practice.New(practice.Options{Mouth: engines.Mouth(), Now: now, Calls: 1 << 20})
	if err != nil {
		return nil, err
	}
	b := &bench{mouth: engines.Mouth(), cache: caller.NewCache(0), item: item()}
	b.line = loop.New(loop.Options{Answerer: desk.Answer, Start: now})
	if err := desk.Warm(ctx); err != nil {
		return nil, err
	}
	// One call first, so that synthesis is not part of what is measured.
	_, err = b.one(ctx, 0)
	return b, err
}

// item is a caller who talks for about a minute.
func item() scenario.Item {
	var steps []scenario.Step
	for _, line := range []string{
		"I would like to book a check up.", "On Tuesday.", "Ten thirty.", "My name is Anna Miller.", "Yes, that is right.",
		"What are your opening hours?", "How much is a cleaning?", "Thank you very much.", "And how much is an eye test?",
		"Are you open on Friday?", "How much is a vaccination?", "What time do you close?", "And what does a blood test cost?",
		"That is all.",
	} {
		steps = append(steps, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, scenario.Step{Say: line})
	}
	steps = append(steps, scenario.Step{StaySilentMS: 1000}, scenario.Step{HangUp: true})
	return scenario.Item{Input: scenario.Input{Script: steps, Persona: scenario.Persona{Voice: "slt", Pace: 0.7, PatienceMS: 3700}}}
}

// result is the result of one call.
type result struct {
	length time.Duration
	digest string
}

func (b *bench) all(ctx context.Context, calls int, seed uint64) ([]result, error) {
	results := make([]result, calls)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range calls {
		g.Go(func() (err error) {
			results[i], err = b.one(ctx, seed+uint64(i))
			return err
		})
	}
	return results, g.Wait()
}

func (b *bench) one(ctx context.Context, seed uint64) (result, error) {
	lines, err := caller.Prepare(ctx, b.mouth, b.cache, b.item)
	if err != nil {
		return result{}, err
	}
	c, err := caller.New(caller.Options{Item: b.item, Seed: seed, Lines: lines, Mouth: b.mouth})
	if err != nil {
		return result{}, err
	}
	defer c.Close()
	tape := leg.NewTape(5 * time.Minute)
	attempt := b.line.Place(ctx, leg.Dial{
		CallID: fmt.Sprint("call_", seed), To: "+15550123", MaxDuration: 4 * time.Minute,
	}, c, tape)
	if attempt.AnsweredAt.IsZero() {
		return result{}, fmt.Errorf("the call was not answered: %s", attempt.EndReason.Code)
	}
	return result{length: tape.Duration(), digest: digest(tape, append(attempt.Timeline, c.Timeline()...))}, nil
}

// digest returns the digest of every sample and every event.
func digest(t *leg.Tape, timeline []call.Event) string {
	h := sha256.New()
	var buf [2]byte
	for channel := range 2 {
		for _, s := range t.Channel(channel) {
			buf[0], buf[1] = byte(s), byte(s>>8)
			_, _ = h.Write(buf[:])
		}
	}
	_ = json.NewEncoder(h).Encode(timeline)
	return hex.EncodeToString(h.Sum(nil))
}
