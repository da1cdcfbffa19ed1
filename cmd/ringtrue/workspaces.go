package main

import (
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"github.com/ringtrue/ringtrue/internal/app"
)

type workspacesCommand struct {
	databaseFlags
	Create createWorkspace `cmd:"" help:"Create a workspace with its first key, shown once."`
	List   listWorkspaces  `cmd:"" help:"List the workspaces."`
}

type createWorkspace struct {
	Name string `arg:"" help:"What to call it."`
}

// Run creates the workspace and prints its id and its key, one per line.
func (c *createWorkspace) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withNew(ctx, keysCommand{databaseFlags: all.Workspaces.databaseFlags}, log, func(a *app.Admin) error {
		f, err := a.CreateWorkspace(ctx, c.Name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w.out, "%s\n%s\n", f.Workspace.ID, f.Secret)
		return err
	})
}

type listWorkspaces struct{}

// Run lists the workspaces.
func (listWorkspaces) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withExisting(ctx, keysCommand{databaseFlags: all.Workspaces.databaseFlags}, log, func(a *app.Admin) error {
		list, err := a.Workspaces(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tCREATED")
		for _, ws := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\n", ws.ID, ws.Name, day(ws.CreatedAt))
		}
		return table.Flush()
	})
}
