package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// mediaKeysFile is the file of the embedded media server's keys inside Options.Data.
const mediaKeysFile = "media-keys"

// MediaOptions say where agents without a telephone number are met.
type MediaOptions struct {
	// Off has no media server: experiments in rooms are refused.
	Off bool
	// URL, Key and Secret lead to an external media server; without a URL one is
	// embedded. PublicURL is what agents are told when they reach it by another address.
	URL, Key, Secret, PublicURL string
	// Redis joins the embedded servers of several processes; they need the same Key and Secret.
	Redis string
	// Bind is the IP of the embedded server (default 127.0.0.1), Port its TCP and
	// UDPPort its UDP port; 0 takes a free one. Advertise is the IP told for the
	// sound, for machines behind address translation.
	Bind, Advertise string
	// CertFile and CertKeyFile put TLS in front of the embedded server, so that agents are told wss://.
	CertFile, CertKeyFile string
	Port, UDPPort         int
	// Eager starts the embedded server with the service and not with its first room.
	Eager bool
	// RoomWait is how long an agent may take to join its room (default 10 min).
	RoomWait time.Duration
}

// embed are the options of the embedded server.
func (m MediaOptions) embed(o Options) media.EmbedOptions {
	return media.EmbedOptions{
		KeyFile: filepath.Join(o.Data, mediaKeysFile), Key: m.Key, Secret: m.Secret,
		Bind: m.Bind, Port: m.Port, UDPPort: m.UDPPort, Advertise: m.Advertise, CertFile: m.CertFile, CertKeyFile: m.CertKeyFile,
		PublicURL: m.PublicURL, Redis: m.Redis, Log: o.Log,
	}
}

// mediaRooms is the media server as experiments and the room line see it. An embedded server is
// started when it is first needed.
type mediaRooms struct {
	start func(ctx context.Context) (*media.Server, error)

	// keys tells the keys from others; see experiment.Options.MediaKeys.
	keys string

	mu     sync.Mutex
	server *media.Server
	// knock is called for everybody who is about to join a room of an embedded server.
	knock func(ctx context.Context, room string) error
}

// knocked reports that somebody is about to join a room.
func (r *mediaRooms) knocked(ctx context.Context, room string) error {
	r.mu.Lock()
	knock := r.knock
	r.mu.Unlock()
	if knock == nil {
		return nil
	}
	return knock(ctx, room)
}

// tellOfKnocks sets who hears of those who are about to join. On nil it does nothing.
func (r *mediaRooms) tellOfKnocks(knock func(ctx context.Context, room string) error) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.knock = knock
}

// newMediaRooms checks the options; rooms is nil when there is to be no media server. name tells
// this process's server from those of others, "" when all processes share one.
func newMediaRooms(o Options) (rooms *mediaRooms, name string, err error) {
	m := o.Media
	if m.Off {
		return nil, "", nil
	}
	if m.URL != "" {
		server, err := media.Connect(media.ConnectOptions{
			URL: m.URL, PublicURL: m.PublicURL, Key: m.Key, Secret: m.Secret, Log: o.Log,
		})
		return &mediaRooms{server: server}, "", err
	}
	embed := m.embed(o)
	if err := embed.Validate(); err != nil {
		return nil, "", err
	}
	rooms = &mediaRooms{}
	embed.Knock = rooms.knocked
	rooms.start = func(ctx context.Context) (*media.Server, error) { return media.Embed(ctx, embed) }
	if m.Redis != "" {
		return rooms, "", nil
	}
	keys := media.Keys{Key: m.Key}
	if keys.Key == "" {
		if keys, err = media.KeysIn(embed.KeyFile); err == nil {
			err = keepNames(filepath.Dir(embed.KeyFile))
		}
	} else {
		keys.Secret = m.Secret
	}
	rooms.keys = keys.Fingerprint()
	return rooms, serverName(o, keys.Key), err
}

// signs identifies the keys that tokens are signed with, "" when there is no media server.
func (r *mediaRooms) signs() string {
	if r == nil {
		return ""
	}
	return r.keys
}

// serverName names the embedded server: the same after a restart, and different for each process on
// one database.
func serverName(o Options, key string) string {
	if o.Database == "" { // there is no other process
		return key
	}
	return fmt.Sprintf("%s@%s:%d", key, hostname(), o.Media.Port)
}

// begin starts an eager server while the rest of the service starts. An external one needs no
// start.
func (r *mediaRooms) begin(o Options, undo *cleanups) {
	if r == nil || !o.Media.Eager || r.start == nil {
		return
	}
	var starting sync.WaitGroup
	starting.Go(func() {
		server, err := r.running(context.Background())
		if err != nil {
			o.Log.Warn("the media server does not run: rooms for agents are refused until it can be started", "error", err)
			return
		}
		o.Log.Info("the media server runs", "url", server.URL())
	})
	undo.push("start of the media server", func(context.Context) error { starting.Wait(); return nil })
}

