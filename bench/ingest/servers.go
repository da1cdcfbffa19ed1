package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// target is a server that can be measured.
type target struct {
	name string
	ours bool
	// start starts one without any data.
	start func(ctx context.Context, s size) (*server, error)
}

// server is one running in a process of its own.
type server struct {
	address, path, header string
	// wrap turns a call log into what this server accepts.
	wrap func([]byte) []byte
	key  string
	pid  int
	stop func()
}

func asItIs(body []byte) []byte { return body }

func build(ctx context.Context, dir, binary, what string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-C", dir, "-o", binary, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", what, err, out)
	}
	return nil
}

// begin starts a program and waits until its address answers.
func begin(ctx context.Context, address string, cmd *exec.Cmd) (stop func(), err error) {
	var said bytes.Buffer
	if cmd.Stderr == nil {
		cmd.Stderr = &said
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		var dialer net.Dialer
		if conn, err := dialer.DialContext(ctx, "tcp", address); err == nil {
			_ = conn.Close()
			return stop, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return nil, fmt.Errorf("%s did not begin to listen: %s", cmd.Path, said.String())
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return "", err
	}
	defer l.Close() //nolint:errcheck // only its address is needed
	return l.Addr().String(), nil
}

// ringtrueTarget is the service itself; database creates an empty PostgreSQL database, nil means
// SQLite.
func ringtrueTarget(name, binary, folder string, database func(context.Context) (string, error)) target {
	return target{name: name, ours: true, start: func(ctx context.Context, s size) (*server, error) {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		args := []string{
			"serve", "--log-level", "error", "--listen", address, "--data", filepath.Join(folder, name+"-"+s.name),
			"--call-log-rate", "0", // neither it nor its peers have a rate limit
		}
		if database != nil {
			url, err := database(ctx)
			if err != nil {
				return nil, err
			}
			args = append(args, "--database", url)
		}
		cmd := exec.CommandContext(ctx, binary, args...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		stop, err := begin(ctx, address, cmd)
		if err != nil {
			return nil, err
		}
		key := keyIn(out)
		if key == "" {
			stop()
			return nil, errors.New("the service printed no key")
		}
		if _, err := client.New("http://"+address, key).CreateAgent(ctx, client.NewAgent{Name: "Front desk", SourceID: "front-desk"}); err != nil {
			stop()
			return nil, err
		}
		return &server{
			address: address, path: "/api/rest/v2/call-logs", header: "Authorization: Bearer " + key + "\r\n",
			wrap: asItIs, key: key, pid: cmd.Process.Pid, stop: stop,
		}, nil
	}}
}

// keyIn reads what the service prints until it is ready, and returns the key in it.
func keyIn(out io.Reader) (key string) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "rt_") {
			key = line
		}
		if strings.HasPrefix(line, "Listening") {
			break
		}
	}
	return key
}

// pocketbaseTarget creates a record per call.
func pocketbaseTarget(binary, folder string) target {
	return target{name: "pocketbase", start: func(ctx context.Context, s size) (*server, error) {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, binary, filepath.Join(folder, "pocketbase-"+s.name), address)
		stop, err := begin(ctx, address, cmd)
		if err != nil {
			return nil, err
		}
		return &server{address: address, path: "/api/collections/call_logs/records", wrap: asRecord, pid: cmd.Process.Pid, stop: stop}, nil
	}}
}

// asRecord moves the id of the call, which the peer stores in a field, out of the payload.
func asRecord(body []byte) []byte {
	const before = `"call_id":"`
	_, rest, _ := bytes.Cut(body, []byte(before))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return bytes.Join([][]byte{[]byte(`{"call_id":"`), id, []byte(`",`), body[1:]}, nil)
}

// discardWord is the command of the handler that stores nothing.
const discardWord = "discard"

func discardTarget() target {
	return target{name: discardWord, start: func(ctx context.Context, _ size) (*server, error) {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, os.Args[0], discardWord, address)
		stop, err := begin(ctx, address, cmd)
		if err != nil {
			return nil, err
		}
		return &server{address: address, path: "/", wrap: asItIs, pid: cmd.Process.Pid, stop: stop}, nil
	}}
}

// serveDiscard reads each body, parses it and discards it: what is left of a service without
// everything that it is for.
func serveDiscard(address string) error {
	listener, err := net.Listen("tcp", address) //nolint:noctx // it lives as long as the process
	if err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var value any
		if err != nil || json.Unmarshal(body, &value) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"id":"call_01k0000000000000000000000","status":"accepted","agent_id":null,"duplicate":false}`)
	})}
	return server.Serve(listener)
}

// missing counts the acknowledged calls that cannot be read back, and those that exist more than
// once.
func missing(ctx context.Context, s *server, known []string) (int, error) {
	api := client.New("http://"+s.address, s.key)
	there := make(map[string]int, len(known))
	cursor := ""
	for {
		page, err := api.Calls(ctx, client.CallFilter{Origin: "production"}, client.PageOptions{Limit: 1000, Cursor: cursor})
		if err != nil {
			return 0, err
		}
		for _, c := range page.Data {
			if c.ExternalID != nil {
				there[*c.ExternalID]++
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	n := 0
	for _, id := range known {
		if there[id] != 1 {
			n++
		}
	}
	return n, nil
}
