package client

import (
	"context"
	"net/url"
)

// APIKey is a key of the workspace without its secret. Times are milliseconds since 1970.
type APIKey struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Prefix is what the secret begins with.
	Prefix    string `json:"prefix"`
	CreatedAt int64  `json:"created_at"`
	// CreatedBy is nil for a key that was made at the command line.
	CreatedBy  *string `json:"created_by"`
	LastUsedAt *int64  `json:"last_used_at"`
	// RevokedAt is nil while the key works.
	RevokedAt *int64 `json:"revoked_at"`
}

// NewAPIKey is a key that was just made. Secret is shown this once.
type NewAPIKey struct {
	APIKey
	Secret string `json:"secret"`
}

// CreateAPIKey makes a key for the workspace. A repeat makes another one: no secret is kept that could be shown again.
func (c *Client) CreateAPIKey(ctx context.Context, name string) (NewAPIKey, error) {
	var out NewAPIKey
	err := c.post(ctx, "/api-keys", map[string]string{"name": name}, &out)
	return out, err
}

// APIKeys are all keys, revoked ones included.
func (c *Client) APIKeys(ctx context.Context) ([]APIKey, error) {
	var out Page[APIKey]
	err := c.get(ctx, "/api-keys", nil, &out)
	return out.Data, err
}

// RevokeAPIKey ends a key's life.
func (c *Client) RevokeAPIKey(ctx context.Context, id string) error {
	return c.remove(ctx, "/api-keys/"+url.PathEscape(id))
}

// Member is a person in the workspace. Role is "viewer", "member", "admin" or "owner".
type Member struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Email     string `json:"email"`
	Role      string `json:"role"`
	CreatedAt int64  `json:"created_at"`
	// SeenAt is nil when the person was never signed in, or long ago.
	SeenAt *int64 `json:"seen_at"`
}

// Invitation is one that was not taken up yet.
type Invitation struct {
	ID        string `json:"id"`
	Email     string `json:"email"`
	Role      string `json:"role"`
	InvitedBy string `json:"invited_by"`
	CreatedAt int64  `json:"created_at"`
	ExpiresAt int64  `json:"expires_at"`
}

// Members are the people of the workspace. A key may look; only people manage people.
func (c *Client) Members(ctx context.Context) ([]Member, error) {
	var out Page[Member]
	err := c.get(ctx, "/members", nil, &out)
	return out.Data, err
}

// Invitations are those that were not taken up yet.
func (c *Client) Invitations(ctx context.Context, p PageOptions) (Page[Invitation], error) {
	var out Page[Invitation]
	err := c.get(ctx, "/invitations", p.query(), &out)
	return out, err
}

// AuditEntry says who changed what, when and from where.
type AuditEntry struct {
	ID string `json:"id"`
	At int64  `json:"at"`
	// Actor.Kind is "person", "key" or "operator".
	Actor AuditActor `json:"actor"`
	// Action is the id of the operation in the OpenAPI document.
	Action    string     `json:"action"`
	Thing     AuditThing `json:"thing"`
	Address   *string    `json:"address"`
	RequestID *string    `json:"request_id"`
}

// AuditActor is who did something, as they were called then.
type AuditActor struct {
	Kind string  `json:"kind"`
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

// AuditThing is what something was done to.
type AuditThing struct {
	Kind string  `json:"kind"`
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

// AuditLog lists what was done in the workspace, newest first.
func (c *Client) AuditLog(ctx context.Context, p PageOptions) (Page[AuditEntry], error) {
	var out Page[AuditEntry]
	err := c.get(ctx, "/audit-log", p.query(), &out)
	return out, err
}
