package api

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/experiment"
)

// Report is an experiment with its calls, each beside the item it played.
type Report struct {
	Experiment Experiment   `json:"voice_experiment"`
	Calls      []ReportCall `json:"calls"`
}

// ReportCall is one call of a report.
type ReportCall struct {
	Item ReportItem `json:"dataset_item"`
	Call Call       `json:"call"`
}

// ReportItem names the item a call played, as it was when the run began.
type ReportItem struct {
	ID   string `json:"id"`
	Key  string `json:"key,omitempty" doc:"The client's own name of the item"`
	Goal string `json:"goal,omitempty"`
}

type reportInput struct {
	ExperimentPath
	Format string `query:"format" enum:"json,junit" doc:"junit gives JUnit XML, as Accept: application/xml does"`
	Accept string `header:"Accept" hidden:"true"`
}

func (s *server) reportRoutes() {
	register(s, huma.Operation{
		OperationID: "get-voice-experiment-report", Method: http.MethodGet, Path: "/voice-experiments/{id}/report", Tags: []string{tagExperiments},
		Summary:     "Get the report of a Voice Experiment as JSON or JUnit XML",
		Description: "It may be asked for at any time; before the end it shows what is known so far.",
		Responses: map[string]*huma.Response{"200": {
			Description: "The report.",
			Content: map[string]*huma.MediaType{
				"application/json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(typeOf[Report](), true, "Report")},
				"application/xml":  {Schema: &huma.Schema{Type: huma.TypeString}},
			},
		}},
	}, s.report)
}

func (s *server) report(ctx context.Context, in *reportInput) (*huma.StreamResponse, error) {
	r, err := s.Experiments.Report(ctx, workspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	var kind, name string
	var content []byte
	if in.Format == "junit" || in.Format == "" && prefersXML(in.Accept) {
		kind, name = "application/xml; charset=utf-8", r.Experiment.ID+".junit.xml"
		content, err = junit(r)
	} else {
		kind, name = "application/json", r.Experiment.ID+".json"
		content, err = marshal(s.wireReport(r))
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind)
		hc.SetHeader("Content-Disposition", `attachment; filename="`+name+`"`)
		hc.SetHeader("Content-Length", strconv.Itoa(len(content)))
		hc.SetStatus(http.StatusOK)
		_, _ = hc.BodyWriter().Write(content)
	}}, nil
}

// prefersXML reports whether an Accept header names XML and not JSON before it.
func prefersXML(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		kind, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		switch strings.TrimSpace(kind) {
		case "application/xml", "text/xml", "application/junit+xml":
			return true
		case "application/json", "*/*", "application/*":
			return false
		}
	}
	return false
}

func (s *server) wireReport(r experiment.Report) Report {
	out := Report{Experiment: wireExperiment(r.Experiment), Calls: make([]ReportCall, 0, len(r.Calls))}
	for i := range r.Calls {
		c := &r.Calls[i]
		out.Calls = append(out.Calls, ReportCall{
			Item: ReportItem{ID: cmp.Or(c.Item.ID, c.Call.ItemID), Key: c.Item.Key, Goal: c.Item.Input.Goal},
			Call: s.wireCall(c.Call, c.Review),
		})
	}
	return out
}
