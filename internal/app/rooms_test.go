package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

func createRooms(t *testing.T, r *rig, w tenant, body string, headers ...string) (out client.MediaRooms, a answer) {
	t.Helper()
	a = r.ask(t, w, "POST", "/test-runs/create-media-rooms", []byte(body), headers...)
	if a.status == 200 {
		must(t, json.Unmarshal(a.body, &out))
	}
	return out, a
}

// moreItems adds items to a dataset and returns the ids of all.
func moreItems(t *testing.T, w tenant, dataset string, n int) []string {
	t.Helper()
	items := make([]client.Item, n)
	for i := range items {
		items[i] = client.Item{Input: json.RawMessage(`{"script":["wait_for_agent","hang_up"]}`)}
	}
	_, err := w.api.AddItems(t.Context(), dataset, items)
	must(t, err)
	var ids []string
	for cursor := ""; ; {
		page, err := w.api.Items(t.Context(), dataset, 0, client.PageOptions{Limit: 1000, Cursor: cursor})
		must(t, err)
		for _, item := range page.Data {
			ids = append(ids, item.ID)
		}
		if page.NextCursor == nil {
			return ids
		}
		cursor = *page.NextCursor
	}
}

func TestRoomsAreMadeAndNamedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ids := moreItems(t, r.mine, r.mine.dataset, 2)
	body := fmt.Sprintf(`{"datasetId":%q,"datasetItemIds":[%q,%q]}`, r.mine.dataset, ids[2], ids[0])
	made, a := createRooms(t, r, r.mine, body, "Idempotency-Key", "once")
	if a.status != 200 || len(made.Rooms) != 2 || made.Rooms[0].DatasetItemID != ids[0] || made.Rooms[1].DatasetItemID != ids[2] {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var shape struct {
		ExperimentID string           `json:"experimentId"`
		Rooms        []map[string]any `json:"rooms"`
	}
	must(t, json.Unmarshal(a.body, &shape))
	if len(shape.Rooms[0]) != 4 || !strings.HasPrefix(shape.ExperimentID, "ve_") {
		t.Errorf("the answer is %s", a.body)
	}
	for _, room := range made.Rooms {
		if !strings.HasPrefix(room.RoomName, "ringtrue-call_") || !strings.HasPrefix(room.URL, "ws://127.0.0.1:") || strings.Count(room.Token, ".") != 2 {
			t.Errorf("room %+v", room)
		}
	}
	seen, err := r.app.parts.rooms.Rooms(t.Context())
	if err != nil || len(seen) != 2 {
		t.Errorf("the media server has %d rooms: %v", len(seen), err)
	}
	again, _ := createRooms(t, r, r.mine, body, "Idempotency-Key", "once")
	if again.ExperimentID != made.ExperimentID || len(again.Rooms) != 2 || again.Rooms[0].RoomName != made.Rooms[0].RoomName || again.Rooms[1].Token == "" {
		t.Errorf("the same key made %+v", again)
	}
	_, other := createRooms(t, r, r.mine, fmt.Sprintf(`{"datasetId":%q}`, r.mine.dataset), "Idempotency-Key", "once")
	r.refused(t, "the same key for something else", other, 409, "conflict")
	r.seeRooms(t, made)
	for _, room := range append(made.Rooms, again.Rooms...) {
		if strings.Contains(r.log.String(), room.Token[:40]) || strings.Contains(r.log.String(), room.Token[len(room.Token)-40:]) {
			t.Error("the log holds a token")
		}
	}
}

// TestAnAgentMayComeBeforeItsTurn takes rooms that are not open, because agent workers are sent
// into no more of them than the machine has room for.
func TestAnAgentMayComeBeforeItsTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	moreItems(t, r.mine, r.mine.dataset, 13)
	made, a := createRooms(t, r, r.mine, fmt.Sprintf(`{"datasetId":%q,"agentName":"nobody"}`, r.mine.dataset))
	if a.status != 200 || len(made.Rooms) != 14 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	last := made.Rooms[13]
	if got := joinable(t, last, last.Token); got != 200 {
		t.Errorf("the last room of those that wait gives %d", got)
	}
	if got := joinable(t, last, last.Token[:len(last.Token)-4]+"AAAA"); got != 401 {
		t.Errorf("a forged token gives %d", got)
	}
	_, err := r.mine.api.Cancel(t.Context(), made.ExperimentID)
	must(t, err)
	r.noRoomsLeft(t)
	if got := joinable(t, last, last.Token); got != 404 {
		t.Errorf("the room of a canceled call gives %d", got)
	}
}

