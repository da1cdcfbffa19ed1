package api

import (
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// CallLogRecord is a call as its records tell it.
type CallLogRecord struct {
	CallSummary
	Provider      string              `json:"provider" enum:"custom,platform_a,platform_b" doc:"Who wrote the records"`
	AgentLink     *string             `json:"agent_link" enum:"given,inferred" doc:"given: externalAgentId names the agent; inferred: the platform's own id of the agent does; null when no agent is linked"`
	Keeps         string              `json:"keeps" enum:"everything,no_people,basics" doc:"How much of the call may be stored, as its platform was told. everything; no_people: no numbers, recording, summary or metadata, and what was said only if the platform has scrubbed it; basics: ids, times, end reason, latency and cost alone"`
	Outcome       *string             `json:"outcome" doc:"Outcome of the call in the client's own words; null when none was given"`
	AgentName     *string             `json:"agent_name" doc:"Name of the agent on the platform, or else agent_name of the submission's metadata; null when neither is known"`
	AgentVersion  *string             `json:"agent_version" doc:"Version of the agent on the platform; null when it is not known"`
	HasTranscript bool                `json:"has_transcript" doc:"true: at least one record tells what was said"`
	Sentiment     *string             `json:"reported_sentiment" enum:"negative,neutral,positive" doc:"How the caller felt, as the platform says; null when it does not say"`
	Successful    *bool               `json:"reported_successful" doc:"Whether the call reached its goal, as the platform says; null when it does not say"`
	Summary       *string             `json:"reported_summary" doc:"The platform's own summary; null when there is none"`
	CostUSD       *float64            `json:"cost_usd" doc:"What the call cost in US dollars, as the platform says; null when it does not say"`
	Submissions   []CallLogSubmission `json:"submissions" doc:"The records that the call was made of, in the order they came"`
}

// CallLogSubmission is one record of the call.
type CallLogSubmission struct {
	ID         string `json:"id" doc:"Id of the submission"`
	Kind       string `json:"kind" enum:"log,patch" doc:"log: a record that was submitted; patch: what was added later with PATCH"`
	Provider   string `json:"provider" enum:"custom,platform_a,platform_b" doc:"Who wrote the record"`
	ExternalID string `json:"external_id" doc:"Id of the call in that record"`
	ReceivedAt int64  `json:"received_at" doc:"When it came, milliseconds since 1970"`
}

func (s *server) wireCallLog(l calllog.Log) CallLogRecord {
	r := l.Record
	out := CallLogRecord{
		CallSummary: s.wireSummary(l.Call), Provider: r.Provider, AgentLink: agentLink(l.Call), Keeps: "everything",
		Outcome: rest.OrNull(r.Outcome), AgentName: rest.OrNull(r.AgentName), AgentVersion: rest.OrNull(r.AgentVersion),
		HasTranscript: r.HasTranscript, Sentiment: rest.OrNull(string(r.Sentiment)), Successful: r.Successful, Summary: rest.OrNull(r.Summary),
		Submissions: []CallLogSubmission{},
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
			ID: sub.ID, Kind: sub.Kind, Provider: sub.Provider, ExternalID: sub.ExternalID, ReceivedAt: rest.Moment(sub.ReceivedAt),
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
