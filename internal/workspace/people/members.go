package people

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Members lists who belongs to a workspace, by name.
func (s *Service) Members(ctx context.Context, workspaceID string) (list []Member, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.Members(ctx, workspaceID)
		return err
	})
	return list, err
}

// SetRole gives a member another role. Only owners make and unmake owners, and
// the last one stays.
func (s *Service) SetRole(ctx context.Context, by workspace.Identity, personID string, role workspace.Role) (m Member, err error) {
	err = s.Store.Write(ctx, func(tx Tx) error {
		var owners int
		if m, owners, err = s.member(ctx, tx, &by, personID); err != nil {
			return err
		}
		if role == workspace.Owner && by.Role != workspace.Owner {
			return ownersOnly()
		}
		if m.Role == workspace.Owner && role != workspace.Owner && owners == 1 {
			return lastOwner()
		}
		m.Role = role
		return tx.SetMemberRole(ctx, by.WorkspaceID, personID, role)
	})
	return m, err
}

// Remove takes a member out of the workspace and ends all sessions of the person.
// Who is in no workspace afterwards is forgotten.
func (s *Service) Remove(ctx context.Context, by workspace.Identity, personID string) error {
	return s.Store.Write(ctx, func(tx Tx) error {
		m, owners, err := s.member(ctx, tx, &by, personID)
		if err != nil {
			return err
		}
		if m.Role == workspace.Owner && owners == 1 {
			return lastOwner()
		}
		if err := tx.DeleteMember(ctx, by.WorkspaceID, personID); err != nil {
			return err
		}
		if err := tx.DeleteSessionsOf(ctx, personID); err != nil {
			return err
		}
		left, err := tx.Memberships(ctx, personID)
		if err != nil || len(left) > 0 {
			return err
		}
		if err := tx.DeleteTokensOf(ctx, personID); err != nil {
			return err
		}
		return tx.DeletePerson(ctx, personID)
	})
}

// member finds a member that by may change, and counts the owners. by gets the role that it has
// now, which need not be the one that it had when the request began. The rows are held, so that
// two owners cannot remove each other.
func (s *Service) member(ctx context.Context, tx Tx, by *workspace.Identity, personID string) (m Member, owners int, err error) {
	list, err := tx.Members(ctx, by.WorkspaceID)
	if err != nil {
		return m, 0, err
	}
	by.Role = ""
	for _, one := range list {
		if one.Role == workspace.Owner {
			owners++
		}
		if one.PersonID == personID {
			m = one
		}
		if one.PersonID == by.PersonID {
			by.Role = one.Role
		}
	}
	switch {
	case m.PersonID == "":
		return m, 0, problem.Missing("member", personID)
	case !by.Role.AtLeast(workspace.Admin) || m.Role == workspace.Owner && by.Role != workspace.Owner:
		return m, 0, ownersOnly()
	}
	to(ctx, memberThing(m))
	return m, owners, nil
}

func ownersOnly() error {
	return problem.New(problem.Forbidden, "only an owner of the workspace may do this").WithHint("ask an owner; the list of members shows who they are")
}

func lastOwner() error {
	return problem.New(problem.Conflict, "this is the last owner of the workspace").WithHint("make somebody else an owner first")
}

// CreateWorkspace makes a workspace that belongs to the person.
func (s *Service) CreateWorkspace(ctx context.Context, by workspace.Identity, name string) (w workspace.Workspace, err error) {
	if err := workspace.CheckName("name", name); err != nil {
		return w, err
	}
	w = workspace.Workspace{ID: s.NewID("ws"), Name: name, CreatedAt: s.Now()}
	err = s.Store.Write(ctx, func(tx Tx) error {
		list, err := tx.Memberships(ctx, by.PersonID)
		if err != nil {
			return err
		}
		if len(list) >= maxMemberships {
			return problem.New(problem.Conflict, "you are in %d workspaces already", len(list))
		}
		if err := tx.InsertWorkspace(ctx, w); err != nil {
			return err
		}
		audit.Tell(ctx, func(e *audit.Entry) {
			e.WorkspaceID, e.Thing = w.ID, audit.Thing{Kind: "workspace", ID: w.ID, Name: name}
		})
		return tx.InsertMember(ctx, Member{WorkspaceID: w.ID, PersonID: by.PersonID, Role: workspace.Owner, CreatedAt: s.Now()})
	})
	return w, err
}

// maxMemberships is how many workspaces a person may be in.
const maxMemberships = 200

// RenameWorkspace gives a workspace another name. A person may rename those
// where they are an admin, a key its own.
func (s *Service) RenameWorkspace(ctx context.Context, by workspace.Identity, id, name string) (m Membership, err error) {
	if err := workspace.CheckName("name", name); err != nil {
		return m, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		role := workspace.Role("")
		if by.PersonID == "" && by.WorkspaceID == id {
			role = by.Role
		}
		list, err := tx.Memberships(ctx, by.PersonID)
		if err != nil {
			return err
		}
		for _, one := range list {
			if one.WorkspaceID == id {
				role = one.Role
			}
		}
		switch {
		case role == "":
			return problem.Missing("workspace", id)
		case !role.AtLeast(workspace.Admin):
			return problem.New(problem.Forbidden, "only an admin of the workspace may rename it")
		}
		audit.Tell(ctx, func(e *audit.Entry) { e.WorkspaceID, e.Thing = id, audit.Thing{Kind: "workspace", ID: id, Name: name} })
		m = Membership{WorkspaceID: id, Name: name, Role: role}
		return tx.RenameWorkspace(ctx, id, name)
	})
	return m, err
}