// joinable asks the media server whether a room could be joined, as clients do.
func joinable(t *testing.T, room client.MediaRoom, token string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http"+strings.TrimPrefix(room.URL, "ws")+"/rtc/validate", nil)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	must(t, answer.Body.Close())
	return answer.StatusCode
}

// seeRooms looks at the experiment as any other, cancels it and waits for its rooms to go.
func (r *rig) seeRooms(t *testing.T, made client.MediaRooms) {
	t.Helper()
	ctx := t.Context()
	e, err := r.mine.api.Experiment(ctx, made.ExperimentID)
	if err != nil || e.Line != "room" || e.AgentID != "" || e.ToNumber != "" || e.Counts.Calls != 2 {
		t.Errorf("the experiment is %+v: %v", e, err)
	}
	raw := r.ask(t, r.mine, "GET", "/voice-experiments/"+made.ExperimentID, nil)
	if text := string(raw.body); !strings.Contains(text, `"agent_id":null`) || !strings.Contains(text, `"to_number":null`) {
		t.Errorf("what is not there is not null: %s", text)
	}
	if list, err := r.mine.api.Experiments(ctx, client.ExperimentFilter{}, client.PageOptions{}); err != nil || list.Data[0].ID != e.ID {
		t.Errorf("the list begins with %+v: %v", list.Data[0], err)
	}
	calls, err := r.mine.api.RunCalls(ctx, made.ExperimentID)
	must(t, err)
	if c := calls[0]; c.Status != "QUEUED" || c.AgentID != nil || c.Line != "room" || c.RoomName == nil || *c.RoomName != made.Rooms[0].RoomName {
		t.Errorf("the call is %+v", c)
	}
	report, err := r.mine.api.Report(ctx, made.ExperimentID)
	if err != nil || len(report.Calls) != 2 {
		t.Errorf("the report has %d calls: %v", len(report.Calls), err)
	}
	if xml, err := r.mine.api.ReportJUnit(ctx, made.ExperimentID); err != nil || !strings.Contains(string(xml), `tests="2"`) {
		t.Errorf("JUnit: %s, %v", xml, err)
	}
	_, err = r.mine.api.Cancel(ctx, made.ExperimentID)
	must(t, err)
	_, err = r.mine.api.Rerun(ctx, made.ExperimentID, false)
	if !client.IsCode(err, "conflict") {
		t.Errorf("a rerun whose agent has no tokens: %v", err)
	}
	r.noRoomsLeft(t)
}

