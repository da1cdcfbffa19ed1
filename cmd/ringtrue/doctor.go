package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type doctorCommand struct {
	Data string `help:"Folder for everything that is stored (default ./ringtrue-data)." default:"./ringtrue-data" type:"path" placeholder:"DIR"`
	speechFlags
	mediaFlags
	Trunk []string `help:"Also ask these trunks whether they answer." sep:"none" placeholder:"TRUNK"`
}

// Help is the longer part of --help.
func (doctorCommand) Help() string {
	return `Takes the flags of serve for data folder, speech, media server and trunks, and tries what they name. Exit code: 0 everything needed is there, 3 something is missing.`
}

// Run tells what works on this machine; it fails when something that is needed does not.
func (c *doctorCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	trunks, bad := parseTrunks(c.Trunk)
	if bad = slices.Concat(bad, c.speechFlags.check(), c.mediaFlags.check()); len(bad) > 0 {
		return problem.Invalid(bad...)
	}
	healthy := true
	findings, err := app.Examine(ctx, app.Options{Data: c.Data, Speech: c.speechFlags.options(log), Media: c.mediaFlags.options(), Trunks: trunks, Log: log, Now: time.Now})
	if err != nil {
		return err
	}
	for _, f := range findings {
		mark := "ok      "
		switch {
		case !f.OK && f.Needed:
			mark, healthy = "MISSING ", false
		case !f.OK:
			mark = "optional"
		}
		fmt.Fprintf(w.out, "%s  %-18s %s\n", mark, f.Name, f.Detail)
		if !f.OK && f.Hint != "" {
			fmt.Fprintf(w.out, "          %-18s %s\n", "", f.Hint)
		}
	}
	if !healthy {
		return exitCode(exitCouldNot)
	}
	return nil
}
