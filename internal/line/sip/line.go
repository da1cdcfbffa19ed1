package sip

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// callHeader carries our call's id to the far end, so that its own record of the call can be linked.
const callHeader = "X-Ringtrue-Call"

// Options configure a Line.
type Options struct {
	// Trunks are the trunks; the first is used if a Dial names none.
	Trunks []Trunk
	// Bind is the local address for SIP and RTP. The zero value means 127.0.0.1 with a free
	// port. With 0.0.0.0, each trunk is told the address that faces it.
	Bind netip.AddrPort
	// Beside is the local address for trunks that are IPv6 addresses if Bind is an IPv4 address;
	// the zero value opens none. On a machine without that family the other trunks still work.
	Beside netip.AddrPort
	// Advertise replaces our address in what we send, for machines behind NAT.
	Advertise netip.Addr
	// RTPPorts is the range of media ports (first, last). Zero lets the system choose.
	RTPPorts [2]uint16
	// Shards is the number of media threads, 0 chooses one; Portable uses none.
	Shards   int
	Portable bool
	// Loss drops outgoing packets. The zero value drops none.
	Loss loss.Model
	// MediaTimeout is how long no RTP may arrive before the call counts as lost; 0 means 10 s.
	MediaTimeout time.Duration
	// Log receives log messages; nil discards them.
	Log *slog.Logger
	// Now is the wall clock, with its monotonic reading. It must be set.
	Now func() time.Time

	times timing // tests make it shorter
}

// usualMediaTimeout is the default of Options.MediaTimeout.
const usualMediaTimeout = 10 * time.Second

// Line places calls through trunks. It is safe for concurrent use.
type Line struct {
	e       *endpoint
	beside  *endpoint // for trunks of the other address family, nil if there are none
	lacking error     // why those cannot be reached
	trunks  []Trunk
	most    int // number of simultaneous calls that there are ports for, 0 for no limit
	timeout time.Duration
	loss    loss.Model
}

// New opens the line. Without trunks it opens too, and every call ends as EndConfiguration.
// Close releases its sockets.
func New(o Options) (*Line, error) {
	seen := map[string]bool{}
	for _, t := range o.Trunks {
		if seen[t.Name] {
			return nil, problem.New(problem.InvalidFields, "two trunks are called %q", t.Name)
		}
		seen[t.Name] = true
		if _, _, err := net.SplitHostPort(t.Host); err != nil {
			return nil, problem.New(problem.InvalidFields, "the host of trunk %q is not host:port", t.Name)
		}
	}
	l := &Line{trunks: o.Trunks, timeout: o.MediaTimeout, loss: o.Loss, most: CallsOn(o.RTPPorts)}
	if l.timeout == 0 {
		l.timeout = usualMediaTimeout
	}
	var err error
	if l.e, err = o.open(orLoopback(o.Bind)); err != nil {
		return nil, problem.New(problem.Unavailable, "the telephone line could not be opened").Because(err)
	}
	if o.Beside.IsValid() {
		if l.beside, l.lacking = o.open(o.Beside); l.lacking != nil {
			l.e.log.Warn("trunks that are IPv6 addresses cannot be reached from this machine", "error", l.lacking)
		}
	}
	return l, nil
}

// open opens one local address. Advertise replaces an address of its own family.
func (o *Options) open(bind netip.AddrPort) (*endpoint, error) {
	advertise := o.Advertise
	if advertise.Is6() != bind.Addr().Is6() && o.Beside.IsValid() {
		advertise = netip.Addr{}
	}
	return newEndpoint(endpointOptions{
		bind: bind, advertise: advertise, log: o.Log, now: o.Now, times: o.times,
		media: telephone.MediaOptions{Ports: o.RTPPorts, Shards: o.Shards, Portable: o.Portable},
	})
}

// endpoints returns the open endpoints.
func (l *Line) endpoints() []*endpoint {
	if l.beside == nil {
		return []*endpoint{l.e}
	}
	return []*endpoint{l.e, l.beside}
}

// towards returns the endpoint that reaches a trunk.
func (l *Line) towards(t Trunk) *endpoint {
	if l.beside != nil && t.ByIPv6() {
		return l.beside
	}
	return l.e
}

// beyond returns why a trunk cannot be reached at all, nil if no reason is known.
func (l *Line) beyond(t Trunk) error {
	if l.lacking == nil || !t.ByIPv6() {
		return nil
	}
	return fmt.Errorf("trunk %s is reached by IPv6, which this machine does not have: %w", t.Name, l.lacking)
}

func orLoopback(a netip.AddrPort) netip.AddrPort {
	if a.Addr().IsValid() {
		return a
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port())
}

// Close ends every call in progress (EndInterrupted) and closes the sockets.
func (l *Line) Close() {
	var all sync.WaitGroup
	for _, e := range l.endpoints() {
		all.Go(e.close)
	}
	all.Wait()
}

