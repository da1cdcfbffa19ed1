package client

import (
	"context"
	"net/url"
)

// RecordingCredential says what opens the recordings of a host. The secret is never given back.
type RecordingCredential struct {
	ID string `json:"id"`
	// Host is the host, or ".example.com" for every host below example.com; with ":8443"
	// behind it where that is another port than the one of https.
	Host string `json:"host"`
	// Header or Query is the name of what carries the secret, the other is nil.
	Header *string `json:"header"`
	Query  *string `json:"query"`
	// CreatedAt and UpdatedAt are milliseconds since 1970.
	CreatedAt int64 `json:"created_at"`
	UpdatedAt int64 `json:"updated_at"`
}

// NewRecordingCredential is a secret for a host. Header or Query is given, not both.
type NewRecordingCredential struct {
	Host   string `json:"host"`
	Header string `json:"header,omitempty"`
	Query  string `json:"query,omitempty"`
	Value  string `json:"value"`
}

// PlatformKey says that the key of a voice platform is kept.
type PlatformKey struct {
	Provider  string `json:"provider"`
	UpdatedAt int64  `json:"updated_at"`
}

// AgentSync says where to take agents from: "platform_a" or "platform_b". Without
// a key the one that is kept is used.
type AgentSync struct {
	Provider string `json:"provider"`
	APIKey   string `json:"api_key,omitempty"`
}

// AgentSynced is what came of a sync.
type AgentSynced struct {
	Provider  string        `json:"provider"`
	Listed    int           `json:"listed"`
	Created   int           `json:"created"`
	Updated   int           `json:"updated"`
	Unchanged int           `json:"unchanged"`
	Skipped   int           `json:"skipped"`
	Changes   []SyncedAgent `json:"changes"`
}

// SyncedAgent is an agent that a sync has "created" or "updated".
type SyncedAgent struct {
	ID       string `json:"id"`
	SourceID string `json:"sourceId"`
	Name     string `json:"name"`
	Change   string `json:"change"`
}

// CreateRecordingCredential keeps a secret for a host, in place of an earlier one.
func (c *Client) CreateRecordingCredential(ctx context.Context, r NewRecordingCredential) (RecordingCredential, error) {
	var out RecordingCredential
	err := c.post(ctx, "/recording-credentials", r, &out)
	return out, err
}

// RecordingCredentials lists recording credentials, newest first.
func (c *Client) RecordingCredentials(ctx context.Context, p PageOptions) (Page[RecordingCredential], error) {
	var out Page[RecordingCredential]
	err := c.get(ctx, "/recording-credentials", p.query(), &out)
	return out, err
}

// DeleteRecordingCredential forgets a recording credential.
func (c *Client) DeleteRecordingCredential(ctx context.Context, id string) error {
	return c.remove(ctx, "/recording-credentials/"+url.PathEscape(id))
}

// PutPlatformKey keeps the key of a voice platform, in place of an earlier one.
func (c *Client) PutPlatformKey(ctx context.Context, provider, key string) (PlatformKey, error) {
	var out PlatformKey
	err := c.put(ctx, platformKeyPath(provider), map[string]string{"api_key": key}, &out)
	return out, err
}

// PlatformKeys lists the voice platforms whose key is kept.
func (c *Client) PlatformKeys(ctx context.Context) ([]PlatformKey, error) {
	var out Page[PlatformKey]
	err := c.get(ctx, "/platform-keys", nil, &out)
	return out.Data, err
}

// DeletePlatformKey forgets the key of a voice platform.
func (c *Client) DeletePlatformKey(ctx context.Context, provider string) error {
	return c.remove(ctx, platformKeyPath(provider))
}

// SyncAgents takes in the agents of a voice platform.
func (c *Client) SyncAgents(ctx context.Context, s AgentSync) (AgentSynced, error) {
	var out AgentSynced
	err := c.post(ctx, "/agents/sync", s, &out)
	return out, err
}

func platformKeyPath(provider string) string { return "/platform-keys/" + url.PathEscape(provider) }
