package sip

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"time"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// ServerOptions configure a Server.
type ServerOptions struct {
	// Bind is the local address for SIP (UDP and TCP on one port) and RTP. The zero value means
	// 127.0.0.1 with a free port.
	Bind netip.AddrPort
	// Advertise replaces our address in what we send.
	Advertise netip.Addr
	RTPPorts  [2]uint16
	Shards    int
	Portable  bool
	// Answerer decides about every call. It must be set.
	Answerer leg.Answerer
	// User and Password, if set, are required from every caller (digest).
	User, Password string
	// Codecs are the accepted codecs; empty means PCMU and PCMA.
	Codecs []g711.Codec
	// Loss drops outgoing packets. The zero value drops none.
	Loss loss.Model
	// MediaTimeout is how long no RTP may arrive; 0 means 30 s.
	MediaTimeout time.Duration
	Log          *slog.Logger
	// Now is the wall clock, with its monotonic reading. It must be set.
	Now func() time.Time

	times timing // tests make it shorter
}

// Timeouts of a server.
const (
	serverMediaTimeout = 30 * time.Second
	longestRing        = 3 * time.Minute
	// ackPatience is how long our media waits for the ACK. The caller's clock begins when it
	// receives our 200, so without the wait the beginning of our audio would be lost there.
	ackPatience = 200 * time.Millisecond
)

// Server takes calls.
type Server struct {
	e    *endpoint
	opts ServerOptions

	mu      sync.Mutex
	nonces  map[string]time.Time
	pending map[string]bool // INVITEs being handled, by Call-ID, From tag and number
}

// Listen opens the server, which takes calls from then on.
func Listen(o ServerOptions) (*Server, error) {
	if o.Answerer == nil || o.Now == nil {
		return nil, problem.New(problem.Internal, "a SIP server needs an Answerer and a clock")
	}
	if o.MediaTimeout == 0 {
		o.MediaTimeout = serverMediaTimeout
	}
	if len(o.Codecs) == 0 {
		o.Codecs = []g711.Codec{g711.PCMU(), g711.PCMA()}
	}
	s := &Server{opts: o, nonces: map[string]time.Time{}, pending: map[string]bool{}}
	ready := make(chan struct{})
	e, err := newEndpoint(endpointOptions{
		bind: orLoopback(o.Bind), advertise: o.Advertise, log: o.Log, now: o.Now, times: o.times,
		invited: func(req *msg.Request, tx *msg.ServerTx) {
			<-ready
			s.invited(req, tx)
		},
		media: telephone.MediaOptions{Ports: o.RTPPorts, Shards: o.Shards, Portable: o.Portable},
	})
	if err != nil {
		return nil, problem.New(problem.Unavailable, "no calls can be taken on %s", o.Bind).Because(err)
	}
	s.e = e
	close(ready)
	return s, nil
}

// Addr returns the address at which calls are taken, over UDP and TCP.
func (s *Server) Addr() netip.AddrPort { return s.e.bind }

