package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// ItemsChecked tells what a file of items holds and what is wrong with it.
type ItemsChecked struct {
	ItemCount int                 `json:"item_count" doc:"How many items the file holds; 0 when it has problems"`
	Items     []scenario.Item     `json:"items" doc:"The first of them, at most 20, as they were understood"`
	Problems  []rest.ProblemField `json:"problems" doc:"Everything that is wrong with the file, with line and path; empty when it can be imported"`
}

// checkedShown is how many items an answer shows.
const checkedShown = 20

type checkItemsInput struct {
	Format      string `query:"format" enum:"json,jsonl,yaml,csv" doc:"Format of the file; when not given, the Content-Type tells it"`
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

func (s *server) checkItemsRoute() {
	rest.Register(s.Server, s.itemFile(huma.Operation{
		OperationID: "check-dataset-items", Method: http.MethodPost, Path: "/datasets/check", Tags: []string{tagDatasets},
		Summary:     "Check a file of items without storing it",
		Description: "Reads the file as an import does and reports all its problems at once. Only the import finds keys that the dataset already has.",
	}), s.checkItems)
}

func (s *server) checkItems(_ context.Context, in *checkItemsInput) (*rest.Body[ItemsChecked], error) {
	format, err := formatOf(in.Format, in.ContentType)
	if err != nil {
		return nil, err
	}
	items, bad := catalog.ReadItems(format, in.RawBody)
	out := ItemsChecked{ItemCount: len(items), Items: orEmpty(items[:min(len(items), checkedShown)]), Problems: []rest.ProblemField{}}
	if bad == nil {
		return rest.Answer(out), nil
	}
	if len(bad.Fields) == 0 {
		return nil, bad
	}
	for _, f := range bad.Fields {
		out.Problems = append(out.Problems, rest.ProblemField(f))
	}
	return rest.Answer(out), nil
}
