package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	neturl "net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/examples/clinic"
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// demoNumber and demoCaller are numbers reserved for fiction.
	demoNumber = "+15550123"
	demoCaller = "+15550100"
	// demoSource is the practice agent's id in its own system.
	demoSource = "clinic-front-desk"
	// demoCalls is how many calls the demo has on the line at a time.
	demoCalls = 20
)

type demoCommand struct {
	Data  string   `help:"Folder to keep everything in (default: a temporary one)." type:"path" placeholder:"DIR"`
	Fault []string `help:"Faults of the practice agent, instead of the usual two (ringtrue practice --faults lists them); none switches all off." sep:"none" placeholder:"NAME=SIZE"`
	Rooms bool     `help:"Meet the practice agent in rooms of the embedded media server instead of phoning it."`
	Once  bool     `help:"Stop after the report; exits 0 when the demo worked, whatever the verdicts."`
	JSON  bool     `help:"Print only a JSON report on standard output."`
}

// Help is the longer part of --help.
func (demoCommand) Help() string {
	return `Uses free ports of this machine, phones the practice agent with ten scenarios of an invented clinic, prints
what it found, and keeps the web app running until you press Ctrl-C. Nothing leaves the machine.

  ringtrue demo                        # the agent has two faults, and they are found
  ringtrue demo --fault late=3s        # another fault (ringtrue practice --faults lists them)
  ringtrue demo --once --json          # for programs`
}

// demo is everything a running demo consists of.
type demo struct {
	w       *world
	data    string
	service *app.App
	client  *client.Client
	key     string
	agent   *practiceProcess
	say     io.Writer // what a person reads while it runs
	// isTold is set once the person has read where everything is kept.
	isTold bool
}

// demoStopTime is how long the calls of a demo are given to end: nobody else is on them.
const demoStopTime = 2 * time.Second

// Run starts everything on free ports of this machine, runs one experiment
// against the practice agent, and prints what it found.
func (c *demoCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	d := &demo{w: w, data: c.Data, say: w.out}
	if c.JSON {
		d.say = w.err
	}
	begun := time.Now()
	err := d.start(ctx, c, quieter(log))
	defer d.agent.stop()
	if err == nil {
		err = d.experiment(ctx, c, begun)
	}
	if err == nil && !c.Once {
		err = d.stayUp(ctx)
	}
	if d.service != nil {
		err = stopped(ctx, d.service, demoStopTime, err)
	}
	if c.Data == "" && d.data != "" && !d.isTold {
		err = errors.Join(err, os.RemoveAll(d.data)) // nobody was phoned, and nobody knows of it
	}
	return err
}

// quieter keeps the service's routine off the terminal of a demo.
func quieter(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(atLeast{log.Handler(), slog.LevelWarn})
}

// atLeast passes on the records of its level and above.
type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled implements slog.Handler.
func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

