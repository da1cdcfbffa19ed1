package media

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/livekit/livekit-server/pkg/routing"
	"github.com/livekit/livekit-server/pkg/service"
	"github.com/livekit/livekit-server/pkg/telemetry/prometheus"
	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// EmbedOptions say how the server of this process is to be.
type EmbedOptions struct {
	// KeyFile holds the server's keys and is made on the first start; Key and
	// Secret are used instead when given. Servers joined by Redis need the same keys.
	KeyFile     string
	Key, Secret string
	// Bind is the address that agents and our caller reach, default 127.0.0.1; 0.0.0.0 is all of the machine.
	Bind string
	// Port is TCP, for joining; UDPPort for the sound. 0 takes a free one.
	Port, UDPPort int
	// Advertise is the IP told for the sound, for machines behind address
	// translation; "" tells the addresses that the machine has.
	Advertise string
	// CertFile and CertKeyFile have agents join over TLS: PEM files, read again when they change.
	CertFile, CertKeyFile string
	// PublicURL is what agents are told instead of Bind and Port, for example the
	// address of what puts TLS before it.
	PublicURL string
	// Redis joins servers of several processes into one cluster: host:port,
	// redis:// or rediss://; "" stands alone.
	Redis string
	// Knock, unless nil, is told the room that somebody with a good token is about to join, and
	// the joining waits for it: rooms are never made by joining, but one whose turn had not come can be opened.
	// When it fails, whoever finds no room is told to come again.
	Knock func(ctx context.Context, room string) error
	// Log is where the server logs, nil logs nothing.
	Log *slog.Logger
}

// startPatience bounds how long the server may take to be up.
const startPatience = 20 * time.Second

// Embed starts a media server in this process and returns when it answers.
func Embed(ctx context.Context, o EmbedOptions) (*Server, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	quieten(o.Log, p.keys.Secret)
	inside, err := start(ctx, p)
	if err != nil {
		return nil, blackened{err, p.keys.Secret}
	}
	s := &Server{
		api:  newAPI(p.address, p.keys, "media server of this process", "look at the log for what it says"),
		keys: p.keys, url: p.url, address: p.address, inside: inside,
	}
	if err := s.Check(ctx); err != nil {
		_ = s.Stop(context.WithoutCancel(ctx))
		return nil, err
	}
	return s, nil
}

// embedded is the server that runs in this process.
type embedded struct {
	server *service.LivekitServer
	ended  chan error
	// front is what agents reach when there is TLS or somebody to tell of them; else nil.
	front *http.Server
}

func start(ctx context.Context, p plan) (*embedded, error) {
	conf, err := p.config()
	if err != nil {
		return nil, err
	}
	node, err := routing.NewLocalNode(conf)
	if err != nil {
		return nil, err
	}
	if err := prometheus.Init(string(node.NodeID()), node.NodeType()); err != nil {
		return nil, err
	}
	server, err := service.InitializeServer(conf, node)
	if err != nil {
		return nil, p.explain(err)
	}
	e := &embedded{server: server, ended: make(chan error, 1)}
	go func() { e.ended <- server.Start() }()
	if err := e.up(ctx, p); err != nil {
		return nil, err
	}
	if p.fronted() {
		if e.front, err = p.listenFront(); err != nil {
			_ = e.stop(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	return e, nil
}

// up waits until the server runs.
func (e *embedded) up(ctx context.Context, p plan) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !e.server.IsRunning() {
		select {
		case <-look.C:
		case err := <-e.ended:
			return p.explain(err)
		case <-ctx.Done():
			return problem.New(problem.Unavailable, "the media server did not start in time").Because(ctx.Err())
		}
	}
	return nil
}

// stop ends the server; ctx bounds the wait, not the ending.
func (e *embedded) stop(ctx context.Context) error {
	if e.front != nil {
		_ = e.front.Close()
	}
	go e.server.Stop(true)
	select {
	case err := <-e.ended:
		e.ended <- err // for whoever stops again
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// participants counts who is in a room of this process, and says whether it is one.
func (e *embedded) participants(ctx context.Context, name string) (int, bool) {
	if e == nil {
		return 0, false
	}
	room := e.server.RoomManager().GetRoom(ctx, livekit.RoomName(name))
	if room == nil {
		return 0, false
	}
	n := 0
	for _, p := range room.GetParticipants() {
		if p.State() == livekit.ParticipantInfo_ACTIVE && !strings.HasPrefix(string(p.Identity()), CallerIdentity) {
			n++
		}
	}
	return n, true
}
