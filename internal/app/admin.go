package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Admin is what the operator's commands work with: the database alone, beside
// a service that may be running on it.
type Admin struct {
	workspaces *workspace.Service
	people     *people.Service
	cleanups   cleanups
}

// HasDatabase reports whether a data folder already holds an SQLite database. An error says why
// that cannot be found out.
func HasDatabase(data string) (bool, error) {
	_, err := os.Stat(databasePath(data))
	return foundDatabase(data, err)
}

// MayHaveDatabase is HasDatabase, and true of an empty folder, too: one that was made for a new
// service. What a file system keeps at its root does not fill a folder.
func MayHaveDatabase(data string) (bool, error) {
	if there, err := HasDatabase(data); there || err != nil {
		return there, err
	}
	held, err := os.ReadDir(data)
	if there, err := foundDatabase(data, err); !there || err != nil {
		return false, err
	}
	return !slices.ContainsFunc(held, func(e fs.DirEntry) bool { return e.Name() != "lost+found" }), nil
}

// foundDatabase tells from the error of a look at the file whether the database is there.
func foundDatabase(data string, err error) (bool, error) {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case errors.Is(err, fs.ErrPermission):
		return false, problem.New(problem.Unavailable, "the data folder %s may not be entered by the user that runs this", data).
			WithHint("run it as the user of the service").Because(err)
	}
	return err == nil, explained(data, err)
}

func databasePath(data string) string { return filepath.Join(data, "ringtrue.db") }

// OpenAdmin opens (and migrates) the database of o; everything else in o is ignored.
func OpenAdmin(ctx context.Context, o Options) (*Admin, error) {
	a := &Admin{}
	o.tell = tellUpgrade(o.Log, nil)
	s, _, err := openStore(ctx, o, o.Now, &a.cleanups)
	if err != nil {
		return nil, errors.Join(explained(o.Data, err), a.cleanups.run(ctx))
	}
	a.workspaces = newWorkspaces(s, o)
	if a.people, err = newPeople(s, o); err != nil {
		return nil, errors.Join(err, a.cleanups.run(ctx))
	}
	return a, nil
}

// Close closes the database.
func (a *Admin) Close(ctx context.Context) error { return a.cleanups.run(ctx) }

// CreateWorkspace makes a workspace and its first key, and returns both.
func (a *Admin) CreateWorkspace(ctx context.Context, name string) (workspace.First, error) {
	return a.workspaces.CreateWithKey(ctx, name)
}

// Workspaces lists all workspaces, oldest first.
func (a *Admin) Workspaces(ctx context.Context) ([]workspace.Workspace, error) {
	return a.workspaces.Workspaces(ctx)
}

// CreateKey makes a key and returns its secret. workspaceID "" is the only
// workspace; when there is none yet, it is made.
func (a *Admin) CreateKey(ctx context.Context, workspaceID, name string) (string, error) {
	return createKey(ctx, a.workspaces, workspaceID, name)
}

// Keys lists the keys of the workspace, "" for the only one.
func (a *Admin) Keys(ctx context.Context, workspaceID string) ([]workspace.Key, error) {
	id, err := theWorkspace(ctx, a.workspaces, workspaceID)
	if err != nil || id == "" {
		return nil, err
	}
	return a.workspaces.Keys(ctx, id)
}

// RevokeKey revokes a key of the workspace, "" for the only one.
func (a *Admin) RevokeKey(ctx context.Context, workspaceID, id string) error {
	ws, err := theWorkspace(ctx, a.workspaces, workspaceID)
	if err != nil {
		return err
	}
	if ws == "" {
		return problem.Missing("key", id)
	}
	return a.workspaces.Revoke(asOperator(ctx, ws, "revoke-api-key"), ws, id)
}

func createKey(ctx context.Context, s *workspace.Service, workspaceID, name string) (string, error) {
	id, err := theWorkspace(ctx, s, workspaceID)
	if err != nil {
		return "", err
	}
	if id == "" {
		first, made, err := s.EnsureFirst(ctx, name)
		if err != nil || made {
			return first.Secret, err
		}
		return createKey(ctx, s, workspaceID, name) // a service that starts was quicker
	}
	_, secret, err := s.CreateKey(asOperator(ctx, id, "create-api-key"), id, name)
	return secret, err
}

// theWorkspace is the workspace with an id, which must be there; "" is the only one, or "" when there is none.
func theWorkspace(ctx context.Context, s *workspace.Service, id string) (string, error) {
	list, err := s.Workspaces(ctx)
	switch {
	case err != nil:
		return "", err
	case id != "" && !slices.ContainsFunc(list, func(w workspace.Workspace) bool { return w.ID == id }):
		return "", problem.Missing("workspace", id)
	case id != "" || len(list) == 0:
		return id, nil
	case len(list) > 1:
		return "", problem.New(problem.Conflict, "there are %d workspaces", len(list)).WithHint("name one with --workspace; ringtrue workspaces list shows them")
	}
	return list[0].ID, nil
}
