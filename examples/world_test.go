package examples

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// build makes the agent that is written in Go, and the service unless
// RINGTRUE_BINARY says where that is.
func build(t *testing.T) (service, agent string) {
	t.Helper()
	dir := t.TempDir() + string(filepath.Separator)
	service, agent = os.Getenv("RINGTRUE_BINARY"), filepath.Join(dir, "go")
	args := []string{"build", "-o", dir, "./go"}
	if service == "" {
		service, args = filepath.Join(dir, "ringtrue"), append(args, "../cmd/ringtrue")
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return service, agent
}

// serve starts the service with a media server on free ports.
func serve(t *testing.T, binary string) *client.Client {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--media-port", "0", "--media-udp-port", "0", "--record-wait", "1s")
	cmd.Env = bare()
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the service:\n%s", log.String())
		}
	})
	url, key := "", ""
	lines := bufio.NewScanner(out)
	for url == "" && lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); strings.HasPrefix(line, "rt_") {
			key = line
		} else if rest, ok := strings.CutPrefix(line, "Listening on "); ok {
			url, _, _ = strings.Cut(rest, " ")
		}
	}
	if url == "" || key == "" {
		t.Fatalf("the service did not start:\n%s", log.String())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return client.New(url, key)
}

func createDataset(t *testing.T, api *client.Client) string {
	t.Helper()
	d, err := api.CreateDataset(t.Context(), client.NewDataset{Name: "first steps"})
	if err != nil {
		t.Fatal(err)
	}
	const items = `[{"input": {"script": ["wait_for_agent", {"say": "What are your opening hours?"}, "wait_for_agent", "hang_up"]},
		"output": {"say": ["nine to five"]}}]`
	if _, err := api.ImportItems(t.Context(), d.ID, client.Import{Format: "json", Data: []byte(items)}); err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// speech makes what the agents say, as the README does.
func speech(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"greeting.wav": "Maple Clinic. How can I help you?", "answer.wav": "We are open from nine to five.",
	} {
		if out, err := exec.Command("flite", "-voice", "rms", "-t", text, "-o", filepath.Join(dir, file)).CombinedOutput(); err != nil {
			t.Fatalf("flite: %v\n%s", err, out)
		}
	}
	return dir
}

// page serves the browser's page and returns its address.
func page(t *testing.T, folder string) string {
	t.Helper()
	cmd := exec.Command("node", absolute(t, "browser/serve.js"))
	cmd.Dir, cmd.Env, cmd.Stderr = folder, append(bare(), "PORT=0"), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "open ")
	if err != nil || !ok {
		t.Fatalf("the page is not served: %q %v", line, err)
	}
	return url
}

// absolute is the path of an example whose packages are installed.
func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(full), "node_modules")); err != nil {
		t.Fatalf("the packages of %s are missing: `make setup-test` installs them", path)
	}
	return full
}

// bare is the environment without the operator's own settings.
func bare() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "RINGTRUE_") {
			env = append(env, v)
		}
	}
	return env
}

func word(s *string) string {
	if s == nil {
		return "no verdict"
	}
	return *s
}