// Close hangs up every call and closes the sockets. It waits until that is done or ctx ends.
func (s *Server) Close(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		s.e.close()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// invited handles an INVITE that begins a call. It runs on a goroutine of its own until the call is over.
func (s *Server) invited(req *msg.Request, tx *msg.ServerTx) {
	if s.e.ctx.Err() != nil || !s.e.enter() {
		respond(tx, req, 503, "Service Unavailable")
		return
	}
	defer s.e.calls.Done()
	if !s.authorized(req, tx) {
		return
	}
	if !s.begin(req) {
		respond(tx, req, 482, "Loop Detected") // a forked copy of a call that is already here
		return
	}
	defer s.over(req)
	offer, ok := s.acceptable(req, tx)
	if !ok {
		return
	}
	c := &taking{server: s, req: req, tx: tx, offer: offer, canceled: make(chan struct{})}
	var once sync.Once
	if !tx.OnCancel(func(*msg.Request) { once.Do(func() { close(c.canceled) }) }) {
		return
	}
	c.run()
}

// acceptable parses the offer of an INVITE, nil if it leaves the offer to us, and refuses an
// INVITE that cannot become a call.
func (s *Server) acceptable(req *msg.Request, tx *msg.ServerTx) (*sdp.Session, bool) {
	if h := req.GetHeader("Accept"); h != nil && !accepts(req, "application/sdp") {
		respond(tx, req, 406, "Not Acceptable")
		return nil, false
	}
	if bodiless(req) {
		return nil, true
	}
	body, ok := described(req)
	if !ok {
		refuseOffer(tx, req, errUnread)
		return nil, false
	}
	offer, err := s.e.read(body)
	if err != nil {
		respond(tx, req, 488, "Not Acceptable Here", warning(err))
		return nil, false
	}
	return &offer, true
}

// inviteKey is equal for all copies of an INVITE that arrive by different routes. An INVITE with another
// number is another call (RFC 3261 section 8.2.2.2): a caller that was refused uses one to try again, and
// does not have to wait.
func inviteKey(req *msg.Request) string {
	tag, _ := req.From().Params.Get("tag")
	return dialogKey(req.CallID().Value(), tag) + "\x00" + strconv.FormatUint(uint64(req.CSeq().SeqNo), 10)
}

func (s *Server) begin(req *msg.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := inviteKey(req)
	if s.pending[key] {
		return false
	}
	s.pending[key] = true
	return true
}

func (s *Server) over(req *msg.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, inviteKey(req))
}

// realm is our realm in challenges.
const realm = "ringtrue"

// nonceLife is how long a nonce may be used.
const nonceLife = time.Minute

// authorized checks the digest credentials if they are required, and sends a challenge if they are missing.
func (s *Server) authorized(req *msg.Request, tx *msg.ServerTx) bool {
	if s.opts.User == "" {
		return true
	}
	stale := false
	if got := credentialsOf(req); got != nil && s.proves(req, got) {
		if s.fresh(got.Nonce) {
			return true
		}
		stale = true // the caller would otherwise take its password for wrong (RFC 7616 section 3.3)
	}
	nonce := msg.GenerateTagN(24)
	s.mu.Lock()
	now := s.e.now()
	for n, at := range s.nonces {
		if now.Sub(at) > nonceLife {
			delete(s.nonces, n)
		}
	}
	s.nonces[nonce] = now
	s.mu.Unlock()
	challenge := digest.Challenge{Realm: realm, Nonce: nonce, Algorithm: "MD5", QOP: []string{"auth"}, Stale: stale}
	respond(tx, req, 401, "Unauthorized", msg.NewHeader("WWW-Authenticate", challenge.String()))
	return false
}

// credentialsOf returns the digest credentials for us in a request, nil if there are none. A request may also have
// those for other far ends that a proxy has tried (RFC 3261 section 22.3).
func credentialsOf(req *msg.Request) *digest.Credentials {
	for _, h := range req.GetHeaders("Authorization") {
		if got, err := digest.ParseCredentials(h.Value()); err == nil && got.Realm == realm {
			return got
		}
	}
	return nil
}

// fresh reports whether a nonce is one of ours and not too old.
func (s *Server) fresh(nonce string) bool {
	s.mu.Lock()
	at, known := s.nonces[nonce]
	s.mu.Unlock()
	return known && s.e.now().Sub(at) <= nonceLife
}

// proves reports whether credentials show that the caller has the password, whatever their nonce.
func (s *Server) proves(req *msg.Request, got *digest.Credentials) bool {
	if got.Username != s.opts.User {
		return false
	}
	qop := []string{"auth"}
	if got.QOP == "" { // clients of RFC 2069 do not use it (RFC 3261 section 22.4)
		qop = nil
	}
	want, err := digest.Digest(&digest.Challenge{Realm: realm, Nonce: got.Nonce, Algorithm: "MD5", QOP: qop},
		digest.Options{
			Method: string(req.Method), URI: got.URI, Username: s.opts.User, Password: s.opts.Password,
			Cnonce: got.Cnonce, Count: got.Nc,
		})
	return err == nil && subtle.ConstantTimeCompare([]byte(want.Response), []byte(got.Response)) == 1
}
