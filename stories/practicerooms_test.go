package stories

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// practiceItems are a caller that asks for the hours and one that asks for a price.
const practiceItems = `[
  {"key": "hours", "input": {"script": ["wait_for_agent", {"say": "What are your opening hours?"}, "wait_for_agent", "hang_up"]},
   "output": {"say": ["nine o'clock to five o'clock"]}},
  {"key": "price", "input": {"script": ["wait_for_agent", {"say": "How much is a vaccination?"}, "wait_for_agent", "hang_up"]},
   "output": {"facts_stated": {"price": "$40"}, "tool_calls": [{"name": "get_price", "arguments": {"service": "vaccination"}}]}}
]`

// practiceInRooms tells how a user without an agent of their own
// tries rooms: what the operation answers is given to the practice agent, whose
// fault is found by the check for it and by no other.
func practiceInRooms(t *testing.T) {
	t.Helper()
	binary := build(t)
	port, err := freePort()
	must(t, err)
	service := start(t, binary, "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:"+port, "--media-port", "0", "--media-udp-port", "0")
	service.address = "127.0.0.1:" + port
	service.await(t)
	key := service.firstKey(t)
	api := client.New(service.url(), key)
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	dataset, err := api.CreateDataset(ctx, client.NewDataset{Name: "rooms"})
	must(t, err)
	_, err = api.ImportItems(ctx, dataset.ID, client.Import{Format: "json", Data: []byte(practiceItems)})
	must(t, err)
	agent, err := api.CreateAgent(ctx, client.NewAgent{Name: "Front desk", SourceID: "desk"})
	must(t, err)
	made, err := api.CreateMediaRooms(ctx, client.RoomsRequest{DatasetID: dataset.ID, AgentID: agent.ID})
	must(t, err)
	answer, err := json.Marshal(made)
	must(t, err)

	practice := exec.CommandContext(ctx, binary, "practice", "--rooms-from", "-", "--fault", "wrong_price=20", "--report-url", service.url(), "--source-id", "desk")
	practice.Env = append(bare(), "RINGTRUE_REPORT_KEY="+key)
	practice.Stdin = bytes.NewReader(answer)
	said, err := practice.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "joins 2 rooms") {
		t.Fatalf("the practice agent: %v\n%s", err, said)
	}
	for _, room := range made.Rooms {
		if strings.Contains(string(said), room.Token) {
			t.Error("the practice agent prints a token")
		}
	}
	_, err = api.WaitFinished(ctx, made.ExperimentID, nil)
	must(t, err)
	report, err := api.Report(ctx, made.ExperimentID)
	must(t, err)
	checkPracticed(t, report)
}

func checkPracticed(t *testing.T, r client.Report) {
	t.Helper()
	if len(r.Calls) != 2 {
		t.Fatalf("%d calls", len(r.Calls))
	}
	want := map[string]string{"hours": "passed", "price": "failed"}
	for _, c := range r.Calls {
		if starved(c.Call) {
			t.Logf("%s: %s", c.Item.Key, c.Call.VerdictReason)
			continue
		}
		if word(c.Call.Verdict) != want[c.Item.Key] {
			t.Errorf("%s: %s, %s (%s)", c.Item.Key, c.Call.Status, word(c.Call.Verdict), c.Call.VerdictReason)
		}
		for _, s := range c.Call.Scores {
			if failed := s.Verdict == "failed"; failed != strings.HasPrefix(s.Name, "fact_stated") && s.Verdict != "not_evaluated" {
				t.Errorf("%s: %s %s (%s)", c.Item.Key, s.Name, s.Verdict, s.Reason)
			}
			if s.Verdict == "not_evaluated" && strings.HasPrefix(s.Name, "tool_called") {
				t.Errorf("%s: the agent's own record was not joined with the call (%s)", c.Item.Key, s.Reason)
			}
		}
	}
}

// TestTokensOfRoomsAreKeptSecret tells what somebody sees who mistakes a flag or brings
// a token that opens nothing: what to do, and never the token.
func TestTokensOfRoomsAreKeptSecret(t *testing.T) {
	t.Parallel()
	binary := build(t)
	const token = "eyJhbGciOiJIUzI1NiJ9.eyJ2aWRlbyI6e319.c2VjcmV0c2VjcmV0c2VjcmV0"
	port, err := freePort()
	must(t, err)
	for name, one := range map[string]struct {
		args  []string
		stdin string
		says  string
	}{
		"no token":        {args: []string{"--room", "ws://127.0.0.1:" + port}, says: "RINGTRUE_ROOM_TOKEN"},
		"nobody there":    {args: []string{"--room", "ws://127.0.0.1:" + port, "--token-file", "-"}, stdin: token + "\n", says: "the room"},
		"no answer":       {args: []string{"--rooms-from", "-"}, stdin: `{"rooms": [{"token": "` + token, says: "create-media-rooms"},
		"no url":          {args: []string{"--rooms-from", "-"}, stdin: `{"rooms": [{"token": "` + token + `"}]}`, says: "rooms[0]"},
		"no file":         {args: []string{"--rooms-from", "nowhere.json"}, says: "nowhere.json"},
		"two ways":        {args: []string{"--rooms-from", "-", "--room", "ws://127.0.0.1:" + port}, says: "leave out --room"},
		"token for many":  {args: []string{"--rooms-from", "-", "--token-file", "-"}, says: "brings its own token"},
		"no such address": {args: []string{"--room", "telnet://127.0.0.1", "--token-file", "-"}, stdin: token, says: "ws://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), binary, append([]string{"practice"}, one.args...)...)
			cmd.Env, cmd.Stdin = bare(), strings.NewReader(one.stdin)
			said, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 3 {
				t.Errorf("exit code %d, want 3 (%v)", cmd.ProcessState.ExitCode(), err)
			}
			if !strings.Contains(string(said), one.says) || strings.Contains(string(said), token[:24]) {
				t.Errorf("it says\n%s", said)
			}
		})
	}
}
