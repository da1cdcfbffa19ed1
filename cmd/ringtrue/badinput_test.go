package main

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// misuse is a command line that cannot work, and what the person must be told.
type misuse struct {
	name string
	args []string
	code int
	// says are texts that must be in the message, in this order.
	says []string
}

const goodScript = "- input: {script: [wait_for_agent, hang_up]}\n"

func TestRunTeaches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.yaml", goodScript)
	nobody := "http://" + freeAddress(t)
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>not found</html>", http.StatusNotFound)
	}))
	t.Cleanup(foreign.Close)
	strict := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_1")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"code":"unauthenticated","detail":"the API key is not valid","hint":"send a key that has not been revoked"}`))
	}))
	t.Cleanup(strict.Close)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Minute):
		}
	}))
	t.Cleanup(slow.Close)
	usual := []string{"run", good, "--agent=agt_1", "--to=+15550123", "--key=rt_secret_0123456789"}
	with := func(more ...string) []string { return append(append([]string{}, usual...), more...) }
	instead := func(path string) []string {
		return append([]string{"run", path}, usual[2:]...)
	}
	for _, m := range []misuse{
		{"nothing at all", []string{"run"}, exitUsage, []string{"--agent", "--help"}},
		{"unknown flag", with("--agnet=x"), exitUsage, []string{"unknown flag --agnet", "did you mean", "--agent", "ringtrue run --help"}},
		{"unknown command", []string{"rnu"}, exitUsage, []string{"rnu", "run"}},
		{"no such file", instead(filepath.Join(dir, "absent.yaml")), exitUsage, []string{"absent.yaml", "no such file"}},
		{"a directory", instead(dir), exitUsage, []string{dir, "directory"}},
		{"no file and no dataset", append([]string{"run"}, usual[2:]...), exitCouldNot, []string{"FILE: give either a file or --dataset"}},
		{"both", with("--dataset=ds_1"), exitCouldNot, []string{"FILE: give either a file or --dataset"}},
		{"an empty file", instead(file("empty.yaml", "")), exitCouldNot, []string{"empty.yaml: some fields are not valid", "line 1: file: the file is empty"}},
		{"an empty list", instead(file("none.json", "[]")), exitCouldNot, []string{"none.json", "the file holds no items"}},
		{"broken JSON", instead(file("broken.json", "[\n{\"input\":")), exitCouldNot, []string{"broken.json", "line 2: file: is not valid JSON: it ends in the middle"}},
		{"broken YAML", instead(file("broken.yaml", "- input: [\n  x: {")), exitCouldNot, []string{"broken.yaml", "is not valid YAML"}},
		{"a wrong key", instead(file("key.yaml", "- input: {script: [hang_up], gaol: x}\n")), exitCouldNot, []string{"key.yaml", "line 1: items[0].input.gaol: is not a known key (did you mean \"goal\"?)"}},
		{"binary", instead(file("b.csv", "\xff\xfe\x00\x01")), exitCouldNot, []string{"b.csv", "line 1: file: is not valid UTF-8"}},
		{"unknown kind of file", instead(file("x.docx", "hello")), exitCouldNot, []string{`"docx" is not a supported format`, "use json, jsonl, yaml or csv"}},
		{"no kind of file", instead(file("plain", "hello")), exitCouldNot, []string{`"" is not a supported format`, "use json, jsonl, yaml or csv"}},
		{"a number that is none", with("--to=5550123"), exitCouldNot, []string{"--to: must be an international number"}},
		{"a number in a variable that is not set", with("--to="), exitCouldNot, []string{"--to: must be an international number"}},
		{"everything wrong", with("--to=x", "--url=ftp://x", "--key=", "--timeout=-1s"), exitCouldNot, []string{"--to:", "--url: must be an http or https address", "RINGTRUE_KEY: must be an API key", "ringtrue keys create", "--timeout:"}},
		{"a duration that is none", with("--timeout=soon"), exitUsage, []string{"--timeout", "soon"}},
		{"a report in place of the items", append([]string{"run", good, "--junit=" + good}, usual[2:]...), exitCouldNot, []string{"--junit: cannot be written: it is the dataset file"}},
		{"a report that cannot be written", with("--junit=" + filepath.Join(dir, "absent", "report.xml")), exitCouldNot, []string{"--junit: cannot be written", "no such file or directory"}},
		{"nobody answers", with("--url=" + nobody), exitCouldNot, []string{"nothing answers at " + nobody, "ringtrue serve", "--url", "connection refused"}},
		{"no such host", with("--url=http://no-such-host.invalid"), exitCouldNot, []string{"nothing answers at http://no-such-host.invalid", "--url"}},
		{"another program", with("--url=" + foreign.URL), exitCouldNot, []string{"not a Ringtrue service", "404 Not Found", "--url"}},
		{"TLS to a plain port", with("--url=" + strings.Replace(foreign.URL, "http:", "https:", 1)), exitCouldNot, []string{"nothing answers at https://", "HTTP response to HTTPS client"}},
		{"a wrong key of the service", with("--url=" + strict.URL), exitCouldNot, []string{"the API key is not valid (unauthenticated)", "send a key that has not been revoked", "request req_1"}},
		{"no verdict in time", with("--url="+slow.URL, "--timeout=300ms"), exitCouldNot, []string{"there was no verdict within 300ms", "did not say that it began an experiment", "--timeout"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			checkMisuse(t, m)
		})
	}
}

