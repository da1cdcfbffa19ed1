package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Calls finds and shows calls of any origin. Everything of another workspace is problem.NotFound.
type Calls interface {
	// Calls returns by when they took place, newest first, and the cursor of the next page, "" when there is none.
	Calls(ctx context.Context, workspaceID string, f archive.Filter, limit int, cursor string) ([]archive.Listed, string, error)
	Call(ctx context.Context, workspaceID, id string) (archive.Full, error)
	Recording(ctx context.Context, workspaceID, id string) (call.Recording, archive.Opener, error)
	Peaks(ctx context.Context, workspaceID, id string, n int, w archive.Window) (archive.Peaks, error)
}

type listCallsInput struct {
	rest.PageQuery
	Origin            string `query:"origin" enum:"simulated,production" doc:"Only test calls (simulated) or only submitted calls (production)"`
	AgentID           string `query:"agent_id" maxLength:"128" doc:"Only calls of this agent; - for calls that no agent is linked to"`
	VoiceExperimentID string `query:"voice_experiment_id" maxLength:"128" doc:"Only calls of this Voice Experiment"`
	DatasetItemID     string `query:"dataset_item_id" maxLength:"128" doc:"Only calls that played this dataset item"`
	Status            string `query:"status" enum:"QUEUED,DIALING,IN_PROGRESS,ENDED,FAILED,CANCELED" doc:"Only calls with this status"`
	ScoringStatus     string `query:"scoring_status" enum:"PENDING,SCORING,SCORED,SCORING_FAILED,SKIPPED" doc:"Only calls with this scoring_status"`
	Verdict           string `query:"verdict" enum:"passed,failed,void,not_evaluated" doc:"Only calls with this verdict"`
	EndReason         string `query:"end_reason" enum:"completed,transferred,caller_hung_up,agent_hung_up,max_duration,silence,busy,no_answer,declined,voicemail,agent_never_joined,unreachable,media_lost,codec_mismatch,agent_error,configuration,provider_error,platform_error,interrupted,ringtrue_error,unknown" doc:"Only calls that ended for this reason" example:"agent_hung_up"`
	Blame             string `query:"blame" enum:"nobody,caller,agent,line,platform,ringtrue,unknown" doc:"Only calls whose end was caused by this party"`
	Sentiment         string `query:"sentiment" enum:"negative,neutral,positive" doc:"Only calls whose caller felt this way on the whole"`
	Upset             string `query:"upset" enum:"true,false" doc:"true: only calls with an upset caller; false: only calls whose caller is known not to have been upset"`
	From              int64  `query:"from" minimum:"0" maximum:"253402300799999" doc:"Only calls that took place at this time or later, milliseconds since 1970"`
	Until             int64  `query:"until" minimum:"0" maximum:"253402300799999" doc:"Only calls that took place before this time, milliseconds since 1970"`
	CountedQuery
	Search string `query:"search" maxLength:"128" doc:"Only calls whose id here or on the platform begins with this text, or with a phone number that contains these digits (three or more)"`
}

// CallPath names a call. It is exported for the HTTP library, which passes over embedded types that are not.
type CallPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the call"`
}

const tagCalls = "Calls"

func (s *server) callRoutes() {
	if s.Calls == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-calls", Method: http.MethodGet, Path: "/calls", Tags: []string{tagCalls},
		Summary:     "List calls by when they took place, newest first",
		Description: "A call takes place when it starts, however late it is submitted; a call that never started takes place when it is created. Of what a review found out, an element holds only verdict, caller_sentiment, caller_upset and turn_latency_ms; get the call for the rest.",
		Middlewares: huma.Middlewares{metadataFilter}, Parameters: []*huma.Param{metadataParameter()},
	}, s.listCalls)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-call", Method: http.MethodGet, Path: "/calls/{id}", Tags: []string{tagCalls},
		Summary: "Get everything about a call",
	}, s.getCall)
	s.recordingRoutes()
}

func (s *server) listCalls(ctx context.Context, in *listCallsInput) (*rest.Body[rest.Page[CallSummary]], error) {
	f := archive.Filter{
		Origin: call.Origin(in.Origin), AgentID: in.AgentID, ExperimentID: in.VoiceExperimentID,
		Status: call.Status(in.Status), ScoringStatus: call.ScoringStatus(in.ScoringStatus),
		Verdict: call.Verdict(in.Verdict), EndCode: call.EndCode(in.EndReason), Blame: call.Blame(in.Blame), ItemID: in.DatasetItemID,
		From: fromMS(in.From), Until: fromMS(in.Until), Search: in.Search,
	}
	f.Sentiment = call.Sentiment(in.Sentiment)
	if in.Upset != "" {
		upset := in.Upset == "true"
		f.Upset = &upset
	}
	if err := in.narrow(&f); err != nil {
		return nil, err
	}
	// A key that nobody declared counts no calls, which would read as if there were none.
	if f.Dimension != "" && s.Dimensions != nil {
		var err error
		if f.Value, err = s.Dimensions.ValueOf(ctx, rest.WorkspaceOf(ctx), f.Dimension, f.Value); err != nil {
			return nil, err
		}
	}
	f.Metadata, _ = ctx.Value(metadataKey{}).(map[string]string)
	list, next, err := s.Calls.Calls(ctx, rest.WorkspaceOf(ctx), f, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	data := make([]CallSummary, len(list))
	for i := range list {
		data[i] = s.wireSummary(list[i].Call)
		data[i].glance(&list[i].Glance)
	}
	return rest.Answer(rest.PageOf(data, next)), nil
}

func (s *server) getCall(ctx context.Context, in *CallPath) (*rest.Body[CallDetail], error) {
	full, err := s.Calls.Call(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return rest.Answer(s.wireDetail(full)), nil
}

func fromMS(v int64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.UnixMilli(v)
}

// metadataKey is where metadataFilter leaves the values asked for.
type metadataKey struct{}

const metadataPrefix = "metadata."

// metadataParameter describes the parameters that metadataFilter reads. OpenAPI has them as an
// object of which each property is a parameter of its own, with the property's name.
func metadataParameter() *huma.Param {
	explode, most := true, archive.MaxMetadataFilters
	return &huma.Param{
		Name: metadataPrefix + "KEY", In: "query", Style: "form", Explode: &explode,
		Description: "Only calls with this value under KEY in their metadata, such as metadata.plan=gold; up to eight, one for each key",
		Schema:      &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}, MaxProperties: &most},
		Example:     map[string]string{metadataPrefix + "plan": "gold"},
	}
}

// metadataFilter moves metadata.KEY=VALUE from the query into the context. All other parameters of
// the query are known by name.
func metadataFilter(ctx huma.Context, next func(huma.Context)) {
	address := ctx.URL()
	query := address.Query()
	wanted := map[string]string{}
	for name, values := range query {
		if key, ok := strings.CutPrefix(name, metadataPrefix); ok && key != "" && len(values) == 1 {
			wanted[key] = values[0]
			query.Del(name)
		}
	}
	if len(wanted) > 0 {
		address.RawQuery = query.Encode()
		ctx = plainQuery{humaContext: huma.WithValue(ctx, metadataKey{}, wanted), address: address}
	}
	next(ctx)
}

// humaContext lets plainQuery take over everything, the method Context too.
type humaContext = huma.Context

// plainQuery is a request without the parameters that were taken out.
type plainQuery struct {
	humaContext
	address url.URL
}

// URL is the address without them.
func (p plainQuery) URL() url.URL { return p.address }
