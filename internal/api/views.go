package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Views keeps the views that people save. What the asker may not see is problem.NotFound.
type Views interface {
	// Views returns newest first and the cursor of the next page, "" when there is none; page "" is any.
	Views(ctx context.Context, who savedview.Asker, page string, limit int, cursor string) ([]savedview.View, string, error)
	View(ctx context.Context, who savedview.Asker, id string) (savedview.View, error)
	Create(ctx context.Context, who savedview.Asker, in savedview.Input) (savedview.View, error)
	Update(ctx context.Context, who savedview.Asker, id string, p savedview.Patch) (savedview.View, error)
	Delete(ctx context.Context, who savedview.Asker, id string) error
}

// SavedView is a page of the web app, narrowed, under a name.
type SavedView struct {
	ID        string `json:"id" doc:"Id of the saved view"`
	Page      string `json:"page" doc:"Page of the web app that it belongs to" example:"calls"`
	Name      string `json:"name" doc:"What it is called"`
	Query     string `json:"query" doc:"Query of the page's address, without the ?" example:"verdict=failed&upset=true"`
	Shared    bool   `json:"shared" doc:"true: everybody in the workspace sees it"`
	Mine      bool   `json:"mine" doc:"true: it belongs to the person who asks"`
	CreatedAt int64  `json:"created_at" doc:"Milliseconds since 1970"`
	UpdatedAt int64  `json:"updated_at" doc:"When it was last changed, milliseconds since 1970"`
}

// SavedViewCreate is a new view.
type SavedViewCreate struct {
	Page   string `json:"page" doc:"Page of the web app that it belongs to" example:"calls"`
	Name   string `json:"name" doc:"What to call it" example:"Upset callers"`
	Query  string `json:"query" doc:"Query of the page's address, without the ?"`
	Shared *bool  `json:"shared,omitempty" doc:"true: everybody in the workspace sees it. A view that is made with an API key is always shared"`
}

// SavedViewChange changes a view; what is not given stays.
type SavedViewChange struct {
	Name   *string `json:"name,omitempty" doc:"A new name"`
	Query  *string `json:"query,omitempty" doc:"A new query"`
	Shared *bool   `json:"shared,omitempty" doc:"true: everybody in the workspace sees it"`
}

type listViewsInput struct {
	rest.PageQuery
	Page string `query:"page" maxLength:"64" doc:"Only views of this page of the web app, such as calls"`
}

// ViewPath names a saved view.
type ViewPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the saved view"`
}

type createViewInput struct {
	rest.CreateHeader
	Body SavedViewCreate
}

type changeViewInput struct {
	ViewPath
	Body SavedViewChange
}

const tagViews = "Saved views"

func (s *server) viewRoutes() {
	if s.Views == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-saved-views", Method: http.MethodGet, Path: "/saved-views", Tags: []string{tagViews},
		Summary: "List saved views, newest first", Description: "People see their own and the shared views, an API key only the shared ones.",
	}, s.listViews)
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-saved-view", Method: http.MethodPost, Path: "/saved-views", Tags: []string{tagViews},
		Summary: "Save a view", Description: "A view is the query of a page of the web app under a name. Everybody can save views for themselves; sharing one needs the role member or higher.", DefaultStatus: http.StatusCreated,
	}, s.createView)
	rest.Register(s.Server, huma.Operation{
		OperationID: "update-saved-view", Method: http.MethodPatch, Path: "/saved-views/{id}", Tags: []string{tagViews},
		Summary: "Change a saved view", Description: "A person can change their own views and, with the role member or higher, those made with API keys or by people who are in no workspace any more; an API key can change every shared view.",
	}, s.updateView)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-saved-view", Method: http.MethodDelete, Path: "/saved-views/{id}", Tags: []string{tagViews},
		Summary: "Delete a saved view", DefaultStatus: http.StatusNoContent,
	}, s.deleteView)
}

// asker is who wants something of saved views.
func asker(ctx context.Context) savedview.Asker {
	id := rest.IdentityOf(ctx)
	return savedview.Asker{WorkspaceID: id.WorkspaceID, PersonID: id.PersonID, MayShare: id.Role.AtLeast(workspace.Member)}
}

func (s *server) listViews(ctx context.Context, in *listViewsInput) (*rest.Body[rest.Page[SavedView]], error) {
	list, next, err := s.Views.Views(ctx, asker(ctx), in.Page, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	data := make([]SavedView, len(list))
	for i, v := range list {
		data[i] = wireView(ctx, v)
	}
	return rest.Answer(rest.PageOf(data, next)), nil
}

func (s *server) createView(ctx context.Context, in *createViewInput) (*rest.Body[SavedView], error) {
	b := in.Body
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-saved-view", From: b},
		func(ctx context.Context) (*rest.Body[SavedView], error) {
			v, err := s.Views.Create(ctx, asker(ctx), savedview.Input{Page: b.Page, Name: b.Name, Query: b.Query, Shared: b.Shared})
			return rest.Answer(wireView(ctx, v)), err
		},
		func(m store.Remembered) (*rest.Body[SavedView], error) {
			v, err := s.Views.View(ctx, asker(ctx), m.ID)
			return rest.Answer(wireView(ctx, v)), err
		})
}

func (s *server) updateView(ctx context.Context, in *changeViewInput) (*rest.Body[SavedView], error) {
	v, err := s.Views.Update(ctx, asker(ctx), in.ID, savedview.Patch{Name: in.Body.Name, Query: in.Body.Query, Shared: in.Body.Shared})
	return rest.Answer(wireView(ctx, v)), err
}

func (s *server) deleteView(ctx context.Context, in *ViewPath) (*struct{}, error) {
	return nil, s.Views.Delete(ctx, asker(ctx), in.ID)
}

func wireView(ctx context.Context, v savedview.View) SavedView {
	return SavedView{
		ID: v.ID, Page: v.Page, Name: v.Name, Query: v.Query, Shared: v.Shared, Mine: v.PersonID != "" && v.PersonID == rest.IdentityOf(ctx).PersonID,
		CreatedAt: rest.Moment(v.CreatedAt), UpdatedAt: rest.Moment(v.UpdatedAt),
	}
}
