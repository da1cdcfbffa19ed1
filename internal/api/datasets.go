package api

import (
	"context"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Datasets keeps datasets. Everything of another workspace is problem.NotFound.
type Datasets interface {
	CreateDataset(ctx context.Context, workspaceID string, in catalog.DatasetInput) (scenario.Dataset, error)
	Dataset(ctx context.Context, workspaceID, id string) (scenario.Dataset, error)
	// Datasets returns newest first and the cursor of the next page, "" when there is none.
	Datasets(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Dataset, string, error)
	UpdateDataset(ctx context.Context, workspaceID, id string, p catalog.DatasetPatch) (scenario.Dataset, error)
	DeleteDataset(ctx context.Context, workspaceID, id string) error
	Versions(ctx context.Context, workspaceID, datasetID string) ([]catalog.Version, error)
	// Import returns the dataset and how many items the file held.
	Import(ctx context.Context, workspaceID, datasetID string, format scenario.Format, data []byte, mode catalog.Mode) (scenario.Dataset, int, error)
}

// Dataset is a versioned list of scenarios.
type Dataset struct {
	ID          string `json:"id" doc:"Id of the dataset"`
	Name        string `json:"name" doc:"What it is called"`
	Description string `json:"description" doc:"A text of yours; may be empty"`
	Version     int    `json:"version" doc:"Rises with every change of the items"`
	ItemCount   int    `json:"item_count" doc:"How many items the current version has"`
	CreatedAt   int64  `json:"created_at" doc:"Milliseconds since 1970"`
	UpdatedAt   int64  `json:"updated_at" doc:"When it was last changed, milliseconds since 1970"`
}

// DatasetCreate is a new dataset.
type DatasetCreate struct {
	Name        string          `json:"name" doc:"What to call it" example:"Booking"`
	Description string          `json:"description,omitempty" doc:"A text of yours"`
	Items       []scenario.Item `json:"items,omitempty" doc:"The scenarios; they can also be added or imported later"`
}

// DatasetChange changes a dataset; what is not given stays.
type DatasetChange struct {
	Name        *string `json:"name,omitempty" doc:"A new name"`
	Description *string `json:"description,omitempty" doc:"A new description"`
}

// DatasetVersion is one state of a dataset's items.
type DatasetVersion struct {
	Version   int   `json:"version" doc:"The version's number"`
	ItemCount int   `json:"item_count" doc:"How many items it has"`
	CreatedAt int64 `json:"created_at" doc:"Milliseconds since 1970"`
}

// Imported is the answer to an import.
type Imported struct {
	Imported int     `json:"imported" doc:"How many items the file held"`
	Dataset  Dataset `json:"dataset" doc:"The dataset after the import"`
}

type createDatasetInput struct {
	rest.CreateHeader
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

// DatasetPath names a dataset. It is exported for the HTTP library, which passes over embedded types that are not.
type DatasetPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the dataset"`
}

type changeDatasetInput struct {
	DatasetPath
	Body DatasetChange
}

type importInput struct {
	rest.CreateHeader
	DatasetPath
	Mode        string `query:"mode" enum:"append,replace" default:"append" doc:"append adds the items of the file behind those of the dataset; replace puts them in their place, and keeps the id of an item whose id or key is in the file"`
	Format      string `query:"format" enum:"json,jsonl,yaml,csv" doc:"Format of the file; when not given, the Content-Type tells it"`
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

const tagDatasets = "Datasets"

func (s *server) datasetRoutes() {
	if s.Datasets == nil {
		return
	}
	create := s.handWritten(huma.Operation{
		OperationID: "create-dataset", Method: http.MethodPost, Path: "/datasets", Tags: []string{tagDatasets},
		Summary: "Create a dataset, optionally with its items", DefaultStatus: http.StatusCreated, MaxBodyBytes: s.MaxImport + 1,
	}, typeOf[DatasetCreate]())
	rest.Register(s.Server, create, s.createDataset)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-datasets", Method: http.MethodGet, Path: "/datasets", Tags: []string{tagDatasets},
		Summary: "List datasets, newest first",
	}, s.listDatasets)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-dataset", Method: http.MethodGet, Path: "/datasets/{id}", Tags: []string{tagDatasets},
		Summary: "Get a dataset, without its items",
	}, s.getDataset)
	rest.Register(s.Server, huma.Operation{
		OperationID: "update-dataset", Method: http.MethodPatch, Path: "/datasets/{id}", Tags: []string{tagDatasets},
		Summary: "Change a dataset's name and description",
	}, s.updateDataset)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-dataset", Method: http.MethodDelete, Path: "/datasets/{id}", Tags: []string{tagDatasets},
		Summary: "Delete a dataset", Description: "Experiments that played it are kept.", DefaultStatus: http.StatusNoContent,
	}, s.deleteDataset)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-dataset-versions", Method: http.MethodGet, Path: "/datasets/{id}/versions", Tags: []string{tagDatasets},
		Summary: "List the versions of a dataset, newest first",
	}, s.datasetVersions)
	s.importRoute()
	s.checkItemsRoute()
}

func (s *server) importRoute() {
	rest.Register(s.Server, s.itemFile(huma.Operation{
		OperationID: "import-dataset-items", Method: http.MethodPost, Path: "/datasets/{id}/import", Tags: []string{tagDatasets},
		Summary:     "Import items from a file",
		Description: "The file is JSON, JSON Lines, YAML or CSV, as the Content-Type or the parameter format says. If it has problems, all are reported at once, each with its line and path, and nothing is imported. The items form a new version of the dataset; a replacement that changes nothing keeps the version.",
	}), s.importItems)
}

