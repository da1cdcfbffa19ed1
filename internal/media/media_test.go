package media_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// logged collects what is logged by anything that still runs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func debugging(to *logged) *slog.Logger {
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// TestServers is one test because a process can only hold a few servers: each leaves goroutines of
// its libraries behind.
func TestServers(t *testing.T) {
	var log logged
	file := filepath.Join(t.TempDir(), "media.key")
	o := media.EmbedOptions{KeyFile: file, Log: debugging(&log)}
	inside, err := media.Embed(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := media.KeysIn(file)
	if err != nil {
		t.Fatal(err)
	}
	outside, err := media.Connect(media.ConnectOptions{URL: inside.Address(), Key: keys.Key, Secret: keys.Secret})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("ways", func(t *testing.T) {
		for name, s := range map[string]mediatest.Server{"embedded": inside, "external": outside} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				mediatest.Run(t, s, keys)
			})
		}
	})
	t.Run("wrong keys", func(t *testing.T) { wrongKeys(t, inside) })
	t.Run("its ports are taken", func(t *testing.T) { taken(t, o, inside) })
	t.Run("an external server is left as it is", func(t *testing.T) {
		if err := outside.Stop(t.Context()); err != nil || inside.Check(t.Context()) != nil {
			t.Errorf("stopping the connection: %v, %v", err, inside.Check(t.Context()))
		}
	})
	t.Run("old tokens open rooms of a new server", func(t *testing.T) { again(t, o, inside) })
	silent(t, log.String(), keys)
}

