package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// What a room's metadata says about its call.
const (
	// tellWaiting: the caller comes when the agent is there.
	tellWaiting = "waiting_for_agent"
	// tellHeld: the agent is there, and the caller comes when the machine has room.
	tellHeld = "queued"
	// tellCalling: the caller is on its way.
	tellCalling = "calling"
)

// roomNote is the metadata of a room: what an agent may need to know of its call.
type roomNote struct {
	ExperimentID string `json:"experiment_id"`
	CallID       string `json:"call_id"`
	ItemID       string `json:"dataset_item_id"`
	ItemKey      string `json:"dataset_item_key,omitempty"`
	State        string `json:"state"`
	Detail       string `json:"detail,omitempty"`
	// Variables are those of the item's metadata.
	Variables any `json:"variables,omitempty"`
}

// variablesKey is the key of an item's metadata whose value every agent gets to see.
const variablesKey = "variables"

// longestVariables bounds (bytes of JSON) the variables of an item. The media server inside takes half a MiB with a
// room; what else stands there is short.
const longestVariables = 500_000

// checkVariables finds the items of whose variables no room could tell.
func checkVariables(items []scenario.Item) []problem.Field {
	var fields []problem.Field
	for i := range items {
		text, err := json.Marshal(items[i].Metadata[variablesKey])
		if err != nil || len(text) <= longestVariables || len(fields) >= maxNamed {
			continue
		}
		fields = append(fields, problem.Field{Path: "datasetId", Message: fmt.Sprintf(
			"has an item (%s) whose metadata.variables are larger than %d bytes, the most that a room can pass to its agent", cmp.Or(items[i].Key, items[i].ID), longestVariables,
		)})
	}
	return fields
}

func noteOf(c call.Call, item scenario.Item, state string) string {
	note := roomNote{
		ExperimentID: c.ExperimentID, CallID: c.ID, ItemID: c.ItemID, ItemKey: item.Key,
		State: state, Variables: item.Metadata[variablesKey],
	}
	if state == tellHeld {
		note.Detail = heldDetail
	}
	text, err := json.Marshal(note)
	if err != nil { // what came as JSON goes as JSON
		return "{}"
	}
	return string(text)
}

// openRoom opens the room of a call in which nobody is yet.
func (s *Service) openRoom(ctx context.Context, c call.Call, item scenario.Item, agentName string) error {
	return s.Rooms.Open(ctx, RoomSpec{
		Name: RoomName(c.ID), Metadata: noteOf(c, item, tellWaiting), AgentName: agentName,
		EmptyFor: s.RoomWait + emptyGrace, Participants: roomParticipants,
	})
}

// tell has everybody in the room know how far its call has come. A failure only
// keeps them in the dark.
func (s *Service) tell(ctx context.Context, c call.Call, item scenario.Item, state string) {
	if err := s.Rooms.Tell(ctx, RoomName(c.ID), noteOf(c, item, state)); err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "a room could not be told of its call", "call", c.ID, "error", err)
	}
}

func unavailable(message string) *problem.Error {
	return problem.New(problem.Unavailable, "%s", message)
}
