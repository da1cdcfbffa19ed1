package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// KeyRing keeps the API keys of workspaces.
type KeyRing interface {
	Workspaces(ctx context.Context) ([]workspace.Workspace, error)
	Keys(ctx context.Context, workspaceID string) ([]workspace.Key, error)
	// CreateKeyBy returns the secret, which is stored nowhere.
	CreateKeyBy(ctx context.Context, by workspace.Identity, name string) (workspace.Key, string, error)
	Revoke(ctx context.Context, workspaceID, id string) error
}

// APIKey is a secret API key without the secret.
type APIKey struct { //nolint:revive // the name is that of the schema, which has no package
	ID         string  `json:"id" doc:"Id of the key; not the secret"`
	Name       string  `json:"name" doc:"What the key is for"`
	Prefix     string  `json:"prefix" doc:"How the secret begins, to tell keys apart"`
	CreatedAt  int64   `json:"created_at" doc:"Milliseconds since 1970, as all times here"`
	CreatedBy  *string `json:"created_by" doc:"Name of the person or key that made it; null when it was made at the command line"`
	LastUsedAt *int64  `json:"last_used_at" doc:"When it was last used, to the minute; null when it never was"`
	RevokedAt  *int64  `json:"revoked_at" doc:"When it was revoked; null while it works"`
}

// APIKeyCreated is a new key with its secret.
type APIKeyCreated struct { //nolint:revive // the name is that of the schema, which has no package
	APIKey
	Secret string `json:"secret" doc:"The whole key, to be sent as Authorization: Bearer SECRET; it is shown only this once"`
}

// APIKeyCreate names a new key.
type APIKeyCreate struct { //nolint:revive // the name is that of the schema, which has no package
	Name string `json:"name" doc:"What the key is for" example:"ci"`
}

type (
	keyInput struct{ Body APIKeyCreate }
	keyPath  struct {
		ID string `path:"id" maxLength:"128" doc:"Id of the key"`
	}
	keyOutput struct {
		CacheControl string `header:"Cache-Control"`
		Body         APIKeyCreated
	}
)

const tagKeys = "API keys"

func (s *server) keyRoutes() {
	if s.KeyRing == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-api-key", Method: http.MethodPost, Path: "/api-keys", Tags: []string{tagKeys},
		Summary: "Create an API key and show its secret once", DefaultStatus: http.StatusCreated,
		Description: "A key may do what an admin of the workspace may, except manage people.",
	}, s.createKey)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-api-keys", Method: http.MethodGet, Path: "/api-keys", Tags: []string{tagKeys},
		Summary: "List the API keys, newest first", Description: "Without their secrets, and including revoked ones. All are on one page.",
	}, s.listKeys)
	rest.Register(s.Server, huma.Operation{
		OperationID: "revoke-api-key", Method: http.MethodDelete, Path: "/api-keys/{id}", Tags: []string{tagKeys},
		Summary: "Revoke an API key", Description: "It stops working within a second. Revoking it again is no error.", DefaultStatus: http.StatusNoContent,
	}, s.revokeKey)
}

func (s *server) createKey(ctx context.Context, in *keyInput) (*keyOutput, error) {
	k, secret, err := s.KeyRing.CreateKeyBy(ctx, rest.IdentityOf(ctx), in.Body.Name)
	if err != nil {
		return nil, err
	}
	return &keyOutput{CacheControl: "no-store", Body: APIKeyCreated{wireKey(k), secret}}, nil
}

func (s *server) listKeys(ctx context.Context, _ *struct{}) (*rest.Body[rest.Page[APIKey]], error) {
	list, err := s.KeyRing.Keys(ctx, rest.WorkspaceOf(ctx))
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireKey), "")), nil
}

func (s *server) revokeKey(ctx context.Context, in *keyPath) (*struct{}, error) {
	return nil, s.KeyRing.Revoke(ctx, rest.WorkspaceOf(ctx), in.ID)
}

func wireKey(k workspace.Key) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, CreatedAt: rest.Moment(k.CreatedAt), CreatedBy: rest.OrNull(k.MadeByName),
		LastUsedAt: rest.Millis(k.LastUsedAt), RevokedAt: rest.Millis(k.RevokedAt),
	}
}
