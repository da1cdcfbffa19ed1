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

// callHeader carries our call's id to the far end, so that its own record of
// the call can be linked.
const callHeader = "X-Ringtrue-Call"

// Options say which trunks there are and how we appear to them.
type Options struct {
	// Trunks are the ways out; the first is used when a Dial names none.
	Trunks []Trunk
	// Bind is the local address of SIP and RTP; the zero value is 127.0.0.1 with
	// a free port. 0.0.0.0 listens everywhere and tells each trunk the address
	// that faces it.
	Bind netip.AddrPort
	// Beside is the local address towards trunks that are IPv6 addresses where Bind is one of
	// IPv4; the zero value opens none. A machine that does not have that family reaches the
	// other trunks all the same.
	Beside netip.AddrPort
	// Advertise replaces our address in what we send, for machines behind address translation.
	Advertise netip.Addr
	// RTPPorts bounds the media ports (first, last); zero lets the system choose.
	RTPPorts [2]uint16
	// Shards is the number of media threads, 0 chooses; Portable does without them.
	Shards   int
	Portable bool
	// Loss is what our packets suffer on their way out; the zero value is nothing.
	Loss loss.Model
	// MediaTimeout is how long no RTP may come before the call counts as lost; 0 is 10 s.
	MediaTimeout time.Duration
	// Log is where the line logs; nil logs nothing.
	Log *slog.Logger
	// Now is the wall clock, with its monotonic reading. It must be set.
	Now func() time.Time

	times timing // tests make it shorter
}

// usualMediaTimeout is how long a call lives without RTP.
const usualMediaTimeout = 10 * time.Second

// Line places calls through trunks. All its methods may be called at a time
// from many goroutines.
type Line struct {
	e       *endpoint
	beside  *endpoint // towards trunks of the other family, nil where there are none
	lacking error     // why those cannot be reached
	trunks  []Trunk
	most    int // calls that there are ports for, 0 for any number
	timeout time.Duration
	loss    loss.Model
}

// New opens the line. Without trunks it is open all the same, and every call
// ends as EndConfiguration. Close gives back its sockets.
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

// open opens one local address; what is advertised replaces one of its own family.
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

// endpoints are those that are open.
func (l *Line) endpoints() []*endpoint {
	if l.beside == nil {
		return []*endpoint{l.e}
	}
	return []*endpoint{l.e, l.beside}
}

// towards is the endpoint that reaches a trunk.
func (l *Line) towards(t Trunk) *endpoint {
	if l.beside != nil && t.ByIPv6() {
		return l.beside
	}
	return l.e
}

// beyond is why a trunk cannot be reached at all, nil where nothing is known against it.
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

// Close ends every call that is still going on (EndInterrupted) and closes the sockets.
func (l *Line) Close() {
	var all sync.WaitGroup
	for _, e := range l.endpoints() {
		all.Go(e.close)
	}
	all.Wait()
}

// Load is how hard the media loop worked during the last second, and how well it kept its schedule.
func (l *Line) Load() pace.Load {
	all := l.e.media.Load()
	if l.beside != nil {
		all = all.With(l.beside.media.Load())
	}
	return all
}

// Lateness is how late the frames were that have left since the beginning.
func (l *Line) Lateness() pace.Lateness {
	all := l.e.media.Lateness()
	if l.beside != nil {
		more := l.beside.media.Lateness()
		all.Add(&more)
	}
	return all
}

// CallsOn is how many calls have ports at a time among those of Options.RTPPorts, 0 for the zero value.
func CallsOn(ports [2]uint16) int { return telephone.Pairs(ports) }

// MostCalls is how many calls have ports at a time, 0 where the system chooses those.
func (l *Line) MostCalls() int { return l.most }

// Addr is where the line itself can be reached over SIP.
func (l *Line) Addr() netip.AddrPort { return l.e.bind }

// Trunks are the configured trunks.
func (l *Line) Trunks() []Trunk { return l.trunks }

// Trunk finds a trunk by name, "" is the first.
func (l *Line) Trunk(name string) (Trunk, bool) {
	for _, t := range l.trunks {
		if name == "" || t.Name == name {
			return t, true
		}
	}
	return Trunk{}, false
}

// probeTime is how long a trunk may take to answer OPTIONS, over UDP with three repetitions
// of them: a busy machine may well need two seconds.
const probeTime = 5 * time.Second

// Probe asks a trunk with OPTIONS whether it is there. Any SIP answer counts. It
// fails with problem.NotFound for an unknown trunk and problem.Unavailable for
// a silent one.
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

// outside makes a request that belongs to no dialog yet. user is the number
// called, from our own, local our address.
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