// itemFile gives the operation a file of items as its body, in any format.
func (s *server) itemFile(op huma.Operation) huma.Operation {
	op.MaxBodyBytes = s.MaxImport + 1
	op = s.handWritten(op, typeOf[[]scenario.Item](), typeOf[ItemFile]())
	for _, kind := range []string{"application/x-ndjson", "application/yaml", "text/csv"} {
		op.RequestBody.Content[kind] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	return op
}

// handWritten gives the operation a body that the handler parses itself, so that every problem in
// it is reported with its place. Each of bodies is a form that the body may have.
func (s *server) handWritten(op huma.Operation, bodies ...reflect.Type) huma.Operation {
	forms := make([]*huma.Schema, 0, len(bodies))
	for _, body := range bodies {
		forms = append(forms, s.API.OpenAPI().Components.Schemas.Schema(body, true, op.OperationID+"-body"))
	}
	schema := forms[0]
	if len(forms) > 1 {
		schema = &huma.Schema{AnyOf: forms}
	}
	op.SkipValidateBody = true
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	return op
}

func (s *server) createDataset(ctx context.Context, in *createDatasetInput) (*rest.Body[Dataset], error) {
	created, err := readDataset(in.ContentType, in.RawBody)
	if err != nil {
		return nil, err
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-dataset", From: created},
		func(ctx context.Context) (*rest.Body[Dataset], error) {
			d, err := s.Datasets.CreateDataset(ctx, rest.WorkspaceOf(ctx), created)
			return rest.Answer(wireDataset(d)), err
		},
		func(m store.Remembered) (*rest.Body[Dataset], error) {
			return s.getDataset(ctx, &DatasetPath{ID: m.ID})
		})
}

func readDataset(contentType string, data []byte) (catalog.DatasetInput, error) {
	var out catalog.DatasetInput
	parts, err := readObject(contentType, data, "name", "description", "items")
	if err != nil {
		return out, err
	}
	var fields []problem.Field
	fields = parts.text(fields, "name", &out.Name)
	fields = parts.text(fields, "description", &out.Description)
	var more []problem.Field
	if out.Items, more = parts.items("items"); len(fields)+len(more) > 0 {
		return out, problem.Invalid(append(fields, more...)...)
	}
	return out, nil
}

func (s *server) listDatasets(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[Dataset]], error) {
	list, next, err := s.Datasets.Datasets(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireDataset), next)), nil
}

func (s *server) getDataset(ctx context.Context, in *DatasetPath) (*rest.Body[Dataset], error) {
	d, err := s.Datasets.Dataset(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireDataset(d)), err
}

func (s *server) updateDataset(ctx context.Context, in *changeDatasetInput) (*rest.Body[Dataset], error) {
	p := catalog.DatasetPatch{Name: in.Body.Name, Description: in.Body.Description}
	d, err := s.Datasets.UpdateDataset(ctx, rest.WorkspaceOf(ctx), in.ID, p)
	return rest.Answer(wireDataset(d)), err
}

func (s *server) deleteDataset(ctx context.Context, in *DatasetPath) (*struct{}, error) {
	return nil, s.Datasets.DeleteDataset(ctx, rest.WorkspaceOf(ctx), in.ID)
}

func (s *server) datasetVersions(ctx context.Context, in *DatasetPath) (*rest.Body[Versions[DatasetVersion]], error) {
	list, err := s.Datasets.Versions(ctx, rest.WorkspaceOf(ctx), in.ID)
	wire := func(v catalog.Version) DatasetVersion {
		return DatasetVersion{Version: v.Version, ItemCount: v.Items, CreatedAt: rest.Moment(v.CreatedAt)}
	}
	return rest.Answer(Versions[DatasetVersion]{rest.Mapped(list, wire)}), err
}

func (s *server) importItems(ctx context.Context, in *importInput) (*rest.Body[Imported], error) {
	format, err := formatOf(in.Format, in.ContentType)
	if err != nil {
		return nil, err
	}
	request := []any{in.ID, in.Mode, format, in.RawBody}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "import-dataset-items", From: request},
		func(ctx context.Context) (*rest.Body[Imported], error) {
			d, n, err := s.Datasets.Import(ctx, rest.WorkspaceOf(ctx), in.ID, format, in.RawBody, catalog.Mode(in.Mode))
			return rest.Answer(Imported{Imported: n, Dataset: wireDataset(d)}), err
		},
		func(store.Remembered) (*rest.Body[Imported], error) {
			items, _ := scenario.ParseItems(in.RawBody, format) // it could be read the first time
			d, err := s.Datasets.Dataset(ctx, rest.WorkspaceOf(ctx), in.ID)
			return rest.Answer(Imported{Imported: len(items), Dataset: wireDataset(d)}), err
		})
}

// formatOf is the format of a file; a named one wins over the media type.
func formatOf(named, contentType string) (scenario.Format, error) {
	if named != "" {
		return scenario.Format(named), nil
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = strings.ToLower(contentType)
	}
	switch kind {
	case "application/json", "text/json":
		return scenario.JSON, nil
	case "application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json-lines":
		return scenario.JSONL, nil
	case "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml":
		return scenario.YAML, nil
	case "text/csv":
		return scenario.CSV, nil
	}
	return "", problem.New(problem.UnsupportedType, "the file's media type is not supported").
		WithHint("send Content-Type application/json, application/x-ndjson, application/yaml or text/csv, or add ?format=json, jsonl, yaml or csv")
}

func wireDataset(d scenario.Dataset) Dataset {
	return Dataset{
		ID: d.ID, Name: d.Name, Description: d.Description, Version: d.Version, ItemCount: d.Items,
		CreatedAt: rest.Moment(d.CreatedAt), UpdatedAt: rest.Moment(d.UpdatedAt),
	}
}
