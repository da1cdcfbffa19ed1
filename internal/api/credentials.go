package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/platform"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Credentials keeps what opens doors elsewhere. Nothing gives a secret back.
type Credentials interface {
	PutRecording(ctx context.Context, workspaceID string, in credential.RecordingInput) (credential.Recording, error)
	// Recordings returns newest first and the cursor of the next page, "" when there is none.
	Recordings(ctx context.Context, workspaceID string, limit int, cursor string) ([]credential.Recording, string, error)
	DeleteRecording(ctx context.Context, workspaceID, id string) error
	PutPlatformKey(ctx context.Context, workspaceID, provider, key string) (credential.PlatformKey, error)
	PlatformKeys(ctx context.Context, workspaceID string) ([]credential.PlatformKey, error)
	DeletePlatformKey(ctx context.Context, workspaceID, provider string) error
}

// Platforms asks the voice platforms for their agents.
type Platforms interface {
	// Sync takes in the agents of a platform; key "" is the one that is kept.
	Sync(ctx context.Context, workspaceID, provider, key string) (platform.Synced, error)
}

// RecordingCredential says what opens the recordings of a host, without the secret.
type RecordingCredential struct {
	ID        string  `json:"id" doc:"Id of the recording credential"`
	Host      string  `json:"host" doc:"The host that the secret is sent to"`
	Header    *string `json:"header" doc:"Name of the header that carries the secret; null when a query parameter does"`
	Query     *string `json:"query" doc:"Name of the query parameter that carries the secret; null when a header does"`
	CreatedAt int64   `json:"created_at" doc:"Milliseconds since 1970"`
	UpdatedAt int64   `json:"updated_at" doc:"When the secret was last replaced, milliseconds since 1970"`
}

// RecordingCredentialCreate is a secret for a host.
type RecordingCredentialCreate struct {
	Host   string  `json:"host" doc:"Host that the secret is sent to, over https only: recordings.example.com, .example.com for every host below example.com, or recordings.example.com:8443 for a port other than 443" example:"recordings.example.com"`
	Header *string `json:"header,omitempty" doc:"Name of the header that carries the secret; give either this or query" example:"Authorization"`
	Query  *string `json:"query,omitempty" doc:"Name of the query parameter that carries the secret; give either this or header"`
	Value  string  `json:"value" doc:"The secret: the whole value of the header or parameter. It is stored encrypted and never returned" example:"Bearer 0123456789"`
}

// PlatformKey says that a key of a voice platform is kept, without the key.
type PlatformKey struct {
	Provider  string `json:"provider" enum:"platform_a,platform_b" doc:"The voice platform: platform_a or platform_b"`
	UpdatedAt int64  `json:"updated_at" doc:"When the key was stored, milliseconds since 1970"`
}

// PlatformKeyPut is a key of a voice platform.
type PlatformKeyPut struct {
	APIKey string `json:"api_key" doc:"The platform's API key. It is stored encrypted and never returned"`
}

// AgentSync says where to take agents from.
type AgentSync struct {
	Provider string  `json:"provider" enum:"platform_a,platform_b" doc:"The voice platform"`
	APIKey   *string `json:"api_key,omitempty" doc:"The platform's API key, to use only now; when not given, the one stored with PUT /platform-keys/{provider} is used"`
}

// AgentSynced is what came of a sync.
type AgentSynced struct {
	Provider  string        `json:"provider" enum:"platform_a,platform_b" doc:"The voice platform"`
	Listed    int           `json:"listed" doc:"How many agents the platform listed; versions of one agent count once"`
	Created   int           `json:"created" doc:"How many agents were created"`
	Updated   int           `json:"updated" doc:"How many agents were renamed"`
	Unchanged int           `json:"unchanged" doc:"How many agents were already as the platform lists them"`
	Skipped   int           `json:"skipped" doc:"How many agents were left out because their id or name cannot be stored"`
	Changes   []SyncedAgent `json:"changes" doc:"The agents that were created or renamed"`
}

// SyncedAgent is an agent that a sync created or renamed.
type SyncedAgent struct {
	ID       string `json:"id" doc:"Id of the agent here"`
	SourceID string `json:"sourceId" doc:"Id of the agent on the platform"`
	Name     string `json:"name" doc:"Name of the agent"`
	Change   string `json:"change" enum:"created,updated" doc:"created, or updated: it was renamed"`
}

type (
	createRecordingCredentialInput struct{ Body RecordingCredentialCreate }
	recordingCredentialPath        struct {
		ID string `path:"id" maxLength:"128" doc:"Id of the recording credential"`
	}
	platformKeyInput struct {
		PlatformPath
		Body PlatformKeyPut
	}
	syncAgentsInput struct{ Body AgentSync }
)

// PlatformPath names a voice platform. It is exported for the HTTP library, which passes over embedded types that are not.
type PlatformPath struct {
	Provider string `path:"provider" maxLength:"128" doc:"The voice platform: platform_a or platform_b"`
}

const tagCredentials = "Credentials"

