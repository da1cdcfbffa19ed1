package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Items keeps the items of datasets. Every change makes a new version;
// version 0 means the current one.
type Items interface {
	// Items returns a page in order, the version it is of, and the cursor of the next page, "" when there is none.
	Items(ctx context.Context, workspaceID, datasetID string, version, limit int, cursor string) ([]scenario.Item, int, string, error)
	Item(ctx context.Context, workspaceID, datasetID, itemID string, version int) (scenario.Item, error)
	AddItems(ctx context.Context, workspaceID, datasetID string, items []scenario.Item) (scenario.Dataset, []scenario.Item, error)
	ReplaceItem(ctx context.Context, workspaceID, datasetID, itemID string, item scenario.Item) (scenario.Dataset, scenario.Item, error)
	DeleteItem(ctx context.Context, workspaceID, datasetID, itemID string) (scenario.Dataset, error)
}

// ItemPage is a page of a dataset's items.
type ItemPage struct {
	rest.Page[scenario.Item]
	DatasetVersion int `json:"dataset_version" doc:"Version of the dataset that the items are of. Give it as version together with cursor, so that changes in between do not mix two versions"`
}

// ItemsAdded is the answer to new items.
type ItemsAdded struct {
	DatasetVersion int             `json:"dataset_version" doc:"The new version of the dataset, which has the items"`
	Items          []scenario.Item `json:"items" doc:"The new items with their ids"`
}

// ItemsCreate is a list of new items.
type ItemsCreate struct {
	Items []scenario.Item `json:"items" doc:"The new items; a single one can also be sent as the body itself"`
}

// ItemFile is a file of items with what may stand around them.
type ItemFile struct {
	Name        string          `json:"name,omitempty" doc:"Ignored: the dataset has its name already"`
	Description string          `json:"description,omitempty" doc:"Ignored: the dataset has its description already"`
	Items       []scenario.Item `json:"items" doc:"The scenarios"`
}

type listItemsInput struct {
	rest.PageQuery
	DatasetPath
	Version int `query:"version" minimum:"1" doc:"Version of the dataset; the current one when not given"`
}

type addItemsInput struct {
	rest.CreateHeader
	DatasetPath
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

// ItemPath names an item of a dataset. It is exported for the HTTP library, which passes over embedded types that are not.
type ItemPath struct {
	DatasetPath
	ItemID string `path:"item_id" maxLength:"128" doc:"Id of the item"`
}

type getItemInput struct {
	ItemPath
	Version int `query:"version" minimum:"1" doc:"Version of the dataset; the current one when not given"`
}

type replaceItemInput struct {
	ItemPath
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

func (s *server) itemRoutes() {
	if s.Items == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-dataset-items", Method: http.MethodGet, Path: "/datasets/{id}/items", Tags: []string{tagDatasets},
		Summary: "List the items of a dataset, in order",
	}, s.listItems)
	rest.Register(s.Server, s.handWritten(huma.Operation{
		OperationID: "add-dataset-items", Method: http.MethodPost, Path: "/datasets/{id}/items", Tags: []string{tagDatasets},
		Summary: "Add items to a dataset, as a new version", DefaultStatus: http.StatusCreated, MaxBodyBytes: s.MaxImport + 1,
	}, typeOf[ItemsCreate](), typeOf[scenario.Item]()), s.addItems)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-dataset-item", Method: http.MethodGet, Path: "/datasets/{id}/items/{item_id}", Tags: []string{tagDatasets},
		Summary: "Get an item",
	}, s.getItem)
	rest.Register(s.Server, s.handWritten(huma.Operation{
		OperationID: "replace-dataset-item", Method: http.MethodPut, Path: "/datasets/{id}/items/{item_id}", Tags: []string{tagDatasets},
		Summary:     "Replace an item at its place, as a new version",
		Description: "An item that is replaced by what it is already stays, and the dataset keeps its version.",
	}, typeOf[scenario.Item]()), s.replaceItem)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-dataset-item", Method: http.MethodDelete, Path: "/datasets/{id}/items/{item_id}", Tags: []string{tagDatasets},
		Summary: "Remove an item, as a new version", DefaultStatus: http.StatusNoContent,
	}, s.deleteItem)
}

func (s *server) listItems(ctx context.Context, in *listItemsInput) (*rest.Body[ItemPage], error) {
	list, version, next, err := s.Items.Items(ctx, rest.WorkspaceOf(ctx), in.ID, in.Version, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(ItemPage{rest.PageOf(list, next), version}), nil
}

func (s *server) addItems(ctx context.Context, in *addItemsInput) (*rest.Body[ItemsAdded], error) {
	items, err := readItems(in.ContentType, in.RawBody)
	if err != nil {
		return nil, err
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "add-dataset-items", From: []any{in.ID, items}},
		func(ctx context.Context) (*rest.Body[ItemsAdded], error) {
			d, added, err := s.Items.AddItems(ctx, rest.WorkspaceOf(ctx), in.ID, items)
			return rest.Answer(ItemsAdded{d.Version, orEmpty(added)}), err
		},
		func(m store.Remembered) (*rest.Body[ItemsAdded], error) {
			return s.addedItems(ctx, in.ID, m.Version, len(items))
		})
}

// addedItems shows what an earlier request added: the last items of the version it made.
func (s *server) addedItems(ctx context.Context, datasetID string, version, n int) (*rest.Body[ItemsAdded], error) {
	var all []scenario.Item
	for cursor := ""; ; {
		page, _, next, err := s.Items.Items(ctx, rest.WorkspaceOf(ctx), datasetID, version, 1000, cursor)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if cursor = next; next == "" {
			break
		}
	}
	return rest.Answer(ItemsAdded{version, all[max(0, len(all)-n):]}), nil
}

func (s *server) getItem(ctx context.Context, in *getItemInput) (*rest.Body[scenario.Item], error) {
	item, err := s.Items.Item(ctx, rest.WorkspaceOf(ctx), in.ID, in.ItemID, in.Version)
	return rest.Answer(item), err
}

func (s *server) replaceItem(ctx context.Context, in *replaceItemInput) (*rest.Body[scenario.Item], error) {
	if err := checkJSON(in.ContentType, in.RawBody); err != nil {
		return nil, err
	}
	item, fields := scenario.DecodeItem(in.RawBody, "")
	if len(fields) > 0 {
		return nil, invalidItem(fields)
	}
	_, item, err := s.Items.ReplaceItem(ctx, rest.WorkspaceOf(ctx), in.ID, in.ItemID, item)
	return rest.Answer(item), err
}

func (s *server) deleteItem(ctx context.Context, in *ItemPath) (*struct{}, error) {
	_, err := s.Items.DeleteItem(ctx, rest.WorkspaceOf(ctx), in.ID, in.ItemID)
	return nil, err
}
