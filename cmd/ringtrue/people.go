package main

import (
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

type peopleCommand struct {
	databaseFlags
	PublicURL string       `name:"public-url" help:"Address at which people reach the service, for the links (default http://127.0.0.1:8080)." default:"http://127.0.0.1:8080" placeholder:"URL"`
	List      listPeople   `cmd:"" help:"List everybody who can sign in, with their workspaces and roles."`
	Link      linkPerson   `cmd:"" help:"Print a sign-in link for a person who has lost the password. It works once, for a day."`
	Invite    invitePerson `cmd:"" help:"Print an invitation link to a workspace. It works once, for a week."`
}

type listPeople struct{}

// Run lists people.
func (listPeople) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return withExisting(ctx, keysCommand{databaseFlags: all.People.databaseFlags}, log, func(a *app.Admin) error {
		list, err := a.People(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "EMAIL\tNAME\tWORKSPACE\tROLE\tSINCE")
		for _, p := range list {
			for _, m := range p.Memberships {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", p.Person.Email, p.Person.Name, m.WorkspaceID, m.Role, day(p.Person.CreatedAt))
			}
		}
		return table.Flush()
	})
}

// withLinks is withExisting for what prints links; root is the address that they begin with.
func (c *peopleCommand) withLinks(ctx context.Context, log *slog.Logger, do func(a *app.Admin, root string) error) error {
	if fields := checkPublicURL(c.PublicURL); len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return withExisting(ctx, keysCommand{databaseFlags: c.databaseFlags}, log, func(a *app.Admin) error {
		return do(a, root(c.PublicURL))
	})
}

type linkPerson struct {
	Email string `arg:"" help:"The person's e-mail address."`
}

// Run prints the link.
func (c *linkPerson) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return all.People.withLinks(ctx, log, func(a *app.Admin, root string) error {
		address, err := a.SignInLink(ctx, root, c.Email)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w.out, address)
		return err
	})
}

type invitePerson struct {
	Email     string `arg:"" help:"E-mail address of the person to invite."`
	Role      string `help:"What they may do: viewer, member, admin or owner." enum:"viewer,member,admin,owner" default:"member"`
	Workspace string `help:"Workspace, when there is more than one." placeholder:"WS"`
}

// Run prints the link.
func (c *invitePerson) Run(ctx context.Context, w *world, all *commands, log *slog.Logger) error {
	return all.People.withLinks(ctx, log, func(a *app.Admin, root string) error {
		address, err := a.InviteLink(ctx, root, c.Workspace, c.Email, workspace.Role(c.Role))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w.out, address)
		return err
	})
}