// An old report is not taken for that of a run which came to nothing.
func TestARunThatComesToNothingLeavesNoReport(t *testing.T) {
	t.Parallel()
	report := filepath.Join(t.TempDir(), "report.xml")
	for _, more := range []string{"--to=nobody", "--url=http://" + freeAddress(t)} {
		if err := os.WriteFile(report, []byte("<testsuites/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		checkMisuse(t, misuse{
			"an old report", []string{"run", "--dataset=ds_1", "--agent=agt_1", "--to=+15550123", "--key=rt_secret_0123456789", "--junit=" + report, more},
			exitCouldNot, []string{"ringtrue: "},
		})
		if left, err := os.ReadFile(report); err != nil || len(left) > 0 {
			t.Errorf("%s: %q, %v", more, left, err)
		}
	}
}

// A run that names no number dials the agent's own.
func TestRunDialsTheNumberOfTheAgent(t *testing.T) {
	t.Parallel()
	number, asked := `"+15550177"`, ""
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"id":"agt_1","defaults":{"to_number":`+number+`}}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		http.Error(w, `{"code":"conflict","detail":"that is far enough"}`, http.StatusConflict)
	}))
	t.Cleanup(service.Close)
	args := []string{"run", "--dataset=ds_1", "--agent=agt_1", "--key=rt_secret", "--url=" + service.URL}
	checkMisuse(t, misuse{"the agent's", args, exitCouldNot, []string{"that is far enough"}})
	if !strings.Contains(asked, `"to_number":"+15550177"`) {
		t.Errorf("asked for %s", asked)
	}
	number = "null"
	checkMisuse(t, misuse{"none", args, exitCouldNot, []string{"--to: is required"}})
}

// Whoever breaks the waiting off is told what becomes of the experiment, if one was begun.
func TestRunThatIsBrokenOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, says string }{
		{"/run", "ringtrue: interrupted before it was done\n"},
		{"/report", "ve_1 continues on the service; cancel it in the web app or with POST /voice-experiments/ve_1/cancel"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
			if strings.HasSuffix(r.URL.Path, c.at) {
				stop() // as Ctrl-C does, in the middle of a request
				<-r.Context().Done()
				return
			}
			_, _ = io.WriteString(w, `{"voice_experiment_id":"ve_1"}`)
		}))
		t.Cleanup(service.Close)
		var stdout, stderr bytes.Buffer
		args := []string{"run", "--dataset=ds_1", "--agent=agt_1", "--to=+15550123", "--key=rt_secret", "--url=" + service.URL}
		code := run(ctx, &world{args: args, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"})
		if said := stderr.String(); code != exitCouldNot || !strings.Contains(said, c.says) || strings.Contains(said, "context canceled") {
			t.Errorf("%s: code %d: %s", c.at, code, said)
		}
	}
}

// A service that goes away between the end of an experiment and its report does not make a run that
// was never begun.
func TestRunWhoseServiceGoesAwayAtItsEnd(t *testing.T) {
	t.Parallel()
	var isOver atomic.Bool
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/run"):
			_, _ = w.Write([]byte(`{"voice_experiment_id":"ve_1"}`)) // the test sees when it does not arrive
		case strings.HasSuffix(r.URL.Path, "/report") && !isOver.Load():
			_, _ = w.Write([]byte(`{"calls":[]}`))
		case strings.HasSuffix(r.URL.Path, "/ve_1"):
			isOver.Store(true)
			_, _ = w.Write([]byte(`{"id":"ve_1","status":"FINISHED"}`))
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(service.Close)
	number := "+15550123"
	c := &runCommand{Dataset: "ds_1", Agent: "agt_1", To: &number}
	r, err := c.experiment(t.Context(), client.New(service.URL, "rt_secret", client.WithRetries(0)), datasetFile{}, io.Discard)
	if err == nil || r.Experiment.ID != "ve_1" {
		t.Errorf("%q, %v", r.Experiment.ID, err)
	}
}

