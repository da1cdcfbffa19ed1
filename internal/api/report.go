package api

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// Report is an experiment with its calls, each beside the item it played.
type Report struct {
	Experiment Experiment   `json:"voice_experiment" doc:"The experiment, with its verdict"`
	Calls      []ReportCall `json:"calls" doc:"Its calls, in the order of the dataset"`
}

// ReportCall is one call of a report.
type ReportCall struct {
	Item ReportItem `json:"dataset_item" doc:"The item that the call played"`
	Call Call       `json:"call" doc:"The call"`
}

// ReportItem names the item a call played, as it was when the run began.
type ReportItem struct {
	ID   string `json:"id" doc:"Id of the item"`
	Key  string `json:"key,omitempty" doc:"Your own name for the item; left out when it has none"`
	Goal string `json:"goal,omitempty" doc:"What the caller wants; left out when the item has no goal"`
}

type reportInput struct {
	ExperimentPath
	Format string `query:"format" enum:"json,junit" doc:"junit gives JUnit XML, as does Accept: application/xml; json when neither is given"`
	Accept string `header:"Accept" hidden:"true"`
}

func (s *server) reportRoutes() {
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-voice-experiment-report", Method: http.MethodGet, Path: "/voice-experiments/{id}/report", Tags: []string{tagExperiments},
		Summary:     "Get the report of a Voice Experiment as JSON or JUnit XML",
		Description: "It can be asked for at any time; before the end of the experiment it holds what is known so far.",
		Responses: map[string]*huma.Response{"200": {
			Description: "The report.",
			Content: map[string]*huma.MediaType{
				"application/json": {Schema: s.API.OpenAPI().Components.Schemas.Schema(typeOf[Report](), true, "Report")},
				"application/xml":  {Schema: &huma.Schema{Type: huma.TypeString}},
			},
		}},
	}, s.report)
}

func (s *server) report(ctx context.Context, in *reportInput) (*huma.StreamResponse, error) {
	r, err := s.Experiments.Report(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	if in.Format == "junit" || in.Format == "" && prefersXML(in.Accept) {
		return s.streamed("application/xml; charset=utf-8", r.Experiment.ID+".junit.xml", func(ctx context.Context, w io.Writer) error {
			return junit(w, r, r.Reviewed(ctx, func(v call.Verdict) bool { return v == call.NotPassed }))
		}), nil
	}
	return s.streamed("application/json", r.Experiment.ID+".json", func(ctx context.Context, w io.Writer) error {
		head, err := rest.Marshal(wireExperiment(r.Experiment))
		if err != nil {
			return err
		}
		return writeCalls(w, `{"voice_experiment":`+string(bytes.TrimSpace(head))+`,"calls":`, r.Reviewed(ctx, everyVerdict), func(c *experiment.CallResult) any { return s.wireReported(c) })
	}), nil
}

func everyVerdict(call.Verdict) bool { return true }

// streamed answers with what write writes, however much that is, as a file when it
// is given a name. Where that breaks off, so does the answer: half of one must not
// look like a whole one.
func (s *server) streamed(kind, file string, write func(ctx context.Context, w io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind)
		if file != "" {
			hc.SetHeader("Content-Disposition", `attachment; filename="`+file+`"`)
		}
		hc.SetStatus(http.StatusOK)
		out := bufio.NewWriterSize(hc.BodyWriter(), streamBuffer)
		err := write(hc.Context(), out)
		if err == nil {
			err = out.Flush()
		}
		if err == nil {
			return
		}
		if hc.Context().Err() == nil {
			s.Log.ErrorContext(hc.Context(), "an answer broke off", "request_id", rest.RequestIDOf(hc.Context()), "error", err)
		}
		panic(http.ErrAbortHandler)
	}}
}

const streamBuffer = 64 << 10

// writeCalls writes a JSON object that ends with a list of calls: head is what stands
// before the list, one shows a call.
func writeCalls(w io.Writer, head string, calls iter.Seq2[experiment.CallResult, error], one func(*experiment.CallResult) any) error {
	if _, err := io.WriteString(w, head+"["); err != nil {
		return err
	}
	between := ""
	for c, err := range calls {
		if err != nil {
			return err
		}
		text, err := rest.Marshal(one(&c))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, between+string(bytes.TrimSpace(text))); err != nil {
			return err
		}
		between = ","
	}
	_, err := io.WriteString(w, "]}\n")
	return err
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

func (s *server) wireReported(c *experiment.CallResult) ReportCall {
	return ReportCall{
		Item: ReportItem{ID: cmp.Or(c.Item.ID, c.Call.ItemID), Key: c.Item.Key, Goal: c.Item.Input.Goal},
		Call: s.wireCall(c.Call, c.Review),
	}
}
