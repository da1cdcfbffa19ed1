package api

import (
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// CallLogRecord is a call as its records tell it.
type CallLogRecord struct {
	CallSummary
	Provider      string              `json:"provider" enum:"custom,platform_a,platform_b"`
	AgentLink     *string             `json:"agent_link" enum:"given,inferred" doc:"given: externalAgentId names the agent; inferred: the platform's own id of the agent does; null when the call has no agent"`
	Keeps         string              `json:"keeps" enum:"everything,no_people,basics" doc:"How much of the call may be kept, as its platform was told"`
	Outcome       *string             `json:"outcome" doc:"Outcome of the call, in the client's own word"`
	AgentName     *string             `json:"agent_name" doc:"The platform's word for the agent, or else the name in the submission's metadata"`
	AgentVersion  *string             `json:"agent_version"`
	HasTranscript bool                `json:"has_transcript" doc:"true when a record tells what was said"`
	Sentiment     *string             `json:"reported_sentiment" doc:"The platform's own opinion of how the caller felt"`
	Successful    *bool               `json:"reported_successful" doc:"The platform's own opinion of whether the call reached its goal"`
	Summary       *string             `json:"reported_summary" doc:"The platform's own summary"`
	CostUSD       *float64            `json:"cost_usd" doc:"What the platform says the call cost"`
	Submissions   []CallLogSubmission `json:"submissions" doc:"In the order they came"`
}

// CallLogSubmission is one record of the call.
type CallLogSubmission struct {
	ID         string `json:"id"`
	Kind       string `json:"kind" enum:"log,patch" doc:"log: a record that was submitted; patch: what was added later"`
	Provider   string `json:"provider"`
	ExternalID string `json:"external_id" doc:"The call's id in that record"`
	ReceivedAt *int64 `json:"received_at" doc:"Milliseconds since 1970"`
}

func (s *server) wireCallLog(l calllog.Log) CallLogRecord {
	r := l.Record
	out := CallLogRecord{
		CallSummary: s.wireSummary(l.Call), Provider: r.Provider, AgentLink: agentLink(l.Call), Keeps: "everything",
		Outcome: rest.OrNull(r.Outcome), AgentName: rest.OrNull(r.AgentName), AgentVersion: rest.OrNull(r.AgentVersion),
		HasTranscript: r.HasTranscript, Sentiment: rest.OrNull(string(r.Sentiment)), Successful: r.Successful, Summary: rest.OrNull(r.Summary),
	}
	if r.Keep != calllog.KeepEverything {
		out.Keeps = string(r.Keep)
	}
	if l.Call.Origin == call.Simulated { // the row is ours; what its agent's records bring along stands in them alone
		out.Metadata = r.Metadata
		if out.Metadata == nil {
			out.Metadata = map[string]any{}
		}
	}
	if r.Cost != nil {
		const micros = 1e6
		usd := float64(*r.Cost) / micros
		out.CostUSD = &usd
	}
	for _, sub := range l.Submissions {
		out.Submissions = append(out.Submissions, CallLogSubmission{
			ID: sub.ID, Kind: sub.Kind, Provider: sub.Provider, ExternalID: sub.ExternalID, ReceivedAt: rest.Millis(sub.ReceivedAt),
		})
	}
	return out
}

func agentLink(c call.Call) *string {
	switch {
	case c.AgentID == "":
		return nil
	case c.AgentInferred:
		return new("inferred")
	}
	return new("given")
}