// Whoever loses the service while an experiment runs is told that it goes on, and by what name.
func TestRunWhoseServiceGoesAway(t *testing.T) {
	t.Parallel()
	err := (&runCommand{URL: "http://127.0.0.1:1"}).explained(t.Context(), "ve_1", &url.Error{Op: "Get", URL: "http://127.0.0.1:1/x", Err: io.ErrUnexpectedEOF})
	if p := problem.As(err); p == nil || !strings.Contains(p.Message, "has stopped answering") || strings.Count(p.Hint, "ve_1") != 2 {
		t.Errorf("it says %v", err)
	}
}

// A connection that cannot be made in its time is no verdict that did not come in its own.
func TestRunWhoseServiceTakesNoConnection(t *testing.T) {
	t.Parallel()
	slow := &url.Error{Op: "Get", URL: "http://192.0.2.1/x", Err: &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}}
	err := (&runCommand{URL: "http://192.0.2.1", Timeout: time.Hour}).explained(t.Context(), "", slow)
	if p := problem.As(err); p == nil || !strings.Contains(p.Message, "nothing answers at http://192.0.2.1") {
		t.Errorf("it says %v", err)
	}
}

// A flag that may be left out is shown with what it takes, not with the nothing that it holds then.
func TestHelpNamesWhatAFlagTakes(t *testing.T) {
	t.Parallel()
	for command, flag := range map[string]string{"review": "--origin=ORIGIN", "practice": "--listen=IP:PORT"} { // it takes no name of a host
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), &world{args: []string{command, "--help"}, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"})
		if said := stdout.String(); code != 0 || !strings.Contains(said, flag) || strings.Contains(said, `=""`) {
			t.Errorf("code %d: %s", code, said)
		}
	}
}