// start brings up the practice agent in a process of its own and the service in this one.
func (d *demo) start(ctx context.Context, c *demoCommand, log *slog.Logger) (err error) {
	if d.data == "" {
		if d.data, err = os.MkdirTemp("", "ringtrue-demo-"); err != nil {
			return problem.New(problem.Unavailable, "cannot create a temporary folder in %s", os.TempDir()).
				WithHint("set TMPDIR to a folder that can be written, or give a folder with --data").Because(err)
		}
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	if d.agent, err = startPractice(ctx, d.w, url, c); err != nil {
		return errors.Join(err, listener.Close())
	}
	options := app.Options{Data: d.data, Listener: listener, Version: d.w.version, Log: log, Now: time.Now}
	if !c.Rooms {
		options.Trunks = []sip.Trunk{{
			Name: "practice", Host: d.agent.Address, Transport: sip.UDP, From: demoCaller, ConcurrentCalls: demoCalls,
		}}
	}
	d.service, err = app.New(ctx, options)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	key := d.service.FirstKey()
	if key == "" { // the folder has been used before
		if key, err = d.service.CreateKey(ctx, "demo"); err != nil {
			return err
		}
	}
	d.agent.tell(key)
	d.client, d.key = client.New(url, key), key
	return d.service.Start(ctx)
}

func (c *demoCommand) faults() []string {
	if len(c.Fault) == 1 && c.Fault[0] == "none" {
		return nil
	}
	if len(c.Fault) > 0 {
		return c.Fault
	}
	return clinic.Faults()
}

// experiment creates agent and dataset, runs them, and reports.
func (d *demo) experiment(ctx context.Context, c *demoCommand, begun time.Time) error {
	agentID, err := ensureAgent(ctx, d.client, demoSource)
	if err != nil {
		return err
	}
	datasetID, err := ensureDataset(ctx, d.client, "clinic front desk", "yaml", clinic.Dataset())
	if err != nil {
		return err
	}
	id, err := d.begin(ctx, c, agentID, datasetID)
	if err != nil {
		return err
	}
	if !c.Once {
		if err := d.invite(ctx, id); err != nil {
			return err
		}
	}
	if _, err := newProgress(d.say, time.Now).follow(ctx, d.client, id); err != nil {
		return err
	}
	r, err := d.client.Report(ctx, id)
	if err != nil {
		return err
	}
	out := demoReport{Report: r, Data: d.data, Seconds: time.Since(begun).Seconds(), Recordings: d.recordings(r)}
	if c.JSON {
		enc := json.NewEncoder(d.w.out)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	}
	return printReport(d.w.out, r, out.Recordings)
}

// begin starts the experiment and returns its id.
func (d *demo) begin(ctx context.Context, c *demoCommand, agentID, datasetID string) (string, error) {
	if !c.Rooms {
		started, err := d.client.Run(ctx, agentID, client.RunRequest{ToNumber: demoNumber, DatasetID: datasetID})
		if err == nil {
			d.isTold = true
			fmt.Fprintf(d.say, "Phoning the practice agent over SIP at %s; everything is kept in %s\n\n", d.agent.Address, d.data)
		}
		return started.VoiceExperimentID, err
	}
	made, err := d.client.CreateMediaRooms(ctx, client.RoomsRequest{DatasetID: datasetID, AgentID: agentID})
	if err != nil {
		return "", err
	}
	answer, err := json.Marshal(made)
	if err != nil {
		return "", err
	}
	d.isTold = true
	fmt.Fprintf(d.say, "Meeting the practice agent in %s at %s; everything is kept in %s\n\n",
		counted(len(made.Rooms), "room"), made.Rooms[0].URL, d.data)
	d.agent.tell(string(answer))
	return made.ExperimentID, nil
}

// demoReport is what --json prints.
type demoReport struct {
	client.Report
	// Data is the folder with the database and the recordings.
	Data    string  `json:"data"`
	Seconds float64 `json:"seconds"`
	// Recordings are the files of the recordings, by call id.
	Recordings map[string]string `json:"recordings"`
}

// recordings finds the files of the calls' recordings in the data folder.
func (d *demo) recordings(r client.Report) map[string]string {
	files, data := map[string]string{}, os.DirFS(d.data) // whose own name may hold what a pattern takes for more than a letter
	for _, c := range r.Calls {
		found, err := fs.Glob(data, path.Join(app.RecordingsDir, "*", c.Call.ID, "*.wav"))
		if err == nil && len(found) > 0 {
			files[c.Call.ID] = filepath.Join(d.data, found[len(found)-1])
		}
	}
	return files
}

// invite prints where the calls can be watched while they are going on.
func (d *demo) invite(ctx context.Context, experimentID string) error {
	link, err := d.service.SignInURL(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.say, "Watch the calls in your browser (the link signs you in and works once):\n\n  %s&to=%s\n\n",
		link, neturl.QueryEscape("/experiments/"+experimentID))
	return nil
}

// stayUp leaves the service running until the person has seen enough.
func (d *demo) stayUp(ctx context.Context) error {
	link, err := d.service.SignInURL(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.say, `
The service runs until you press Ctrl-C. Look around in your browser (the link signs you in and works once):

  %s

or use the REST interface:

  export RINGTRUE_URL=%s RINGTRUE_KEY=%s
  curl -sH "Authorization: Bearer $RINGTRUE_KEY" $RINGTRUE_URL/api/rest/voice-experiments
  documentation: %s/docs
`, link, d.service.URL(), d.key, d.service.URL())
	select {
	case <-ctx.Done():
		return nil
	case err := <-d.service.Broken():
		return err
	}
}

// practiceProcess is the practice agent as a child of the demo. It ends when
// its standard input does, so it cannot outlive us.
type practiceProcess struct {
	// Address is where it takes calls: "127.0.0.1:port".
	Address string

	cmd   *exec.Cmd
	stdin io.WriteCloser
}

// practiceReady is the line the practice agent prints when it takes calls.
type practiceReady struct {
	// SIP is where it takes telephone calls, "" when it only joins rooms.
	SIP   string `json:"sip"`
	Ready bool   `json:"ready"`
}

func startPractice(ctx context.Context, w *world, url string, c *demoCommand) (*practiceProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"--log-level=warn", "practice", "--listen=127.0.0.1:0", "--ready-json", "--until-stdin-closes",
		"--report-url=" + url, "--source-id=" + demoSource}
	if c.Rooms {
		args = append(args, "--no-phone")
	}
	for _, f := range c.faults() {
		args = append(args, "--fault="+f)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, args...)
	cmd.Env = slices.DeleteFunc(slices.Clone(w.environ), isFault) // the child is told of its faults above
	cmd.Stderr = w.err
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the practice agent: %w", err)
	}
	p := &practiceProcess{cmd: cmd, stdin: stdin}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var ready practiceReady
	if err != nil || json.Unmarshal(line, &ready) != nil || !ready.Ready {
		p.stop()
		return nil, errors.New("the practice agent did not start; its error message is above")
	}
	p.Address = ready.SIP
	return p, nil
}

// isFault reports whether a variable of the environment stands for --fault.
func isFault(variable string) bool { return strings.HasPrefix(variable, "RINGTRUE_FAULT=") }

// tell hands the child the key for its reports or rooms to join; neither ever stands on a command line.
func (p *practiceProcess) tell(line string) { _, _ = io.WriteString(p.stdin, line+"\n") }

// stop ends the child; a nil process has none.
func (p *practiceProcess) stop() {
	if p == nil {
		return
	}
	_ = p.stdin.Close()
	kill := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	_ = p.cmd.Wait()
}
