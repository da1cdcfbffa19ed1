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

// EmbedOptions configure the media server of this process.
type EmbedOptions struct {
	// KeyFile holds the server's keys and is created on the first start. Key and Secret, if
	// set, are used instead. Servers that share a Redis need the same keys.
	KeyFile     string
	Key, Secret string
	// Bind is the address on which agents and our caller reach the server, 127.0.0.1 by default; 0.0.0.0 is
	// all interfaces.
	Bind string
	// Port is the TCP port for joining, UDPPort the one for media. 0 picks a free port.
	Port, UDPPort int
	// Advertise is the IP address announced for media, for machines behind NAT; "" announces
	// the machine's own addresses.
	Advertise string
	// CertFile and CertKeyFile make agents join over TLS. They are PEM files, and are read again
	// when they change.
	CertFile, CertKeyFile string
	// PublicURL is the address given to agents in place of Bind and Port, for example that of a TLS proxy.
	PublicURL string
	// Redis joins the servers of several processes into a cluster: host:port, redis:// or
	// rediss://; "" runs a single server.
	Redis string
	// Knock, if not nil, is called with the name of the room before somebody with a valid token joins it; the
	// join waits for it. Joining never creates a room, but Knock can open one that was due later. If Knock
	// fails and the room does not exist, the client is told to try again.
	Knock func(ctx context.Context, room string) error
	// Log receives the server's log; nil discards it.
	Log *slog.Logger
}

// startPatience bounds how long the server may take to start.
const startPatience = 20 * time.Second

// Embed starts a media server in this process and returns once it answers.
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
		api:  newAPI(p.address, p.keys, "media server of this process", "see the log"),
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
	// front is the server that agents connect to if there is TLS or a Knock function, else nil.
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

// up waits until the server is running. One that does not come up leaves nothing open.
func (e *embedded) up(ctx context.Context, p plan) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !e.server.IsRunning() {
		select {
		case <-look.C:
		case err := <-e.ended:
			e.server.RoomManager().Stop() // it opened the UDP port before it started
			return p.explain(err)
		case <-ctx.Done():
			go e.stopLate()
			return problem.New(problem.Unavailable, "the media server did not start in time").Because(ctx.Err())
		}
	}
	return nil
}

// stopLate stops a server that is still starting once it has started, since it cannot be stopped before.
func (e *embedded) stopLate() {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !e.server.IsRunning() {
		select {
		case <-look.C:
		case <-e.ended:
			e.server.RoomManager().Stop()
			return
		}
	}
	_ = e.stop(context.Background())
}

// stop shuts the server down. ctx bounds only how long it waits for that.
func (e *embedded) stop(ctx context.Context) error {
	if e.front != nil {
		_ = e.front.Close()
	}
	go e.server.Stop(true)
	select {
	case err := <-e.ended:
		e.ended <- err // for later calls of stop
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// participants returns the number of connected participants of a room other than our own caller, and false if the
// room is not in this process.
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