// again stops the server and starts it on the same ports and with the same keys.
func again(t *testing.T, o media.EmbedOptions, old *media.Server) {
	room := media.Room{Name: media.Prefix + "again", EmptyFor: time.Minute}
	if err := old.Open(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	token, err := old.AgentToken(room.Name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var out sync.WaitGroup
	out.Add(1)
	callback := lksdk.NewRoomCallback()
	callback.OnDisconnected = sync.OnceFunc(out.Done)
	agent, err := lksdk.ConnectToRoomWithToken(old.URL(), token, callback)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Disconnect()
	began := time.Now()
	for range 2 {
		if err := old.Stop(t.Context()); err != nil {
			t.Fatalf("stopping, once and again: %v", err)
		}
	}
	t.Logf("stopped in %v", time.Since(began))
	out.Wait() // everybody in a room is disconnected
	if err := old.Check(t.Context()); !problem.Is(err, problem.Unavailable) {
		t.Errorf("a server that has stopped gives %v", err)
	}

	_, port, err := net.SplitHostPort(strings.TrimPrefix(old.Address(), "ws://"))
	if err != nil {
		t.Fatal(err)
	}
	o.Port, _ = net.LookupPort("tcp", port)
	began = time.Now()
	now, err := media.Embed(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %v", time.Since(began))
	defer func() {
		if err := now.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	if rooms, err := now.Rooms(t.Context()); err != nil || len(rooms) != 0 {
		t.Errorf("the new server begins with %v, %v", rooms, err)
	}
	if err := now.Open(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	back, err := lksdk.ConnectToRoomWithToken(now.URL(), token, lksdk.NewRoomCallback())
	if err != nil {
		t.Fatalf("the old token is not taken: %v", err)
	}
	back.Disconnect()
}

func wrongKeys(t *testing.T, inside *media.Server) {
	secret := strings.Repeat("x", 40)
	for what, o := range map[string]media.ConnectOptions{
		"unknown key":    {URL: inside.Address(), Key: "nobody", Secret: secret},
		"nothing there":  {URL: "ws://127.0.0.1:1", Key: "nobody", Secret: secret},
		"not LiveKit":    {URL: plain(t), Key: "nobody", Secret: secret},
		"no such domain": {URL: "wss://media.invalid", Key: "nobody", Secret: secret},
	} {
		s, err := media.Connect(o)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		err = s.Check(t.Context())
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "--media-url") {
			t.Errorf("%s: checking gives %v", what, err)
		} else if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "eyJ") {
			t.Errorf("%s: the error holds a secret: %v", what, err)
		}
	}
}

// plain starts a web server that is not a media server.
func plain(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return "http://" + listener.Addr().String()
}

// taken starts servers whose ports are in use.
func taken(t *testing.T, o media.EmbedOptions, inside *media.Server) {
	_, port, err := net.SplitHostPort(strings.TrimPrefix(inside.Address(), "ws://"))
	if err != nil {
		t.Fatal(err)
	}
	tcp, _ := net.LookupPort("tcp", port)
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	for flag, o := range map[string]media.EmbedOptions{
		"--media-port":     {KeyFile: o.KeyFile, Port: tcp},
		"--media-udp-port": {KeyFile: o.KeyFile, UDPPort: udp.LocalAddr().(*net.UDPAddr).Port},
		"--media-bind":     {KeyFile: o.KeyFile, Bind: "192.0.2.1"},
	} {
		_, err := media.Embed(t.Context(), o)
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, flag) {
			t.Errorf("%s is not named: %v", flag, err)
		}
	}
}

// silent searches everything logged, including debug messages, for secrets.
func silent(t *testing.T, log string, keys media.Keys) {
	if !strings.Contains(log, "media server") {
		t.Error("nothing was logged, so this proves nothing")
	}
	// Not only the three letters: the server chooses a random name for itself, which may contain
	// them.
	if token := regexp.MustCompile(`eyJ[\w-]{12,}`).FindString(log); token != "" {
		t.Errorf("the log holds a token: %s…", token)
	}
	for what, text := range map[string]string{
		"the secret": keys.Secret, "a room's metadata": `item`, "an authorization": "Bearer ey",
	} {
		if i := strings.Index(log, text); i >= 0 {
			t.Errorf("the log holds %s: …%s…", what, log[max(0, i-200):min(len(log), i+100)])
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "media.key")
	long := strings.Repeat("s", 32)
	embed := func(o media.EmbedOptions) error { o.KeyFile = file; _, err := media.Embed(t.Context(), o); return err }
	connect := func(o media.ConnectOptions) error { _, err := media.Connect(o); return err }
	for path, err := range map[string]error{
		"--media-bind":       embed(media.EmbedOptions{Bind: "lo"}),
		"--media-advertise":  embed(media.EmbedOptions{Advertise: "example.org"}),
		"--media-public-url": embed(media.EmbedOptions{PublicURL: "media.example.org"}),
		"--media-redis":      embed(media.EmbedOptions{Redis: "http://x", Key: "k", Secret: long}),
		"--media-key":        embed(media.EmbedOptions{Redis: "127.0.0.1:6379"}),
		"--media-secret":     embed(media.EmbedOptions{Key: "k", Secret: "short"}),
		"--media-url":        connect(media.ConnectOptions{URL: "ftp://x", Key: "k", Secret: long}),
	} {
		p := problem.As(err)
		if p == nil || p.Code != problem.InvalidFields || len(p.Fields) != 1 || p.Fields[0].Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, voiceless := range []string{"::1", "0:0:0:0:0:0:0:1", "fe80::1", "fe80::1%lo"} {
		if err := (media.EmbedOptions{Bind: voiceless}).Validate(); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("a server that no sound reaches, at %s, gives %v", voiceless, err)
		}
	}
	for _, sound := range []string{"::", "fd00::2", "2001:db8::1", "127.0.0.1", "169.254.0.1"} {
		if err := (media.EmbedOptions{Bind: sound}).Validate(); err != nil {
			t.Errorf("a server at %s gives %v", sound, err)
		}
	}
	for _, nowhere := range []string{"wss://media.example.org:99999", "wss://media.example.org:0", "ws://:7880"} {
		if err := connect(media.ConnectOptions{URL: nowhere, Key: "k", Secret: long}); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("%s gives %v", nowhere, err)
		}
	}
	if err := embed(media.EmbedOptions{Redis: "redis://127.0.0.1:63790", Key: "k", Secret: long}); problem.Is(err, problem.InvalidFields) {
		t.Errorf("a Redis that is away is no address: %v", err)
	}
	if err := embed(media.EmbedOptions{Redis: "redis://127.0.0.1:637900", Key: "k", Secret: long}); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("a port that cannot be gives %v", err)
	}
	if err := connect(media.ConnectOptions{URL: "wss://media.example.org", Key: "k", Secret: "short"}); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("a short secret for another machine gives %v", err)
	}
	if err := connect(media.ConnectOptions{URL: "ws://localhost:7880", Key: "devkey", Secret: "secret"}); err != nil {
		t.Errorf("a developer's server on this machine gives %v", err)
	}
}

func TestWhatAgentsAreTold(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://media.example.org/": "wss://media.example.org", "wss://x:444/livekit": "wss://x:444/livekit",
		"http://x": "ws://x",
	} {
		s, err := media.Connect(media.ConnectOptions{
			URL: "ws://127.0.0.1:7880", PublicURL: url, Key: "k", Secret: strings.Repeat("s", 32),
		})
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if s.URL() != want || s.Address() != "ws://127.0.0.1:7880" {
			t.Errorf("%s: agents are told %s, want %s; our caller joins at %s", url, s.URL(), want, s.Address())
		}
	}
}

func TestKeysAreKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "media.key")
	made := make([]media.Keys, 8)
	var all sync.WaitGroup
	for i := range made { // like several processes that start at once
		all.Go(func() {
			keys, err := media.KeysIn(file)
			if err != nil {
				t.Error(err)
			}
			made[i] = keys
		})
	}
	all.Wait()
	for _, keys := range made {
		if keys != made[0] || len(keys.Secret) < 32 || keys.Key == "" {
			t.Error("the keys differ or are too short")
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file has mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(file + "-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := media.KeysIn(file); !problem.Is(err, problem.Unavailable) {
		t.Errorf("keys that others can read give %v", err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.WriteFile(damaged, []byte("half a ke"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := media.KeysIn(damaged); !problem.Is(err, problem.Unavailable) {
		t.Errorf("damaged keys give %v", err)
	}
}
