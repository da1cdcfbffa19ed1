package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type runCommand struct {
	File    string        `arg:"" optional:"" help:"Dataset to run: JSON, JSONL, YAML or CSV. It is created under the file's name, or gets a new version when the file has changed." type:"existingfile"`
	Dataset string        `help:"Run this dataset, which the service already has, instead of a file." placeholder:"DS"`
	Agent   string        `help:"Agent to test: its id, or its sourceId." required:"" placeholder:"AGT"`
	To      *string       `help:"Number to dial, in international format (default: that of the agent's test defaults)." placeholder:"+1…"`
	URL     string        `help:"The service (default http://127.0.0.1:8080)." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Key     string        `help:"API key (better given as RINGTRUE_KEY)." env:"RINGTRUE_KEY" placeholder:"KEY"`
	Timeout time.Duration `help:"Give up waiting after this time." default:"1h"`
	JUnit   string        `name:"junit" help:"Also write the report as JUnit XML to this file." placeholder:"FILE"`
	JSON    bool          `help:"Print only a JSON report on standard output."`
}

// Help is the longer part of --help.
func (runCommand) Help() string {
	return `Exit code: 0 the experiment passed, 1 it failed, 2 it was void or too few calls could be evaluated, 3 it
could not be run, 64 the command line cannot be read.

  export RINGTRUE_KEY=…       # ringtrue keys create
  ringtrue run dataset.yaml --agent front-desk-1 --to +15550123 --junit report.xml
  ringtrue run --dataset ds_… --agent agt_… --to +15550123 --json > report.json`
}

// Run runs the dataset and waits for the verdict, which is the exit code.
func (c *runCommand) Run(ctx context.Context, w *world) error {
	if (c.File == "") == (c.Dataset == "") {
		return problem.Invalid(problem.Field{Path: "FILE", Message: "give either a file or --dataset"})
	}
	file, err := c.check(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	say := w.out
	if c.JSON {
		say = w.err
	}
	api := client.New(c.URL, c.Key, tellsAgain(say))
	r, err := c.experiment(ctx, api, file, say)
	if err != nil {
		return c.explained(ctx, r.Experiment.ID, err)
	}
	if err := c.print(ctx, w, api, r); err != nil {
		return err
	}
	return verdictCode(r.Experiment)
}

// experiment begins the experiment and waits for its report; an error comes with the id of what was begun.
func (c *runCommand) experiment(ctx context.Context, api *client.Client, file datasetFile, say io.Writer) (client.Report, error) {
	agentID, datasetID := c.Agent, c.Dataset
	var err error
	if !strings.HasPrefix(agentID, "agt_") {
		if agentID, err = findAgent(ctx, api, c.Agent); err != nil {
			return client.Report{}, err
		}
	}
	number, err := c.number(ctx, api, agentID)
	if err != nil {
		return client.Report{}, err
	}
	if c.File != "" {
		if datasetID, err = ensureDataset(ctx, api, file.name, file.format, file.data); err != nil {
			return client.Report{}, err
		}
	}
	started, err := api.Run(ctx, agentID, client.RunRequest{ToNumber: number, DatasetID: datasetID})
	if err != nil {
		return client.Report{}, err
	}
	fmt.Fprintf(say, "%s runs %s\n", started.VoiceExperimentID, datasetID)
	begun := client.Report{Experiment: client.Experiment{ID: started.VoiceExperimentID}}
	if _, err := newProgress(say, time.Now).follow(ctx, api, started.VoiceExperimentID); err != nil {
		return begun, err
	}
	r, err := api.Report(ctx, started.VoiceExperimentID)
	if err != nil {
		return begun, err
	}
	return r, nil
}

// number is the one to dial: the agent's own where none is given. An empty one is that of a variable
// that was not set, and stands for no other number.
func (c *runCommand) number(ctx context.Context, api *client.Client, agentID string) (string, error) {
	if c.To != nil {
		return *c.To, nil
	}
	a, err := api.Agent(ctx, agentID)
	if err != nil {
		return "", err
	}
	if a.Defaults.ToNumber == nil {
		return "", problem.Invalid(problem.Field{Path: "--to", Message: "is required, because the agent has no number of its own"})
	}
	return *a.Defaults.ToNumber, nil
}

func (c *runCommand) print(ctx context.Context, w *world, api *client.Client, r client.Report) error {
	if c.JUnit != "" {
		xml, err := api.ReportJUnit(ctx, r.Experiment.ID)
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.JUnit, xml, 0o644); err != nil { //nolint:gosec // a report is no secret
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(w.out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	return printReport(w.out, r, nil)
}

func verdictCode(e client.Experiment) error {
	if e.Status != "FINISHED" {
		return exitCode(exitCouldNot)
	}
	verdict := ""
	if e.Verdict != nil {
		verdict = *e.Verdict
	}
	switch verdict {
	case "passed":
		return nil
	case "failed":
		return exitCode(exitNotPassed)
	}
	return exitCode(exitVoid)
}
