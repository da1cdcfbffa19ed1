package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Rooms starts test runs whose agents come to us over WebRTC.
type Rooms interface {
	StartInRooms(ctx context.Context, workspaceID string, r experiment.RoomsRequest) (experiment.Experiment, []experiment.Connection, error)
	// Connections makes the connection data of an experiment anew, with new tokens.
	Connections(ctx context.Context, workspaceID, id string) ([]experiment.Connection, error)
}

// RoomsRequest is the body of the operation that creates media rooms.
type RoomsRequest struct {
	DatasetID      string    `json:"datasetId" minLength:"1" maxLength:"128" doc:"Id of the dataset of scenarios" example:"ds_01k0000000000000000000000"`
	DatasetItemIDs *[]string `json:"datasetItemIds,omitempty" nullable:"false" minItems:"1" maxItems:"10000" doc:"Make rooms only for these items of the dataset; for all when not given"`
	AgentName      string    `json:"agentName,omitempty" minLength:"1" maxLength:"200" doc:"Name under which agent workers are registered at the media server: one is sent into each room when its turn has come. When not given, agents join by themselves"`
	AgentID        string    `json:"agentId,omitempty" minLength:"1" maxLength:"128" doc:"Id of the agent that the calls belong to, and whose test defaults are used"`
}

// MediaRooms is the answer: where the agent of each item has to go.
type MediaRooms struct {
	ExperimentID string      `json:"experimentId" doc:"Id of the Voice Experiment, to poll like any other"`
	Rooms        []MediaRoom `json:"rooms" doc:"One room per item, in the order of the dataset"`
}

// MediaRoom is how an agent joins the room of one item.
type MediaRoom struct {
	RoomName      string `json:"roomName" doc:"Name of the room at the media server"`
	URL           string `json:"url" doc:"WebSocket address of the media server"`
	DatasetItemID string `json:"datasetItemId" doc:"The item that the caller plays in this room"`
	Token         string `json:"token" doc:"Token that lets its bearer join this room and nothing else. Keep it secret"`
}

type roomsInput struct {
	rest.CreateHeader
	Body RoomsRequest
}

func (s *server) roomRoutes() {
	if s.Rooms == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-media-rooms", Method: http.MethodPost, Path: "/test-runs/create-media-rooms", Tags: []string{tagRuns},
		Summary: "Create media rooms for agents without a telephone number",
		Description: "Creates one room per dataset item. The agent joins a room with its url and token over WebRTC, and the simulated caller meets it there. " +
			"A call waits, QUEUED, until an agent is in its room and the service has capacity; when none comes it ends as agent_never_joined. " +
			"A repeat with the same Idempotency-Key names the same rooms with new tokens.",
	}, s.createRooms)
}

func (s *server) createRooms(ctx context.Context, in *roomsInput) (*rest.Body[MediaRooms], error) {
	request := experiment.RoomsRequest{DatasetID: in.Body.DatasetID, AgentName: in.Body.AgentName, AgentID: in.Body.AgentID}
	if in.Body.DatasetItemIDs != nil {
		request.ItemIDs = *in.Body.DatasetItemIDs
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-media-rooms", From: request},
		func(ctx context.Context) (*rest.Body[MediaRooms], error) {
			e, made, err := s.Rooms.StartInRooms(ctx, rest.WorkspaceOf(ctx), request)
			return wireRooms(e.ID, made), err
		},
		func(m store.Remembered) (*rest.Body[MediaRooms], error) {
			made, err := s.Rooms.Connections(ctx, rest.WorkspaceOf(ctx), m.ID)
			return wireRooms(m.ID, made), err
		})
}

func wireRooms(experimentID string, made []experiment.Connection) *rest.Body[MediaRooms] {
	out := MediaRooms{ExperimentID: experimentID, Rooms: make([]MediaRoom, len(made))}
	for i, c := range made {
		out.Rooms[i] = MediaRoom{RoomName: c.RoomName, URL: c.URL, DatasetItemID: c.ItemID, Token: c.Token}
	}
	return rest.Answer(out)
}
