// Command dashboard measures the cost of the monitoring pages as the number of calls grows: 89 days
// of synthetic calls of twenty agents with a hundred customers are written through the product's
// own bulk path (fact rows, then the buckets made from them), and every page's question is asked
// again and again, over one to 88 days, about all calls and about small parts of them. Faults
// planted in the calls of some agents, and of one customer, must be reported, and nothing about the
// others.
//
//	go run ./bench/dashboard [--calls 1000000,10000000] [--asks 200] [--seed 1] [--database postgres] [--json] [--quick]
//
// It exits with 1 if a page's p99 is above 50 ms at the first size, or grows by more than half up
// to the last. The quick version asks too few times to judge the growth: its p99 is its slowest
// answer.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// The goals.
const (
	goalMS     = 50
	goalGrowth = 1.5
)

type options struct {
	sizes            []int
	asks             int
	seed             uint64
	database, folder string
	// server is the one started for the run, nil if none was.
	server *pgtest.Server
	asJSON bool
	// quick asks few times, about few calls.
	quick bool
	// pages restricts the run to pages whose names contain it; "" means all.
	pages string
	// watch looks for departures as well, which takes minutes. reuse queries what an earlier run
	// has left.
	watch, reuse bool
}

func main() {
	var o options
	sizes := flag.String("calls", "1000000,10000000", "numbers of calls, with commas between")
	flag.IntVar(&o.asks, "asks", 200, "how often each page is asked")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the calls and the questions")
	flag.StringVar(&o.database, "database", "", "postgres for a server of its own, or the address of an empty PostgreSQL database, which takes one size (default: SQLite files)")
	flag.StringVar(&o.folder, "folder", "", "where the databases are made (default: a temporary folder, removed afterwards)")
	flag.BoolVar(&o.watch, "watch", true, "look for planted faults too")
	flag.BoolVar(&o.reuse, "reuse", false, "ask the databases that an earlier run has left in --folder")
	flag.StringVar(&o.pages, "pages", "", "ask only the pages with this in their names")
	flag.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	flag.BoolVar(&o.quick, "quick", false, "10,000 and 100,000 calls, and no looking for planted faults")
	flag.Parse()
	if o.quick {
		*sizes, o.asks, o.watch = "10000,100000", 60, false
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1000 {
			fmt.Fprintln(os.Stderr, "dashboard: --calls takes numbers of 1000 and more with commas between")
			os.Exit(2)
		}
		o.sizes = append(o.sizes, n)
	}
	good, err := run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dashboard:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (good bool, err error) {
	if o.folder == "" {
		if o.folder, err = os.MkdirTemp("", "ringtrue-dashboard-"); err != nil {
			return false, err
		}
		defer func() { _ = os.RemoveAll(o.folder) }()
	}
	if o.database == "postgres" {
		if o.server, err = pgtest.Begin(false); err != nil {
			return false, err
		}
		defer o.server.Stop()
	}
	figures := map[string]float64{}
	good = true
	var worst []float64
	for _, size := range o.sizes {
		p99, fine, err := one(ctx, o, size, figures)
		if err != nil {
			return false, fmt.Errorf("%d calls: %w", size, err)
		}
		worst, good = append(worst, p99), good && fine
		figures["p99_ms_"+short(size)] = p99
	}
	figures["growth"] = worst[len(worst)-1] / worst[0]
	good = good && worst[0] < goalMS && (o.quick || figures["growth"] <= goalGrowth)
	if o.asJSON {
		return good, json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": figures})
	}
	fmt.Printf("\nworst p99 %.1f ms at %s (goal: below %d), %.2f times that at %s (goal: at most %.1f)\n",
		worst[0], short(o.sizes[0]), goalMS, figures["growth"], short(o.sizes[len(o.sizes)-1]), goalGrowth)
	return good, nil
}

// short abbreviates a number: 10k, 1m.
func short(n int) string {
	switch {
	case n%1_000_000 == 0:
		return strconv.Itoa(n/1_000_000) + "m"
	case n%1000 == 0:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n)
}

// one fills a database with so many calls and asks all questions.
func one(ctx context.Context, o options, size int, figures map[string]float64) (p99 float64, fine bool, err error) {
	engine, err := open(ctx, o, size)
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = engine.Close() }()
	now := begin.Add(span)
	s := store.New(engine, nil, func() time.Time { return now })
	m := monitor.New(monitor.Options{Store: store.As[monitor.Tx](s), Now: func() time.Time { return now }})
	if o.reuse {
		if err := m.Rebuild(ctx); err != nil { // the form of the buckets may have changed since
			return 0, false, err
		}
		o.say("\n%s calls of an earlier run\n", short(size))
	} else {
		took, err := fill(ctx, s, m, newMaker(o.seed, size))
		if err != nil {
			return 0, false, err
		}
		o.say("\n%s calls: facts in %s, buckets in %s\n", short(size), took.facts.Round(time.Second), took.buckets.Round(time.Second))
	}
	fine = true
	if o.watch {
		if fine, err = o.plants(ctx, m, size, figures); err != nil {
			return 0, false, err
		}
	}
	p99, err = o.ask(ctx, m)
	return p99, fine, err
}

func (o *options) say(format string, args ...any) {
	if !o.asJSON {
		fmt.Printf(format, args...)
	}
}

func open(ctx context.Context, o options, size int) (store.Engine, error) {
	switch {
	case o.server != nil:
		address, err := o.server.Create(ctx)
		if err != nil {
			return nil, err
		}
		return postgres.Open(ctx, address)
	case o.database != "":
		return postgres.Open(ctx, o.database)
	}
	path := filepath.Join(o.folder, short(size)+".db")
	if o.reuse {
		return sqlite.Open(ctx, path)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return sqlite.Open(ctx, path)
}