// running is the server, which it starts when there is none yet.
func (r *mediaRooms) running(ctx context.Context) (*media.Server, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		return r.server, nil
	}
	// A server that has begun to start outlives the request that wanted it.
	server, err := r.start(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	r.server = server
	return server, nil
}

// now is the server if it is running, and otherwise nil.
func (r *mediaRooms) now() *media.Server {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server
}

// stop ends the server.
func (r *mediaRooms) stop(ctx context.Context) error {
	if server := r.now(); server != nil {
		return server.Stop(ctx)
	}
	return nil
}

// URL implements experiment.Rooms.
func (r *mediaRooms) URL() string {
	if server := r.now(); server != nil {
		return server.URL()
	}
	return ""
}

// Open implements experiment.Rooms.
func (r *mediaRooms) Open(ctx context.Context, spec experiment.RoomSpec) error {
	server, err := r.running(ctx)
	if err != nil {
		return err
	}
	return server.Open(ctx, media.Room(spec))
}

// CloseRoom implements experiment.Rooms. A server that does not run has no rooms.
func (r *mediaRooms) CloseRoom(ctx context.Context, name string) error {
	if server := r.now(); server != nil {
		return server.CloseRoom(ctx, name)
	}
	return nil
}

// Rooms implements experiment.Rooms.
func (r *mediaRooms) Rooms(ctx context.Context) ([]experiment.RoomSeen, error) {
	server := r.now()
	if server == nil {
		return nil, nil
	}
	states, err := server.Rooms(ctx)
	seen := make([]experiment.RoomSeen, len(states))
	for i := range states {
		seen[i] = experiment.RoomSeen(states[i])
	}
	return seen, err
}

// AgentToken implements experiment.Rooms.
func (r *mediaRooms) AgentToken(name string, validFor time.Duration) (string, error) {
	server, err := r.running(context.Background())
	if err != nil {
		return "", err
	}
	return server.AgentToken(name, validFor)
}

// CallerToken implements room.Joiner.
func (r *mediaRooms) CallerToken(name, identity, attempt string) (string, error) {
	server := r.now()
	if server == nil {
		return "", errNoMedia
	}
	return server.CallerToken(name, identity, attempt)
}

// LostBy implements room.Joiner.
func (r *mediaRooms) LostBy(name, identity string) (lost int64, stay string, known bool) {
	if server := r.now(); server != nil {
		return server.LostBy(name, identity)
	}
	return 0, "", false
}

// Address implements room.Joiner.
func (r *mediaRooms) Address() string {
	if server := r.now(); server != nil {
		return server.Address()
	}
	return ""
}

// Tell implements experiment.Rooms. A room that is not there needs to be told nothing.
func (r *mediaRooms) Tell(ctx context.Context, name, metadata string) error {
	server := r.now()
	if server == nil {
		return nil
	}
	err := server.Tell(ctx, name, metadata)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

// Check implements experiment.Rooms.
func (r *mediaRooms) Check(ctx context.Context) error {
	server, err := r.running(ctx)
	if err != nil {
		return err
	}
	return server.Check(ctx)
}

var errNoMedia = problem.New(problem.Unavailable, "the media server does not run") //nolint:gochecknoglobals // a constant in all but type

// bothLines sends each call over the line that its dial names.
type bothLines struct {
	phone experiment.Line
	rooms experiment.Line
}

// Place implements experiment.Line.
func (l bothLines) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	if d.Room == "" {
		return l.phone.Place(ctx, d, p, t)
	}
	return l.rooms.Place(ctx, d, p, t)
}

// hangUp ends the call of a dead process on its line. If the media server outlived that process,
// the dead caller still seems to be in its room for a while, and an agent that joins would take it
// for the one to talk to.
func (p *parts) hangUp(ctx context.Context, attemptID, reference string) error {
	if !strings.HasPrefix(reference, media.Prefix) {
		return p.line.HangUp(ctx, reference)
	}
	if server := p.rooms.now(); server != nil {
		return server.RemoveCaller(ctx, reference, attemptID)
	}
	return nil
}

// buildRooms puts the media server and its line together.
func (p *parts) buildRooms(o Options, undo *cleanups) (err error) {
	if p.rooms, p.mediaServer, err = newMediaRooms(o); err != nil || p.rooms == nil {
		return err
	}
	undo.push("media server", p.rooms.stop)
	p.roomLine = room.New(room.Options{Server: p.rooms, Log: o.Log, Now: p.steady})
	undo.push("room line", p.roomLine.Close)
	return nil
}

// roomsPort is the media server as a port. It returns a plain nil for none, because an interface
// that holds a nil pointer is not nil.
func (p *parts) roomsPort() experiment.Rooms {
	if p.rooms == nil {
		return nil
	}
	return p.rooms
}
