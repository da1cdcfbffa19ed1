package api_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

const roomsPath = "/api/rest/test-runs/create-media-rooms"

// hotel answers for rooms; its tokens are new every time.
type hotel struct {
	played *played
	asked  []experiment.RoomsRequest
	minted int
	err    error
}

func (h *hotel) StartInRooms(ctx context.Context, ws string, r experiment.RoomsRequest) (experiment.Experiment, []experiment.Connection, error) {
	if h.err != nil {
		return experiment.Experiment{}, nil, h.err
	}
	if ws != h.played.workspace {
		return experiment.Experiment{}, nil, problem.Absent("datasetId", "dataset", problem.Missing("dataset", r.DatasetID))
	}
	h.asked = append(h.asked, r)
	e := h.played.one(fmt.Sprintf("ve_%d", len(h.asked)))
	if err := h.played.store.Write(ctx, func(tx *store.Tx) error { return tx.InsertExperiment(ctx, e) }); err != nil {
		return e, nil, err
	}
	made, err := h.Connections(ctx, ws, e.ID)
	return e, made, err
}

func (h *hotel) Connections(context.Context, string, string) ([]experiment.Connection, error) {
	h.minted++
	return []experiment.Connection{
		{RoomName: "ringtrue-call_1", URL: "wss://media.example.org", ItemID: "di_1", Token: fmt.Sprintf("secret.%d", h.minted)},
		{RoomName: "ringtrue-call_2", URL: "wss://media.example.org", ItemID: "di_2", Token: "other"},
	}, nil
}

func roomsSetup(t *testing.T) (*bundle, *hotel) {
	t.Helper()
	h := &hotel{}
	b := setup(t, func(o *api.Options) { o.Rooms = h })
	h.played = b.experiments
	return b, h
}

func TestCreateMediaRooms(t *testing.T) {
	t.Parallel()
	b, h := roomsSetup(t)
	want := `{"experimentId":"ve_1","rooms":[{"roomName":"ringtrue-call_1","url":"wss://media.example.org","datasetItemId":"di_1","token":"secret.1"},` +
		`{"roomName":"ringtrue-call_2","url":"wss://media.example.org","datasetItemId":"di_2","token":"other"}]}`
	wantJSON(t, b.ask(t, "POST", roomsPath, `{"datasetId":"ds_1"}`), 200, want)
	wantStatus(t, b.ask(t, "POST", roomsPath, `{"datasetId":"ds_1","datasetItemIds":["di_2"],"agentName":"desk","agentId":"agt_1"}`).Code, 200, "everything")
	wantStatus(t, b.ask(t, "POST", roomsPath, `{"datasetId":"ds_1","datasetItemIds":null}`).Code, 200, "null for all")
	if h.asked[0].ItemIDs != nil || h.asked[2].ItemIDs != nil || h.asked[0].DatasetID != "ds_1" {
		t.Errorf("asked for %+v", h.asked)
	}
	if got := h.asked[1]; !slices.Equal(got.ItemIDs, []string{"di_2"}) || got.AgentName != "desk" || got.AgentID != "agt_1" {
		t.Errorf("asked for %+v", got)
	}
	for body, paths := range map[string][]string{
		`{}`:                                     {"datasetId"},
		`{"datasetId":""}`:                       {"datasetId"},
		`{"datasetId":7}`:                        {"datasetId"},
		`{"dataset_id":"ds_1"}`:                  {"datasetId", "dataset_id"},
		`{"datasetId":"ds_1","agentName":""}`:    {"agentName"},
		`{"datasetId":"ds","datasetItemIds":[]}`: {"datasetItemIds"},
		`{"datasetId":"ds_1","datasetItemIds":[` + strings.Repeat(`"x",`, 10_000) + `"x"]}`: {"datasetItemIds"},
	} {
		p := wantProblem(t, b.ask(t, "POST", roomsPath, body), 422, "invalid_fields", paths...)
		for _, f := range p.Errors {
			if f.Path == "dataset_id" && f.Suggestion != "datasetId" || strings.Contains(f.Message, "expected") {
				t.Errorf("%+v", f)
			}
		}
	}
	wantProblem(t, b.ask(t, "POST", roomsPath, `{"datasetId":"ds_1"}`, "Authorization", "Bearer "+b.other), 422, "invalid_fields", "datasetId")
	h.err = problem.New(problem.Unavailable, "the media server does not answer")
	wantProblem(t, b.ask(t, "POST", roomsPath, `{"datasetId":"ds_1"}`), 503, "unavailable")
	if strings.Contains(b.log.String(), "secret.") {
		t.Error("the log holds a token")
	}
}

func TestRoomsAreRememberedAndTokensAreNot(t *testing.T) {
	t.Parallel()
	b, h := roomsSetup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	c := client.New(server.URL, b.first.Secret, client.WithHTTPClient(server.Client()))
	first, err := c.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: "ds_1"}, client.IdempotencyKey("k"))
	if err != nil || len(first.Rooms) != 2 || first.Rooms[0].Token != "secret.1" {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := c.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: "ds_1"}, client.IdempotencyKey("k"))
	if err != nil || again.ExperimentID != first.ExperimentID || again.Rooms[0].RoomName != first.Rooms[0].RoomName || again.Rooms[0].Token != "secret.2" {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := c.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: "ds_2"}, client.IdempotencyKey("k")); !client.IsCode(err, "conflict") {
		t.Errorf("another request under the key: %v", err)
	}
	// A list that came out empty must not mean all.
	if _, err := c.CreateMediaRooms(t.Context(), client.RoomsRequest{DatasetID: "ds_1", DatasetItemIDs: []string{}}); !client.IsCode(err, "invalid_fields") {
		t.Errorf("an empty list: %v", err)
	}
	if len(h.asked) != 1 {
		t.Errorf("%d times rooms were made", len(h.asked))
	}
}
