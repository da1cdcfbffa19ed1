package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Monitoring answers questions about calls over time, from stored figures.
type Monitoring interface {
	Overview(ctx context.Context, workspaceID string, q monitor.Query) (monitor.Overview, error)
	Trends(ctx context.Context, workspaceID string, q monitor.Query, step monitor.Step, metrics []string) (monitor.Trends, error)
	Anomalies(ctx context.Context, workspaceID string, q monitor.Query, metric string) (monitor.Anomalies, error)
	Failures(ctx context.Context, workspaceID string, q monitor.Query, limit int) (monitor.Failures, error)
	DropOff(ctx context.Context, workspaceID string, q monitor.Query) (monitor.DropOff, error)
	Upset(ctx context.Context, workspaceID string, q monitor.Query, limit int, cursor string) (monitor.UpsetCallers, error)
	Breakdown(ctx context.Context, workspaceID string, q monitor.Query, by, metric string) (monitor.Breakdown, error)
}

// Dimensions keeps the metadata keys by which calls can be told apart.
type Dimensions interface {
	Dimensions(ctx context.Context, workspaceID string) (monitor.Declared, error)
	Declare(ctx context.Context, workspaceID string, keys []string, zone *string) (monitor.Declared, error)
	// ValueOf is the name under which calls with the value are counted. A dimension that the
	// workspace does not have is refused at the path "dimension".
	ValueOf(ctx context.Context, workspaceID, dim, value string) (string, error)
}

// MonitorCalls says whose calls every question of monitoring is about. It is exported for the
// HTTP library, which passes over embedded types that are not.
type MonitorCalls struct {
	Origin  string `query:"origin" enum:"production,simulated" default:"production" doc:"Which calls: production or simulated; the two are never mixed"`
	AgentID string `query:"agent_id" maxLength:"128" doc:"Only calls of this agent; - for calls that no agent is linked to"`
	Until   int64  `query:"until" minimum:"1" maximum:"253402300799999" doc:"Only calls that began before this time, milliseconds since 1970, rounded up to the hour; now when not given"`
}

// MonitorFilter narrows a question to the calls with one value of a dimension.
type MonitorFilter struct {
	MonitorCalls
	Dimension string `query:"dimension" maxLength:"128" doc:"Only calls with one value of this dimension, which the parameter value names: agent_version, prompt, model, or metadata.KEY for a declared key" example:"agent_version"`
	Value     string `query:"value" maxLength:"256" doc:"The value of dimension" example:"7"`
}

// MonitorSince gives a question a beginning.
type MonitorSince struct {
	From int64 `query:"from" minimum:"1" maximum:"253402300799999" doc:"Only calls that began at this time or later, milliseconds since 1970, rounded down to the hour; seven days before until when not given"`
}

// MonitorWindow is a filter with a beginning.
type MonitorWindow struct {
	MonitorFilter
	MonitorSince
}

func (f *MonitorFilter) query() monitor.Query {
	return monitor.Query{
		Origin: call.Origin(f.Origin), AgentID: f.AgentID, Until: fromMS(f.Until), Dimension: f.Dimension, Value: f.Value,
	}
}

func (w *MonitorWindow) query() monitor.Query {
	q := w.MonitorFilter.query()
	q.From = fromMS(w.From)
	return q
}

type trendsInput struct {
	MonitorWindow
	Step     string `query:"step" enum:"hour,day" default:"hour" doc:"Length of a point. By the hour the window may have 35 days, by the day two years (93 days in a time zone other than UTC)"`
	Metrics  string `query:"metrics" maxLength:"512" doc:"Names of metrics with commas between; all when not given: calls, answered_rate, error_rate, failed_rate, pass_rate, drop_off_rate, upset_rate, valence, frustration, reported_valence, latency_p50, latency_p95, reported_latency_p50, reported_latency_p95, duration_p50, cost" example:"calls,error_rate,latency_p95"`
	TimeZone string `query:"time_zone" maxLength:"64" doc:"IANA name of the time zone in which days begin; UTC when not given" example:"Europe/Berlin"`
}

type anomaliesInput struct {
	MonitorWindow
	Metric string `query:"metric" maxLength:"64" doc:"Only departures of this metric, such as error_rate; required when both an agent and a dimension are given"`
}

