package crashloop

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// world is one data folder with everybody who works on it.
type world struct {
	o       Options
	figures *Figures
	random  *rand.Rand

	folder, data, temp string
	// database is the address of the PostgreSQL database, "" for SQLite.
	database string
	address  string
	flags    []string
	key      string
	api      *client.Client

	agents []*process
	sink   *sink
	// lives are the service's processes; the last one is running.
	lives []*process
	// usual is how long the last start took.
	usual time.Duration

	journal *journal
	watch   *watch

	mu sync.Mutex
	// up is closed while the service is ready; every kill creates a new one.
	up      chan struct{}
	retired chan struct{}
}

// The bounds of what the loop waits for. settlePatience is for a service that has something to do
// and makes no progress, settleLongest for one that never finishes.
const (
	startPatience  = 60 * time.Second
	settlePatience = 3 * time.Minute
	settleLongest  = 30 * time.Minute
	stopPatience   = 40 * time.Second
)

func newWorld(ctx context.Context, o Options, f *Figures, folder string, random *rand.Rand) (*world, error) {
	w := &world{
		o: o, figures: f, random: random, folder: folder,
		data: filepath.Join(folder, "data"), temp: filepath.Join(folder, "tmp"),
		journal: newJournal(), watch: newWatch(), up: make(chan struct{}), retired: make(chan struct{}),
	}
	if err := os.MkdirAll(w.temp, 0o700); err != nil {
		return nil, err
	}
	var err error
	if o.Database != nil {
		if w.database, err = o.Database(ctx); err != nil {
			return nil, err
		}
	}
	if w.address, err = freePort(); err != nil {
		return nil, err
	}
	if w.sink, err = openSink(w); err != nil {
		return nil, err
	}
	if err := w.startAgents(ctx); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// agentCount is the number of practice agents that answer calls. A call whose caller died occupies
// its agent until no audio has come for half a minute, and an agent takes a bounded number of
// calls.
const agentCount = 3

// startAgents starts the practice agents, which report their calls to the sink.
func (w *world) startAgents(ctx context.Context) error {
	temp := filepath.Join(w.folder, "agent")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return err
	}
	w.flags = []string{"--data", w.data, "--listen", w.address, "--record-wait=500ms", "--beat=300ms", "--silent-after=2s"}
	if w.database != "" {
		w.flags = append(w.flags, "--database", w.database)
	}
	for i := range agentCount {
		agent, err := w.start(fmt.Sprintf("agent-%d.log", i), temp, "--log-level=warn", "practice", "--listen", "127.0.0.1:0",
			"--ready-json", "--report-url", w.sink.url(), "--report-key", "any")
		if err != nil {
			return err
		}
		w.agents = append(w.agents, agent)
		at, err := agent.sipAddress(ctx)
		if err != nil {
			return err
		}
		w.flags = append(w.flags, "--trunk", fmt.Sprintf("%s=sip://%s?calls_per_second=0&concurrent_calls=2", trunk(i), at))
	}
	return nil
}

// trunk returns the name of the trunk to an agent.
func trunk(i int) string { return fmt.Sprintf("practice-%d", i) }

func (w *world) url() string { return "http://" + w.address }

func (w *world) say(format string, args ...any) {
	fmt.Fprintf(w.o.Progress, "%s %s\n", time.Now().Format("15:04:05"), fmt.Sprintf(format, args...))
}

// serve starts the service without waiting for anything.
func (w *world) serve() (*process, error) {
	p, err := w.start("serve.log", w.temp, append([]string{"--log-level=warn", "serve"}, w.flags...)...)
	if err == nil {
		w.lives = append(w.lives, p)
	}
	return p, err
}

// bringUp starts the service and waits until it is ready.
func (w *world) bringUp(ctx context.Context) (*process, error) {
	p, err := w.serve()
	if err != nil {
		return nil, err
	}
	patience, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if !p.ready(patience, w.url()) {
		return nil, fmt.Errorf("the service does not come up again: see %s", filepath.Join(w.folder, "serve.log"))
	}
	w.usual = time.Since(p.begun)
	w.figures.Starts = append(w.figures.Starts, w.usual)
	if w.api != nil {
		w.watch.follow(ctx, w.api, p.ended)
		w.opened()
	}
	return p, nil
}

// opened lets the writers continue; shut makes them wait.
func (w *world) opened() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.up)
}

func (w *world) shut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.up:
		w.up = make(chan struct{})
	default:
	}
}

// open waits until the service is ready; it returns false if the writers must stop.
func (w *world) open(ctx context.Context) bool {
	w.mu.Lock()
	up := w.up
	w.mu.Unlock()
	select {
	case <-up:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (w *world) isRetired() bool {
	select {
	case <-w.retired:
		return true
	default:
		return false
	}
}

// retire tells the writers to begin nothing new.
func (w *world) retire() { close(w.retired) }

// makeKey creates an API key with the operator's command, while the service is running.
func (w *world) makeKey(ctx context.Context) error {
	args := []string{"keys", "create", "--name", "crash", "--data", w.data}
	if w.database != "" {
		args = append(args, "--database", w.database)
	}
	cmd := exec.CommandContext(ctx, w.o.Binary, args...)
	cmd.Env = bare()
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	w.key = regexp.MustCompile(`rt_[0-9a-f]+_[0-9a-f]+`).FindString(string(out))
	if w.key == "" {
		return errors.New("make a key: none was printed")
	}
	w.api = client.New(w.url(), w.key, client.WithRetries(0))
	return nil
}

func (w *world) close() error {
	for _, p := range w.lives {
		p.kill()
	}
	for _, agent := range w.agents {
		_ = agent.stop(5 * time.Second)
	}
	return w.sink.close()
}
