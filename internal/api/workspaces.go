package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Workspaces makes and names workspaces.
type Workspaces interface {
	CreateWorkspace(ctx context.Context, by workspace.Identity, name string) (workspace.Workspace, error)
	// RenameWorkspace is problem.NotFound for a workspace that by is not in.
	RenameWorkspace(ctx context.Context, by workspace.Identity, id, name string) (people.Membership, error)
}

// WorkspaceName is what a workspace is called.
type WorkspaceName struct {
	Name string `json:"name" doc:"What the workspace is called" example:"Support"`
}

type (
	workspaceInput       struct{ Body WorkspaceName }
	workspaceChangeInput struct {
		ID   string `path:"id" maxLength:"128" doc:"Id of the workspace"`
		Body WorkspaceName
	}
)

const tagWorkspaces = "Workspaces"

func (s *server) workspaceRoutes() {
	if s.Workspaces == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-workspace", Method: http.MethodPost, Path: "/workspaces", Tags: []string{tagWorkspaces},
		Summary: "Create a workspace and become its owner", DefaultStatus: http.StatusCreated,
		Description: "Workspaces see nothing of each other. Switch to the new one with PATCH /session.",
	}, s.createWorkspace)
	rest.Register(s.Server, huma.Operation{
		OperationID: "change-workspace", Method: http.MethodPatch, Path: "/workspaces/{id}", Tags: []string{tagWorkspaces},
		Summary: "Rename a workspace", Description: "Takes the role admin or higher in that workspace.",
	}, s.changeWorkspace)
}

func (s *server) createWorkspace(ctx context.Context, in *workspaceInput) (*rest.Body[SessionPlaceAnd], error) {
	w, err := s.Workspaces.CreateWorkspace(ctx, rest.IdentityOf(ctx), in.Body.Name)
	if err != nil {
		return nil, err
	}
	return rest.Answer(SessionPlaceAnd{SessionPlace{w.ID, w.Name}, workspace.Owner}), nil
}

func (s *server) changeWorkspace(ctx context.Context, in *workspaceChangeInput) (*rest.Body[SessionPlaceAnd], error) {
	m, err := s.Workspaces.RenameWorkspace(ctx, rest.IdentityOf(ctx), in.ID, in.Body.Name)
	if err != nil {
		return nil, err
	}
	return rest.Answer(SessionPlaceAnd{SessionPlace{m.WorkspaceID, m.Name}, m.Role}), nil
}
