package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/score"
)

// ScorerKind is something that scorers can check.
type ScorerKind struct {
	Kind        string        `json:"kind" doc:"Name of the kind, as scorers give it"`
	Version     int           `json:"version" doc:"Rises when a change of the kind can give the same call another verdict"`
	Summary     string        `json:"summary" doc:"What it checks, in words"`
	NeedsRecord bool          `json:"needs_record" doc:"true: it looks at the agent's own record of the call"`
	Params      []ScorerParam `json:"params" doc:"The settings of the kind"`
}

// ScorerParam is one setting of a kind.
type ScorerParam struct {
	Name     string `json:"name" doc:"Key in params"`
	Type     string `json:"type" enum:"string,boolean,integer,number,object,array of strings" doc:"Type of the value"`
	Required bool   `json:"required" doc:"true: a scorer of this kind must have it"`
	Meaning  string `json:"meaning" doc:"What it sets"`
}

// ScorerKinds lists what scorers can check.
type ScorerKinds struct {
	Data []ScorerKind `json:"data" doc:"All kinds, by name"`
}

func (s *server) scorerKindsRoute() {
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-scorer-kinds", Method: http.MethodGet, Path: "/scorer-kinds", Tags: []string{tagScorers},
		Summary: "List what scorers can check, with the settings of each kind",
	}, func(context.Context, *struct{}) (*rest.Body[ScorerKinds], error) {
		wire := func(k score.KindInfo) ScorerKind {
			param := func(p score.ParamInfo) ScorerParam { return ScorerParam(p) }
			return ScorerKind{Kind: k.Kind, Version: k.Version, Summary: k.Summary, NeedsRecord: k.NeedsRecord, Params: rest.Mapped(k.Params, param)}
		}
		return rest.Answer(ScorerKinds{rest.Mapped(score.Kinds(), wire)}), nil
	})
}