type failuresInput struct {
	MonitorWindow
	Limit int `query:"limit" minimum:"1" maximum:"50" default:"20" doc:"How many groups to return at most"`
}

type upsetInput struct {
	MonitorWindow
	rest.PageQuery
}

// breakdownInput cannot be narrowed by a dimension, beside the one that is broken down. Who tries
// it is told so, which is why the two are read but not in the document.
type breakdownInput struct {
	MonitorCalls
	MonitorSince
	Dimension string `query:"dimension" maxLength:"128" hidden:"true"`
	Value     string `query:"value" maxLength:"256" hidden:"true"`
	By        string `query:"by" maxLength:"128" default:"agent" doc:"What to tell calls apart by: agent, agent_version, prompt, model, or metadata.KEY for a declared key"`
	Metric    string `query:"metric" maxLength:"64" default:"failed_rate" doc:"Name of the metric to compare, one of those of /monitoring/trends"`
}

// MonitorDimensions are the declared dimensions of a workspace.
type MonitorDimensions struct {
	MetadataKeys []string `json:"metadata_keys" doc:"Keys of the calls' metadata that are dimensions, each called metadata.KEY; at most 8"`
	TimeZone     string   `json:"time_zone" doc:"IANA name of the time zone by whose hours of the week the usual is known; empty for UTC"`
	Adopting     bool     `json:"adopting" doc:"true: earlier calls are still being brought up to date with the keys"`
}

// MonitorDimensionsUpdate declares dimensions.
type MonitorDimensionsUpdate struct {
	MetadataKeys []string `json:"metadata_keys" doc:"Keys of the calls' metadata to tell calls apart by, at most 8; they replace those declared before" example:"[\"tier\",\"region\"]"`
	TimeZone     *string  `json:"time_zone,omitempty" maxLength:"64" doc:"IANA name of the time zone that callers live in: what is usual is known by the hour of the week there, also when clocks change. Unchanged when not given; empty for UTC" example:"Europe/Berlin"`
}

type dimensionsInput struct {
	Body MonitorDimensionsUpdate
}

const tagMonitoring = "Monitoring"

func (s *server) monitoringRoutes() {
	if s.Monitoring == nil {
		return
	}
	get := func(id, path, summary, description string) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: "/monitoring/" + path, Tags: []string{tagMonitoring}, Summary: summary, Description: description,
		}
	}
	rest.Register(s.Server, get("monitoring-overview", "overview", "How things are now",
		"The last 24 hours before until compared with what is usual, in sentences and figures. Simulated calls are not compared."), s.overview)
	rest.Register(s.Server, get("monitoring-trends", "trends", "Figures over time",
		"Each metric by hour or day; hours also tell what is usual, where that is known."), s.trends)
	rest.Register(s.Server, get("monitoring-anomalies", "anomalies", "What departed from the usual",
		"Outages, sudden steps and slow drifts of all calls together, of each agent, and of each value of a dimension, compared with the same hours of earlier weeks. For production calls alone: origin=simulated is refused."), s.anomalies)
	s.tellOrigin("/monitoring/anomalies", call.Production)
	rest.Register(s.Server, get("monitoring-failures", "failures", "Failing calls in groups that are alike", "Calls are alike in end reason, blame, failing scorer and the agent's last sentence."), s.failures)
	rest.Register(s.Server, get("monitoring-drop-off", "drop-off", "Where callers leave before their goal", "By turns spoken, by seconds and by stage, and the agent's last sentences before."), s.dropOff)
	rest.Register(s.Server, get("monitoring-upset", "upset", "Calls whose callers were upset", "The latest first, each with the turn and the words that show it best."), s.upset)
	rest.Register(s.Server, get("monitoring-breakdown", "breakdown", "How the values of a dimension differ",
		"Compares each value with all others together and with the one before it, and tells how sure a difference is. The window is widened to whole days (UTC), 93 at most."), s.breakdown)
	if s.Dimensions == nil {
		return
	}
	rest.Register(s.Server, get("get-monitoring-dimensions", "dimensions", "Get the declared dimensions", "The metadata keys by which monitoring tells calls apart."), s.getDimensions)
	rest.Register(s.Server, huma.Operation{
		OperationID: "set-monitoring-dimensions", Method: http.MethodPut, Path: "/monitoring/dimensions", Tags: []string{tagMonitoring},
		Summary:     "Declare metadata keys as dimensions",
		Description: "Earlier calls are brought up to date in the background. A dimension has 100 values at most; later ones are counted together as other.",
	}, s.setDimensions)
}

