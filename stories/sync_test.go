package stories

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestSyncedBeforeAnswered runs the service under strace and shows, from the
// order of its system calls, that what it acknowledges was on disk before the
// answer left, and a recording before the database speaks of it. A SIGKILL
// cannot show that: what a process has written stays in the system's memory.
func TestSyncedBeforeAnswered(t *testing.T) {
	t.Parallel()
	s := newTraced(t)
	calls, run := s.exercise(t)
	for id, marker := range map[string]string{
		"sync-agent":      "marker-agent",
		"sync-rename":     "marker-source",
		"sync-dataset":    "marker-dataset",
		"sync-upload":     "marker-upload",
		"sync-log":        "marker-log",
		"sync-experiment": "+15550177001",
	} {
		if err := checkAnswer(calls, id, marker); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"new", "new/data", "new/data/media-keys", "new/data/secret.key"} {
		if err := checkName(calls, filepath.Join(s.folder, name), "sync-agent"); err != nil {
			t.Error(err)
		}
	}
	for _, c := range run {
		if c.RecordingURL == nil || len(c.Attempts) != 1 {
			t.Errorf("call %s is %s with %d attempts", c.ID, c.Status, len(c.Attempts))
			continue
		}
		found, err := filepath.Glob(filepath.Join(s.data, "recordings", "*", c.ID))
		if err != nil || len(found) != 1 {
			t.Fatalf("the folder of the recording: %v, %v", found, err)
		}
		workspace := filepath.Base(filepath.Dir(found[0]))
		if err := checkRecording(calls, "recordings", workspace, c.ID, c.Attempts[0].ID+".wav"); err != nil {
			t.Error(err)
		}
		if _, err := syncedAt(calls, c.Attempts[0].ID+".wav"); err != nil {
			t.Error(err)
		}
	}
}

// traced is a service whose system calls are written down.
type traced struct {
	// data lies two folders below folder, which the service makes.
	folder, data, trace string
	cmd                 *exec.Cmd
	api                 *client.Client
	request             *named
}

// named gives each request the name by which its answer is found.
type named struct{ id string }

// RoundTrip implements http.RoundTripper.
func (n *named) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Request-Id", n.id)
	return http.DefaultTransport.RoundTrip(r)
}

func newTraced(t *testing.T) *traced {
	t.Helper()
	binary, folder := build(t), t.TempDir()
	agent, err := freePort()
	must(t, err)
	port, err := freePort()
	must(t, err)
	start(t, binary, "practice", "--listen", "127.0.0.1:"+agent)
	if !accepts("127.0.0.1:" + agent) {
		t.Fatal("the practice agent takes no calls")
	}
	s := &traced{folder: folder, data: filepath.Join(folder, "new", "data"), trace: filepath.Join(folder, "trace"), request: &named{}}
	// A commit's pages are written as one piece, up to 124 kB of them.
	s.cmd = exec.Command("strace", "-f", "--seccomp-bpf", "-yy", "-s", "131072", "-o", s.trace, "-e", "signal=none",
		"-e", "trace=write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,link,linkat",
		binary, "--log-level=warn", "serve", "--data", s.data, "--listen", "127.0.0.1:"+port, "--record-wait=100ms",
		"--trunk", "practice=sip://127.0.0.1:"+agent+"?calls_per_second=0")
	var log output
	// A group of its own, because strace passes no signal on and dies before what it traces.
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr, s.cmd.SysProcAttr = bare(), &log, &log, &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("strace, which `make setup-test` installs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) })
	if !answers("http://127.0.0.1:" + port + "/readyz") {
		t.Fatalf("the service does not come up:\n%s", log.String())
	}
	s.api = client.New("http://127.0.0.1:"+port, keyPattern().FindString(log.String()), client.WithHTTPClient(&http.Client{Transport: s.request}))
	return s
}

// exercise sends each kind of write, waits for the experiment, stops the
// service and reads its trace.
func (s *traced) exercise(t *testing.T) ([]*systemCall, []client.Call) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	as := func(id string) context.Context {
		s.request.id = id
		return ctx
	}
	agent, err := s.api.CreateAgent(as("sync-agent"), client.NewAgent{Name: "marker-agent"})
	must(t, err)
	source := "marker-source"
	_, err = s.api.UpdateAgent(as("sync-rename"), agent.ID, client.AgentChange{SourceID: &source})
	must(t, err)
	dataset, err := s.api.CreateDataset(as("sync-dataset"), client.NewDataset{Name: "marker-dataset"})
	must(t, err)
	_, err = s.api.ImportItems(as("sync-upload"), dataset.ID, client.Import{
		Format: "jsonl", Data: []byte(`{"key": "a", "input": {"script": [{"stay_silent_ms": 800}, "hang_up"]}}`),
	}, client.IdempotencyKey("marker-upload")) // the items themselves are compressed
	must(t, err)
	_, err = s.api.SubmitCallLog(as("sync-log"), client.CallLog{Provider: "custom", Payload: client.CustomPayload{
		CallID: "marker-log", RecordingURL: "http://127.0.0.1/none.wav", FromNumber: "+15550001", ToNumber: "+15550002",
		StartTimestamp: 1_760_000_000_000, EndTimestamp: 1_760_000_005_000, Status: "ended",
	}})
	must(t, err)
	run, err := s.api.Run(as("sync-experiment"), agent.ID, client.RunRequest{ToNumber: "+15550177001", DatasetID: dataset.ID})
	must(t, err)
	s.request.id = "sync-rest"
	e, err := s.api.WaitFinished(ctx, run.VoiceExperimentID, nil)
	must(t, err)
	if e.Status != "FINISHED" {
		t.Errorf("the experiment is %s (%s)", e.Status, e.Reason)
	}
	calls, err := s.api.RunCalls(ctx, run.VoiceExperimentID)
	must(t, err)
	must(t, syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM))
	must(t, s.cmd.Wait())
	file, err := os.Open(s.trace)
	must(t, err)
	defer file.Close()
	trace, err := readTrace(file)
	must(t, err)
	return trace, calls
}

// TestPostgresCommitsAreOnDisk asks the product's own connections to a server
// that would rather not wait for its disk.
func TestPostgresCommitsAreOnDisk(t *testing.T) {
	t.Parallel()
	ctx, address := t.Context(), pgtest.Start(t).Database(t)
	conn, err := pgx.Connect(ctx, address)
	must(t, err)
	name := conn.Config().Database
	_, err = conn.Exec(ctx, "ALTER DATABASE "+name+" SET synchronous_commit = off")
	must(t, err)
	must(t, conn.Close(ctx))
	engine, err := postgres.Open(ctx, address)
	must(t, err)
	defer func() { must(t, engine.Close()) }()
	for setting, want := range map[string]string{"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"} {
		var got string
		must(t, engine.Pool().QueryRow(ctx, "SHOW "+setting).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", setting, got, want)
		}
	}
	// What is stronger than our wish stays.
	stronger := strings.Replace(address, "?", "?options=-c%20synchronous_commit%3Dremote_apply&", 1)
	other, err := postgres.Open(ctx, stronger)
	must(t, err)
	defer func() { must(t, other.Close()) }()
	var got string
	must(t, other.Pool().QueryRow(ctx, "SHOW synchronous_commit").Scan(&got))
	if got != "remote_apply" {
		t.Errorf("synchronous_commit is %s, want remote_apply as the address says", got)
	}
}
