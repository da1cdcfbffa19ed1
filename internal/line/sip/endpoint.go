package sip

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/locate"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// timing holds the timeouts of the signalling; tests shorten them.
type timing struct {
	t1      time.Duration // RFC 3261 T1
	t2      time.Duration
	noReply time.Duration // for any response to an INVITE
	cancel  time.Duration // for a cancelled INVITE to end
	bye     time.Duration // for the response to a BYE
	refused time.Duration // for the ACK of a refusal
	passed  time.Duration // for the far end to hang up after transferring us

	patience transport.Patience
	bounds   transport.Bounds
}

func usualTiming() timing {
	return timing{
		t1: 500 * time.Millisecond, t2: 4 * time.Second, noReply: 8 * time.Second,
		cancel: 4 * time.Second, bye: 4 * time.Second, refused: 2 * time.Second, passed: 2 * time.Second,
		patience: transport.UsualPatience(), bounds: transport.UsualBounds(),
	}
}

// endpoint is a place in the SIP network: sockets, transactions and the dialogs that live here.
// Line and Server are each built on one.
type endpoint struct {
	ua        *sipgo.UserAgent
	log       *slog.Logger
	now       func() time.Time
	times     timing
	media     *telephone.Media
	bind      netip.AddrPort
	advertise netip.Addr

	// invited handles an INVITE that begins a dialog; nil refuses them all.
	invited func(*msg.Request, *msg.ServerTx)

	sockets *transport.Sockets
	locate  *locate.Finder

	ctx     context.Context
	stop    context.CancelFunc
	wg      sync.WaitGroup
	calls   sync.WaitGroup
	sending sending

	mu        sync.Mutex
	closing   bool
	dialogs   map[string]*dialog
	abandoned map[string][]*abandoned // by Call-ID, in order
}

// quieten guards process-wide settings of sipgo, its logger and the maximum size of datagrams,
// which must be set before the first use.
var quieten sync.Once //nolint:gochecknoglobals // the library's setting is itself global

type endpointOptions struct {
	bind      netip.AddrPort
	advertise netip.Addr
	log       *slog.Logger
	now       func() time.Time
	media     telephone.MediaOptions
	invited   func(*msg.Request, *msg.ServerTx)
	times     timing // the zero value means the usual ones
}