func (s *server) credentialRoutes() {
	if s.Credentials == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-recording-credential", Method: http.MethodPost, Path: "/recording-credentials", Tags: []string{tagCredentials},
		Summary: "Store a secret for the private recordings of a host", DefaultStatus: http.StatusCreated,
		Description: "The service sends it when it fetches recordings from that host. A second credential for the same host replaces the first and keeps its id. " +
			"The secret is sent only to that host, never to another that it redirects to.",
	}, s.createRecordingCredential)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-recording-credentials", Method: http.MethodGet, Path: "/recording-credentials", Tags: []string{tagCredentials},
		Summary: "List recording credentials, newest first", Description: "Without their secrets.",
	}, s.listRecordingCredentials)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-recording-credential", Method: http.MethodDelete, Path: "/recording-credentials/{id}", Tags: []string{tagCredentials},
		Summary: "Delete a recording credential", DefaultStatus: http.StatusNoContent,
	}, s.deleteRecordingCredential)
	rest.Register(s.Server, huma.Operation{
		OperationID: "put-platform-key", Method: http.MethodPut, Path: "/platform-keys/{provider}", Tags: []string{tagCredentials},
		Summary: "Store the key of a voice platform", Description: "It is used to sync agents and replaces an earlier key.",
	}, s.putPlatformKey)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-platform-keys", Method: http.MethodGet, Path: "/platform-keys", Tags: []string{tagCredentials},
		Summary: "List the voice platforms whose key is stored", Description: "Without the keys.",
	}, s.listPlatformKeys)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-platform-key", Method: http.MethodDelete, Path: "/platform-keys/{provider}", Tags: []string{tagCredentials},
		Summary: "Delete the key of a voice platform", DefaultStatus: http.StatusNoContent,
	}, s.deletePlatformKey)
	if s.Platforms != nil {
		rest.Register(s.Server, huma.Operation{
			OperationID: "sync-agents", Method: http.MethodPost, Path: "/agents/sync", Tags: []string{tagAgents},
			Summary: "Sync the agents of a voice platform",
			Description: "Asks the platform for its agents and creates or renames agents by their sourceId. None is deleted; what is set on an agent here stays. " +
				"The server's operator sets the address of the platform's interface.",
		}, s.syncAgents)
	}
}

func (s *server) createRecordingCredential(ctx context.Context, in *createRecordingCredentialInput) (*rest.Body[RecordingCredential], error) {
	r, err := s.Credentials.PutRecording(ctx, rest.WorkspaceOf(ctx), credential.RecordingInput{
		Host: in.Body.Host, Header: orZero(in.Body.Header), Query: orZero(in.Body.Query), Value: in.Body.Value,
	})
	return rest.Answer(wireRecordingCredential(r)), err
}

func (s *server) listRecordingCredentials(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[RecordingCredential]], error) {
	list, next, err := s.Credentials.Recordings(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireRecordingCredential), next)), nil
}

func (s *server) deleteRecordingCredential(ctx context.Context, in *recordingCredentialPath) (*struct{}, error) {
	return nil, s.Credentials.DeleteRecording(ctx, rest.WorkspaceOf(ctx), in.ID)
}

func (s *server) putPlatformKey(ctx context.Context, in *platformKeyInput) (*rest.Body[PlatformKey], error) {
	k, err := s.Credentials.PutPlatformKey(ctx, rest.WorkspaceOf(ctx), in.Provider, in.Body.APIKey)
	return rest.Answer(wirePlatformKey(k)), err
}

func (s *server) listPlatformKeys(ctx context.Context, _ *struct{}) (*rest.Body[rest.Page[PlatformKey]], error) {
	list, err := s.Credentials.PlatformKeys(ctx, rest.WorkspaceOf(ctx))
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wirePlatformKey), "")), nil
}

func (s *server) deletePlatformKey(ctx context.Context, in *PlatformPath) (*struct{}, error) {
	return nil, s.Credentials.DeletePlatformKey(ctx, rest.WorkspaceOf(ctx), in.Provider)
}

func (s *server) syncAgents(ctx context.Context, in *syncAgentsInput) (*rest.Body[AgentSynced], error) {
	got, err := s.Platforms.Sync(ctx, rest.WorkspaceOf(ctx), in.Body.Provider, orZero(in.Body.APIKey))
	if err != nil {
		return nil, err
	}
	out := AgentSynced{
		Provider: in.Body.Provider, Listed: got.Listed, Created: len(got.Created), Updated: len(got.Updated),
		Unchanged: got.Unchanged, Skipped: got.Skipped, Changes: []SyncedAgent{},
	}
	out.Changes = append(out.Changes, rest.Mapped(got.Created, func(a scenario.Agent) SyncedAgent { return wireSynced(a, "created") })...)
	out.Changes = append(out.Changes, rest.Mapped(got.Updated, func(a scenario.Agent) SyncedAgent { return wireSynced(a, "updated") })...)
	return rest.Answer(out), nil
}

func wireSynced(a scenario.Agent, change string) SyncedAgent {
	return SyncedAgent{ID: a.ID, SourceID: a.SourceID, Name: a.Name, Change: change}
}

func wireRecordingCredential(r credential.Recording) RecordingCredential {
	return RecordingCredential{
		ID: r.ID, Host: r.Host, Header: rest.OrNull(r.Header), Query: rest.OrNull(r.Query), CreatedAt: rest.Moment(r.CreatedAt), UpdatedAt: rest.Moment(r.UpdatedAt),
	}
}

func wirePlatformKey(k credential.PlatformKey) PlatformKey {
	return PlatformKey{Provider: k.Provider, UpdatedAt: rest.Moment(k.UpdatedAt)}
}
