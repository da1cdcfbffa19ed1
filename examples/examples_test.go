// Package examples holds nothing but this test: each agent joins a room that the
// real binary has made, as its reader would start it, and the call is scored.
package examples

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	// patience bounds one agent's call with its review, on a busy machine too.
	patience = 3 * time.Minute
	// tries is how often an agent is called when other programs keep the processor to
	// themselves: such a call is evidence of nothing.
	tries = 3
)

// TestAgentsJoinRooms is not parallel, and neither are its parts: each call is to
// have the machine to itself.
func TestAgentsJoinRooms(t *testing.T) { //nolint:paralleltest // see above
	service, first := build(t)
	api := serve(t, service)
	dataset := createDataset(t, api)
	folder := speech(t)
	for _, agent := range []struct {
		name    string
		command []string
	}{
		{"go", []string{first}},
		{"node", []string{"node", absolute(t, "node/agent.js")}},
		{"browser", []string{"node", absolute(t, "browser/headless.js")}},
	} {
		t.Run(agent.name, func(t *testing.T) {
			var env []string
			if agent.name == "browser" {
				env = []string{"PAGE=" + page(t, folder)}
			}
			for n := 1; ; n++ {
				report, said := attend(t, api, dataset, folder, agent.command, env)
				if c := report.Calls[0].Call; c.Verdict != nil && *c.Verdict == "void" && n < tries && tooBusy(c.VerdictReason) {
					t.Logf("once more: %s", c.VerdictReason)
					continue
				}
				check(t, api, report, said)
				return
			}
		})
	}
}

func tooBusy(reason string) bool {
	return strings.Contains(reason, "too busy") || strings.Contains(reason, "ms late")
}

// attend has an agent meet the caller and returns the report and what the agent printed.
func attend(t *testing.T, api *client.Client, dataset, folder string, command, env []string) (client.Report, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	made, err := api.CreateMediaRooms(ctx, client.RoomsRequest{DatasetID: dataset})
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Rooms) != 1 {
		t.Fatalf("%d rooms for one item", len(made.Rooms))
	}
	agent := exec.CommandContext(ctx, command[0], command[1:]...)
	agent.Dir = folder
	agent.Env = append(append(bare(), "ROOM_URL="+made.Rooms[0].URL, "ROOM_TOKEN="+made.Rooms[0].Token), env...)
	agent.WaitDelay = 5 * time.Second
	out, err := agent.CombinedOutput()
	if strings.Contains(string(out), made.Rooms[0].Token) {
		t.Error("the agent prints its token")
	}
	if err != nil {
		t.Fatalf("the agent: %v\n%s", err, out)
	}
	if _, err := api.WaitFinished(ctx, made.ExperimentID, nil); err != nil {
		t.Fatal(err)
	}
	report, err := api.Report(ctx, made.ExperimentID)
	if err != nil || len(report.Calls) != 1 {
		t.Fatalf("the report has %d calls: %v", len(report.Calls), err)
	}
	return report, string(out)
}

// check holds a call to what the agent did: both heard each other, and the answer
// was understood on the recording.
func check(t *testing.T, api *client.Client, r client.Report, said string) {
	t.Helper()
	c := r.Calls[0].Call
	if !strings.Contains(said, "the caller has finished speaking") {
		t.Errorf("the agent did not hear the caller:\n%s", said)
	}
	if c.Status != "ENDED" || c.ScoringStatus != "SCORED" || c.Verdict == nil || *c.Verdict != "passed" {
		t.Errorf("the call is %s, %s, %s (%s), end %+v", c.Status, c.ScoringStatus, word(c.Verdict), c.VerdictReason, c.EndReason)
		for _, s := range c.Scores {
			t.Logf("  %s: %s (%s)", s.Name, s.Verdict, s.Reason)
		}
		t.Log(said)
	}
	var recording bytes.Buffer
	if _, err := api.SaveRecording(t.Context(), c.ID, &recording); err != nil {
		t.Fatal(err)
	}
	wav, err := audio.ReadWAV(&recording, 100<<20)
	if err != nil || len(wav.Channels) != 2 || wav.Rate != 16000 {
		t.Fatalf("the recording has %d channels at %d Hz (%v)", len(wav.Channels), wav.Rate, err)
	}
	for i, who := range []string{"caller", "agent"} {
		if _, _, ok := (audio.Clip{PCM: wav.Channels[i], Rate: wav.Rate}).Audible(); !ok {
			t.Errorf("the %s is not on the recording", who)
		}
	}
}
