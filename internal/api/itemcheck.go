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
	Items     []scenario.Item     `json:"items" doc:"The first of them, as they were understood"`
	Problems  []rest.ProblemField `json:"problems" doc:"Everything that is wrong, each with its line and place; empty when the file can be imported"`
}

// checkedShown is how many items an answer shows.
const checkedShown = 20

type checkItemsInput struct {
	Format      string `query:"format" enum:"json,jsonl,yaml,csv" doc:"Overrides the Content-Type"`
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"application/json"`
}

func (s *server) checkItemsRoute() {
	rest.Register(s.Server, s.itemFile(huma.Operation{
		OperationID: "check-dataset-items", Method: http.MethodPost, Path: "/datasets/check", Tags: []string{tagDatasets},
		Summary:     "Check a file of items without storing it",
		Description: "Reads the file as an import does and names all its problems at once. Keys that a dataset has already are found by the import alone.",
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
