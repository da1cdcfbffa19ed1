package client

import "context"

// RoomsRequest asks for rooms in which agents meet the simulated caller over WebRTC.
type RoomsRequest struct {
	DatasetID string `json:"datasetId"`
	// DatasetItemIDs restricts the rooms to these items; nil means one for each item, and an empty list is refused.
	DatasetItemIDs []string `json:"datasetItemIds,omitzero"`
	// AgentName, when given, has a worker registered under it at the media server sent into each room.
	AgentName string `json:"agentName,omitempty"`
	// AgentID, when given, is the agent that the calls belong to, with its test defaults.
	AgentID string `json:"agentId,omitempty"`
}

// MediaRooms is where the agents have to go.
type MediaRooms struct {
	// ExperimentID names a Voice Experiment.
	ExperimentID string `json:"experimentId"`
	// Rooms has one for each item, in the order of the dataset.
	Rooms []MediaRoom `json:"rooms"`
}

// MediaRoom is how an agent joins the room of one item. Token is a secret.
type MediaRoom struct {
	RoomName      string `json:"roomName"`
	URL           string `json:"url"`
	DatasetItemID string `json:"datasetItemId"`
	Token         string `json:"token"`
}

// CreateMediaRooms starts a Voice Experiment whose agents come to the rooms. A
// repeat with the same IdempotencyKey gives the same rooms with new tokens.
func (c *Client) CreateMediaRooms(ctx context.Context, r RoomsRequest, opts ...CallOption) (MediaRooms, error) {
	var out MediaRooms
	err := c.post(ctx, "/test-runs/create-media-rooms", r, &out, opts...)
	return out, err
}