func TestWhatASignalBreaksOffIsNotExplained(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	code := run(ctx, &world{args: []string{"serve", "--data=" + t.TempDir(), "--listen=127.0.0.1:0", "--no-media"}, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"})
	if said := stderr.String(); code != exitCouldNot || said != "ringtrue: interrupted before it was done\n" {
		t.Errorf("code %d: %q", code, said)
	}
}

func TestServeTeaches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) //nolint:errcheck // it only holds the port
	below := filepath.Join(dir, "file")
	if err := os.WriteFile(below, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.MkdirAll(garbage, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(garbage, "ringtrue.db"), bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func(more ...string) []string {
		return append([]string{"serve", "--data=" + t.TempDir(), "--listen=127.0.0.1:0"}, more...)
	}
	for _, m := range []misuse{
		{"port taken", serve("--listen=" + taken.Addr().String()), exitCouldNot, []string{"cannot listen on " + taken.Addr().String(), "--listen", "address already in use"}},
		{"no address", serve("--listen=nonsense"), exitCouldNot, []string{"cannot listen on nonsense", "--listen HOST:PORT"}},
		{"port beyond", serve("--listen=127.0.0.1:99999"), exitCouldNot, []string{"cannot listen on 127.0.0.1:99999", "invalid port"}},
		{"data below a file", serve("--data=" + filepath.Join(below, "x")), exitCouldNot, []string{"data folder", "not a directory"}},
		{"no database", serve("--data=" + garbage), exitCouldNot, []string{"ringtrue.db", "not a database"}},
		{"newer database", serve("--data=" + newerDatabase(t)), exitCouldNot, []string{"newer"}},
		{"another kind of database", serve("--database=mysql://u:secret-word@127.0.0.1/x"), exitCouldNot, []string{"postgres://"}},
		{"database away", serve("--database=postgres://u:secret-word@127.0.0.1:1/x?connect_timeout=2"), exitCouldNot, []string{"127.0.0.1", "refused"}},
		{"ports", serve("--rtp-ports=9-1", "--sip-bind=here", "--sip-advertise=there"), exitCouldNot, []string{"--sip-bind: is not an IP address: here", "--sip-advertise: is not an IP address: there", "--rtp-ports: must be FIRST-LAST"}},
		{"somebody else's address", serve("--sip-bind=203.0.113.77"), exitCouldNot, []string{"on 203.0.113.77", "--sip-bind must be an IP address that this machine has"}},
		{"trunk without a name", serve("--trunk=sip://127.0.0.1"), exitCouldNot, []string{"trunk"}},
		{"trunk of another kind", serve("--trunk=a=http://u:secret-word@127.0.0.1"), exitCouldNot, []string{"trunk"}},
		{"trunk option", serve("--trunk=a=sip://u:secret-word@127.0.0.1?cps=3"), exitCouldNot, []string{`unknown option "cps"`, "calls_per_second"}},
		{"trunk said once", serve("--trunk=a=sip://u:secret-word@127.0.0.1;transport=tls"), exitCouldNot, []string{"some fields are not valid\n", "  --trunk: the transport \"tls\" of trunk \"a\""}},
		{"speech by nobody", serve("--tts=openai", "--stt=openai", "--chat-model=m"), exitCouldNot, []string{"--tts-model: is needed with --tts openai", "--stt-model: is needed with --stt openai", "--speech-url: is needed"}},
		{"speech by no address", serve("--speech-url=api.example.com", "--chat-model=m"), exitCouldNot, []string{"--speech-url: must be an address"}},
		{"a platform by no address", serve("--platform-a-url=nonsense"), exitCouldNot, []string{"--platform-a-url: "}},
		{"two trunks of a name", serve("--trunk=a=sip://127.0.0.1", "--trunk=a=sip://127.0.0.2"), exitCouldNot, []string{"--trunk: two trunks are named a"}},
		{"media server twice", serve("--media-url=wss://media.example.org", "--media-redis=redis://127.0.0.1", "--no-media", "--room-wait=0s", "--media-port=70000", "--trunk=a=http://127.0.0.1", "--trunk=b=sip://"),
			exitCouldNot, []string{`--trunk: the address of trunk "a"`, `--trunk: trunk "b" has no host`, "--room-wait: must be more than 0", "--media-redis: joins embedded", "--no-media: contradicts --media-url", "--media-port: must be a port from 0 to 65535"}},
		{"media server by no address", serve("--media-url=media.example.org", "--media-key=k", "--media-secret="+strings.Repeat("x", 32)), exitCouldNot, []string{"--media-url", "wss://"}},
		{"media server on no address", serve("--media-bind=here"), exitCouldNot, []string{"--media-bind"}},
		{"negative work", serve("--placing=-1", "--reviewing=-2", "--record-wait=-1s"), exitCouldNot, []string{"--placing: must not be negative", "--reviewing: must not be negative", "--record-wait: must not be negative"}},
		{"no work, which is no default", serve("--placing=0"), exitCouldNot, []string{"--placing: must be at least 1"}},
		{"an alias of no path", serve("--alias-path=old=/v2/call-logs"), exitCouldNot, []string{"--alias-path: must be two paths below /api/rest"}},
		{"too much work", serve("--placing=10001", "--reviewing=99999999999", "--call-log-rate=NaN"), exitCouldNot, []string{"--placing: must be at most 10000", "--reviewing: must be at most 10000", "--call-log-rate: must be a number"}},
		{"a level that is none", serve("--log-level=loud"), exitUsage, []string{"--log-level", "debug"}},
		{"a number that is none", serve("--placing=many"), exitUsage, []string{"--placing", "many"}},
		{"a report to no address", []string{"practice", "--report-url=127.0.0.1:8080", "--listen=127.0.0.1:0"}, exitCouldNot, []string{"--report-url: must be an http or https address"}},
		{"a public address that is none", serve("--public-url=example"), exitCouldNot, []string{"--public-url: must be an http or https address"}},
		{"a public address below a path", serve("--public-url=https://ringtrue.example.org/voice"), exitCouldNot, []string{"--public-url: must be only a scheme and a host"}},
		{"a public address with a query", []string{"people", "link", "ada@example.com", "--data=" + dir, "--public-url=https://ringtrue.example.org?a=b"}, exitCouldNot, []string{"--public-url: must be only a scheme and a host"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			checkMisuse(t, m)
		})
	}
}

func checkMisuse(t *testing.T, m misuse) {
	t.Helper()
	// A service that starts after all would serve for ever.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	began := time.Now()
	var stdout, stderr bytes.Buffer
	code := run(ctx, &world{args: m.args, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"})
	out, problems := stdout.String(), stderr.String()
	if code != m.code {
		t.Errorf("exit code %d, want %d: %s", code, m.code, problems)
	}
	rest := problems
	for _, want := range m.says {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("the message does not say %q in its place:\n%s", want, problems)
		}
		rest = after
	}
	if strings.Contains(problems+out, "secret") || strings.Contains(problems, "panic") || strings.Contains(problems, "goroutine") {
		t.Errorf("the message holds what it must not:\n%s", problems)
	}
	if strings.Contains(out, "rt_") {
		t.Errorf("a key was given away: %s", out)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it only finds a free port
	return l.Addr().String()
}

// newerDatabase is a data folder that a later version of the program has written.
func newerDatabase(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if code, _, problems := ringtrue(t, "keys", "create", "--data="+dir); code != exitOK {
		t.Fatal(problems)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the commands below have reported theirs
	if _, err := db.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied, tstamp) VALUES (9999, 1, CURRENT_TIMESTAMP)`); err != nil {
		t.Fatal(err)
	}
	return dir
}