// noRoomsLeft has the rooms looked after until none is left.
func (r *rig) noRoomsLeft(t *testing.T) {
	t.Helper()
	eventually(t, "rooms go with their calls", func(ctx context.Context) bool {
		seen, err := r.app.parts.rooms.Rooms(ctx)
		var rows int
		must(t, r.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM rooms`).Scan(&rows))
		return err == nil && len(seen) == 0 && rows == 0
	})
}

func TestRoomsThatCannotBeMade(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other, err := r.mine.api.CreateDataset(t.Context(), client.NewDataset{Name: "other"})
	must(t, err)
	empty, err := r.mine.api.CreateDataset(t.Context(), client.NewDataset{Name: "empty"})
	must(t, err)
	foreign := moreItems(t, r.mine, other.ID, 1)[0]
	many := `"` + strings.Repeat(`x","`, 10_000) + `x"`
	ds := r.mine.dataset
	for name, tt := range map[string]struct {
		body, code string
		status     int
		paths      []string
	}{
		"nothing":         {`{}`, "invalid_fields", 422, []string{"datasetId"}},
		"snake case":      {`{"datasetId":"` + ds + `","dataset_item_ids":["x"]}`, "invalid_fields", 422, []string{"dataset_item_ids"}},
		"unknown dataset": {`{"datasetId":"ds_01k0000000000000000000000"}`, "invalid_fields", 422, []string{"datasetId"}},
		"unknown item":    {`{"datasetId":"` + ds + `","datasetItemIds":["di_none"]}`, "invalid_fields", 422, []string{"datasetItemIds[0]"}},
		"another's item": {
			`{"datasetId":"` + ds + `","datasetItemIds":["` + r.mine.item + `","` + foreign + `"]}`, "invalid_fields", 422, []string{"datasetItemIds[1]"},
		},
		"another workspace's item": {
			`{"datasetId":"` + ds + `","datasetItemIds":["` + r.theirs.item + `"]}`, "invalid_fields", 422, []string{"datasetItemIds[0]"},
		},
		"no items":    {`{"datasetId":"` + ds + `","datasetItemIds":[]}`, "invalid_fields", 422, []string{"datasetItemIds"}},
		"one twice":   {`{"datasetId":"` + ds + `","datasetItemIds":["` + r.mine.item + `","` + r.mine.item + `"]}`, "invalid_fields", 422, []string{"datasetItemIds[1]"}},
		"10,001":      {`{"datasetId":"` + ds + `","datasetItemIds":[` + many + `]}`, "invalid_fields", 422, []string{"datasetItemIds"}},
		"a number":    {`{"datasetId":"` + ds + `","datasetItemIds":[1]}`, "invalid_fields", 422, []string{"datasetItemIds[0]"}},
		"a text":      {`{"datasetId":"` + ds + `","datasetItemIds":"` + r.mine.item + `"}`, "invalid_fields", 422, []string{"datasetItemIds"}},
		"empty":       {`{"datasetId":"` + empty.ID + `"}`, "invalid_fields", 422, []string{"datasetId"}},
		"empty agent": {`{"datasetId":"` + ds + `","agentName":""}`, "invalid_fields", 422, []string{"agentName"}},
	} {
		r.untouched(t, func() {
			_, a := createRooms(t, r, r.mine, tt.body)
			p := r.refused(t, name, a, tt.status, tt.code)
			if !slices.Equal(p.paths(), tt.paths) {
				t.Errorf("%s: faults at %v, want %v", name, p.paths(), tt.paths)
			}
			plain(t, name, p)
		})
	}
	if r.app.parts.rooms.now() != nil {
		t.Error("the media server was started for nothing")
	}
}

func TestWithoutAMediaServerRoomsAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.Media.Off = true })
	r.untouched(t, func() {
		_, a := createRooms(t, r, r.mine, fmt.Sprintf(`{"datasetId":%q}`, r.mine.dataset))
		if p := r.refused(t, "rooms", a, 503, "unavailable"); !strings.Contains(p.Hint, "--media-url") {
			t.Errorf("hint %q", p.Hint)
		}
	})
}

func TestAMediaServerThatIsAwayRefusesRooms(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) {
		o.Media.URL, o.Media.Key, o.Media.Secret = "ws://127.0.0.1:9", "key", strings.Repeat("s", 32)
	})
	r.untouched(t, func() {
		_, a := createRooms(t, r, r.mine, fmt.Sprintf(`{"datasetId":%q}`, r.mine.dataset))
		p := r.refused(t, "rooms", a, 503, "unavailable")
		if !strings.Contains(p.Hint, "--media-url") || strings.Contains(string(a.body), strings.Repeat("s", 32)) {
			t.Errorf("%s", a.body)
		}
	})
}

// TestAMediaServerElsewhereIsNotSaidToRun by a service that has not asked it yet.
func TestAMediaServerElsewhereIsNotSaidToRun(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	o := Options{Log: slog.New(slog.NewTextHandler(&said, nil))}
	o.Media = MediaOptions{URL: "ws://127.0.0.1:9", Key: "key", Secret: strings.Repeat("s", 32), Eager: true}
	rooms, _, err := newMediaRooms(o)
	must(t, err)
	var undo cleanups
	rooms.begin(o, &undo)
	must(t, undo.run(t.Context()))
	if said.Len() > 0 {
		t.Errorf("the log says %s", &said)
	}
}

// eventually waits up to a minute for what has to come.
func eventually(t *testing.T, what string, holds func(context.Context) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(t.Context()); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}