// Load returns the load and punctuality of the media loop in the last second.
func (l *Line) Load() pace.Load {
	all := l.e.media.Load()
	if l.beside != nil {
		all = all.With(l.beside.media.Load())
	}
	return all
}

// Lateness returns the lateness of all frames sent so far.
func (l *Line) Lateness() pace.Lateness {
	all := l.e.media.Lateness()
	if l.beside != nil {
		more := l.beside.media.Lateness()
		all.Add(&more)
	}
	return all
}

// CallsOn returns how many simultaneous calls a range of ports (Options.RTPPorts) allows, 0 for the zero value.
func CallsOn(ports [2]uint16) int { return telephone.Pairs(ports) }

// MostCalls returns how many simultaneous calls the line's ports allow, 0 if the system chooses the ports.
func (l *Line) MostCalls() int { return l.most }

// Addr returns the line's own SIP address.
func (l *Line) Addr() netip.AddrPort { return l.e.bind }

// Trunks returns the configured trunks.
func (l *Line) Trunks() []Trunk { return l.trunks }

// Trunk returns the trunk with a name, the first for "".
func (l *Line) Trunk(name string) (Trunk, bool) {
	for _, t := range l.trunks {
		if name == "" || t.Name == name {
			return t, true
		}
	}
	return Trunk{}, false
}

// probeTime is how long a trunk may take to answer OPTIONS, which over UDP allows three
// retransmissions: a busy machine may well need two seconds.
const probeTime = 5 * time.Second

// Probe sends OPTIONS to a trunk to find out whether it is reachable. Any SIP response counts. It
// returns a problem.NotFound for an unknown trunk and a problem.Unavailable if there is no response.
func (l *Line) Probe(ctx context.Context, trunk string) error {
	t, ok := l.Trunk(trunk)
	if !ok {
		return problem.Missing("trunk", trunk)
	}
	if err := l.beyond(t); err != nil {
		return problem.New(problem.Unavailable, "trunk %q at %s cannot be reached: this machine has no IPv6", t.Name, t.Host).
			WithHint("give the machine an IPv6 address, or name the trunk by an IPv4 one").Because(err)
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	local, err := l.towards(t).localFor(ctx, t.place(), t.Transport)
	if err != nil {
		return l.silent(t, err)
	}
	if own, gone := l.towards(t).lost(local); gone {
		return problem.New(problem.Unavailable, "trunk %q at %s cannot be reached: this machine no longer has the address %s", t.Name, t.Host, own).
			WithHint("give the machine that address again, or start the service with another --sip-bind")
	}
	req, err := l.outside(msg.OPTIONS, t, local, "", "")
	if err != nil {
		return l.silent(t, err)
	}
	if _, err := l.towards(t).request(ctx, req); err != nil {
		return l.silent(t, err)
	}
	return nil
}

func (l *Line) silent(t Trunk, cause error) error {
	return problem.New(problem.Unavailable, "trunk %q does not answer at %s over %s", t.Name, t.Host, t.Transport).
		WithHint("check that host, port and transport are right and that nothing blocks them").Because(cause)
}

// outside returns a request outside of any dialog. user is the number called, from our own
// number, local our address.
func (l *Line) outside(method msg.RequestMethod, t Trunk, local netip.Addr, user, from string) (*msg.Request, error) {
	e := l.towards(t)
	host, port, err := msg.ParseAddr(t.place())
	if err != nil {
		return nil, fmt.Errorf("the host of trunk %q: %w", t.Name, err)
	}
	if a, err := netip.ParseAddr(host); err == nil {
		host = uriHost(a)
	}
	user = escaped(user)
	target := msg.Uri{Scheme: "sip", User: user, Host: host, Port: port}
	if from == "" {
		from = t.From
	}
	if from == "" {
		from = t.User
	}
	if from == "" {
		from = screen.AgentName
	}
	sender := &msg.FromHeader{Address: msg.Uri{Scheme: "sip", User: escaped(from), Host: uriHost(local)}, Params: msg.NewParams()}
	sender.Params.Add("tag", msg.GenerateTagN(12))
	id, forwards := msg.CallIDHeader(msg.GenerateTagN(24)), msg.MaxForwardsHeader(70)
	req := msg.NewRequest(method, target)
	req.AppendHeader(sender)
	req.AppendHeader(&msg.ToHeader{Address: msg.Uri{Scheme: "sip", User: user, Host: host}})
	req.AppendHeader(&id)
	req.AppendHeader(&msg.CSeqHeader{SeqNo: 1, MethodName: method})
	req.AppendHeader(&forwards)
	req.AppendHeader(e.contact(local, t.Transport))
	req.AppendHeader(msg.NewHeader("User-Agent", screen.AgentName))
	req.SetDestination(t.place())
	e.outgoing(req, local, t.Transport)
	return req, nil
}