// tellOrigin lets the document of an operation offer one origin alone. The parameter is shared, and
// still takes the other: who asks for it is told why there is no answer.
func (s *server) tellOrigin(path string, only call.Origin) {
	for _, p := range s.API.OpenAPI().Paths[path].Get.Parameters {
		if p.Name == "origin" {
			told := *p.Schema
			told.Enum, told.Description = []any{string(only)}, "Which calls: "+string(only)+" alone"
			p.Schema, p.Description = &told, told.Description
		}
	}
}

func (s *server) overview(ctx context.Context, in *MonitorFilter) (*rest.Body[monitor.Overview], error) {
	out, err := s.Monitoring.Overview(ctx, rest.WorkspaceOf(ctx), in.query())
	return rest.Answer(out), err
}

func (s *server) trends(ctx context.Context, in *trendsInput) (*rest.Body[monitor.Trends], error) {
	q := in.query()
	if in.TimeZone != "" {
		zone, err := time.LoadLocation(in.TimeZone)
		if err != nil || in.TimeZone == "Local" {
			return nil, problem.Invalid(problem.Field{Path: "time_zone", Message: "is no name of the IANA time zone database, such as Europe/Berlin"})
		}
		q.Zone = zone
	}
	var metrics []string
	if in.Metrics != "" {
		metrics = strings.Split(in.Metrics, ",")
	}
	out, err := s.Monitoring.Trends(ctx, rest.WorkspaceOf(ctx), q, monitor.Step(in.Step), metrics)
	return rest.Answer(out), err
}

func (s *server) anomalies(ctx context.Context, in *anomaliesInput) (*rest.Body[monitor.Anomalies], error) {
	out, err := s.Monitoring.Anomalies(ctx, rest.WorkspaceOf(ctx), in.query(), in.Metric)
	return rest.Answer(out), err
}

func (s *server) failures(ctx context.Context, in *failuresInput) (*rest.Body[monitor.Failures], error) {
	out, err := s.Monitoring.Failures(ctx, rest.WorkspaceOf(ctx), in.query(), in.Limit)
	return rest.Answer(out), err
}

func (s *server) dropOff(ctx context.Context, in *MonitorWindow) (*rest.Body[monitor.DropOff], error) {
	out, err := s.Monitoring.DropOff(ctx, rest.WorkspaceOf(ctx), in.query())
	return rest.Answer(out), err
}

func (s *server) upset(ctx context.Context, in *upsetInput) (*rest.Body[monitor.UpsetCallers], error) {
	out, err := s.Monitoring.Upset(ctx, rest.WorkspaceOf(ctx), in.query(), in.Limit, in.Cursor)
	return rest.Answer(out), err
}

func (s *server) breakdown(ctx context.Context, in *breakdownInput) (*rest.Body[monitor.Breakdown], error) {
	w := MonitorWindow{MonitorFilter{in.MonitorCalls, in.Dimension, in.Value}, in.MonitorSince}
	out, err := s.Monitoring.Breakdown(ctx, rest.WorkspaceOf(ctx), w.query(), in.By, in.Metric)
	return rest.Answer(out), err
}

func (s *server) getDimensions(ctx context.Context, _ *struct{}) (*rest.Body[MonitorDimensions], error) {
	d, err := s.Dimensions.Dimensions(ctx, rest.WorkspaceOf(ctx))
	return rest.Answer(wireDimensions(d)), err
}

func (s *server) setDimensions(ctx context.Context, in *dimensionsInput) (*rest.Body[MonitorDimensions], error) {
	d, err := s.Dimensions.Declare(ctx, rest.WorkspaceOf(ctx), in.Body.MetadataKeys, in.Body.TimeZone)
	return rest.Answer(wireDimensions(d)), err
}

func wireDimensions(d monitor.Declared) MonitorDimensions {
	return MonitorDimensions{MetadataKeys: orEmpty(d.Keys), TimeZone: d.Zone, Adopting: d.Adopting}
}