func newEndpoint(o endpointOptions) (*endpoint, error) {
	e := &endpoint{
		log: o.log, now: o.now, times: o.times, advertise: o.advertise, invited: o.invited,
		dialogs: map[string]*dialog{}, abandoned: map[string][]*abandoned{},
	}
	if e.times == (timing{}) {
		e.times = usualTiming()
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	e.ctx, e.stop = context.WithCancel(context.Background())
	// sipgo's own log contains whole messages, credentials included.
	silent := slog.New(slog.DiscardHandler)
	quieten.Do(func() {
		msg.SetDefaultLogger(silent)
		// A response goes where its request came from, whatever its length, and a BYE that is
		// too long for one packet is better fragmented than never sent.
		msg.UDPMTUSize = screen.MaxMessage
	})
	ua, err := sipgo.NewUA(
		sipgo.WithUserAgent(screen.AgentName),
		sipgo.WithUserAgentTransportLayerOptions(msg.WithTransportLayerLogger(silent)),
		sipgo.WithUserAgentTransactionLayerOptions(msg.WithTransactionLayerLogger(silent),
			msg.WithTransactionLayerUnhandledResponseHandler(e.stray)),
	)
	if err != nil {
		return nil, fmt.Errorf("starting SIP: %w", err)
	}
	e.ua = ua
	ua.TransactionLayer().OnRequest(e.receive)
	if err := e.listen(o.bind); err != nil {
		e.close()
		return nil, err
	}
	o.media.Bind, o.media.Now = e.bind.Addr(), o.now
	e.media = telephone.NewMedia(o.media)
	return e, nil
}

// listen opens the sockets and lets sipgo read from them.
func (e *endpoint) listen(bind netip.AddrPort) error {
	sockets, err := transport.Listen(e.ctx, transport.Options{
		Bind: bind, Now: e.now, Patience: e.times.patience, Bounds: e.times.bounds,
		Known: e.comes, Late: e.lateAnswer,
	})
	if err != nil {
		return err
	}
	e.sockets, e.bind = sockets, sockets.Addr()
	e.locate = locate.New(e.ctx, e.bind.Addr())
	sockets.Serve(e.ua.TransportLayer(), func(f func()) { e.wg.Go(f) })
	return nil
}

// close ends the calls with a BYE each, and then closes the sockets.
func (e *endpoint) close() {
	e.stop()
	if e.media != nil {
		e.media.Close()
	}
	e.callsOver()
	e.sending.close()
	_ = e.ua.Close()
	if e.sockets != nil {
		e.sockets.Close()
	}
	e.wg.Wait()
	e.sending.underway.Wait()
	_ = e.ua.Close() // what was in progress during the first call may have opened something since
}

// callsOver stops accepting calls and waits for those in progress.
func (e *endpoint) callsOver() {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	e.calls.Wait()
}

// enter registers a call that begins; calls.Done must be called when it is over. It returns
// false once the endpoint is closing.
func (e *endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closing {
		e.calls.Add(1)
	}
	return !e.closing
}

// localFor returns the address under which the far end reaches us. It is of the address family
// of our sockets, whatever families the far end has.
func (e *endpoint) localFor(ctx context.Context, remote string, t Transport) (netip.Addr, error) {
	local, _, err := e.wayTo(ctx, remote, t)
	return local, err
}

// wayTo is localFor, and also returns the far end's addresses if they were looked up for that.
func (e *endpoint) wayTo(ctx context.Context, remote string, t Transport) (local netip.Addr, places []string, err error) {
	if e.advertise.IsValid() {
		return e.advertise, nil, nil
	}
	if !e.bind.Addr().IsUnspecified() {
		return e.bind.Addr(), nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, e.times.noReply)
	defer cancel()
	var near []string
	places, err = e.locate.Places(ctx, remote, string(t))
	if err == nil {
		near, err = e.locate.Near(places)
	}
	if err != nil {
		return netip.Addr{}, nil, fmt.Errorf("finding the way to the trunk: %w", err)
	}
	for _, place := range near {
		if local, err = facing(place); err == nil {
			return local, places, nil
		}
	}
	return netip.Addr{}, nil, fmt.Errorf("finding the way to the trunk: %w", err)
}

// facing returns the address of this machine on the route to a place.
func facing(place string) (netip.Addr, error) {
	conn, err := net.Dial("udp", place) //nolint:noctx // it returns at once and sends nothing; asks for the route
	if err != nil {
		return netip.Addr{}, err
	}
	defer conn.Close()
	return conn.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap(), nil
}

// contact returns our Contact header, the address for the far end's requests within a dialog.
func (e *endpoint) contact(local netip.Addr, t Transport) *msg.ContactHeader {
	uri := msg.Uri{Scheme: "sip", User: screen.AgentName, Host: uriHost(local), Port: int(e.bind.Port())}
	if t == TCP {
		uri.UriParams = msg.HeaderParams{{K: "transport", V: "tcp"}}
	}
	return &msg.ContactHeader{Address: uri}
}

func uriHost(a netip.Addr) string {
	if a.Is6() {
		return "[" + a.String() + "]"
	}
	return a.String()
}

// outgoing sets what the transport needs in a request: a new Via and, on UDP, our own socket.
func (e *endpoint) outgoing(req *msg.Request, local netip.Addr, t Transport) {
	req.RemoveHeader("Via")
	via := &msg.ViaHeader{
		ProtocolName: "SIP", ProtocolVersion: "2.0", Transport: string(upper(t)),
		Host: uriHost(local), Port: int(e.bind.Port()), Params: msg.NewParams(),
	}
	via.Params.Add("branch", msg.GenerateBranch())
	via.Params.Add("rport", "")
	req.PrependHeader(via)
	req.SetTransport(string(upper(t)))
	if t == UDP {
		req.Laddr = msg.Addr{IP: e.bind.Addr().AsSlice(), Port: int(e.bind.Port()), Hostname: e.bind.Addr().String()}
	}
	if req.Body() == nil {
		req.SetBody(nil)
	}
}

func upper(t Transport) Transport {
	if t == TCP {
		return "TCP"
	}
	return "UDP"
}

// connectionOf returns a channel that is closed once the connection used by a request is gone,
// nil if there is none.
func (e *endpoint) connectionOf(req *msg.Request) <-chan struct{} {
	if transportOf(req.Transport()) != TCP {
		return nil
	}
	return e.sockets.Lost(req.Destination())
}

// request sends a request other than INVITE and waits for its final response. Each possible
// destination gets a share of the remaining time.
func (e *endpoint) request(ctx context.Context, req *msg.Request) (*msg.Response, error) {
	others, err := e.openOne(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	if transportOf(req.Transport()) == TCP { // a host that accepted the connection exists
		others = nil
	}
	for ; len(others) > 0; others = others[1:] {
		res, err := e.requestWithin(ctx, 1+len(others), req)
		if err == nil || ctx.Err() != nil {
			return res, err
		}
		req = elsewhere(req, others[0])
	}
	return e.requestOnce(ctx, req)
}

// requestWithin is requestOnce within one of so many shares of the time.
func (e *endpoint) requestWithin(ctx context.Context, shares int, req *msg.Request) (*msg.Response, error) {
	if end, ok := ctx.Deadline(); ok {
		now := e.now()
		bounded, cancel := context.WithDeadline(ctx, now.Add(end.Sub(now)/time.Duration(shares)))
		defer cancel()
		ctx = bounded
	}
	return e.requestOnce(ctx, req)
}

// requestOnce sends a request to its destination and waits.
func (e *endpoint) requestOnce(ctx context.Context, req *msg.Request) (*msg.Response, error) {
	lost := e.connectionOf(req)
	tx, err := e.transact(ctx, req)
	if err != nil {
		return nil, err
	}
	defer tx.Terminate()
	var over <-chan time.Time
	for {
		select {
		case res := <-tx.Responses():
			if !res.IsProvisional() {
				return res, nil
			}
		case <-tx.Done():
			return nil, errors.Join(errors.New("no response"), tx.Err())
		case <-lost: // possibly by a peer that has answered: sipgo delivers that a little later
			lost, over = nil, time.After(e.times.t1)
		case <-over:
			return nil, transport.ErrLost
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
