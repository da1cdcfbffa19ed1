package sip

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/login"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// dialog is a SIP dialog, from either side (RFC 3261 section 12).
type dialog struct {
	e         *endpoint
	callID    string
	localTag  string
	farTag    string     // "" if the far end sent none, as old ones do
	from, to  msg.Header // as used in our requests
	target    msg.Uri
	routes    []msg.Uri
	transport Transport
	local     netip.Addr
	contact   *msg.ContactHeader
	login     login.Login
	// acknowledges is the sequence number of our INVITE, which its ACK repeats.
	acknowledges uint32
	vouched      []msg.Header // the credentials of our INVITE, which its ACK repeats
	talk         *talk        // offer and answer; nil before there is media

	// ended is closed when the far end has hung up; why is its Reason header.
	ended chan struct{}
	once  sync.Once
	why   string

	// forsaken is closed when the far end has requested a change and never acknowledged our
	// answer: nothing we send reaches it any more.
	forsaken     chan struct{}
	forsakenOnce sync.Once

	// over is closed when we hang up, or when the call has otherwise ended for us: nothing is
	// retransmitted any more.
	over     chan struct{}
	overOnce sync.Once

	turns turns // of the far end's requests

	// passable means that the far end may transfer us; passedOn is closed when it has done so,
	// and passedTo is the target.
	passable bool
	passedOn chan struct{}
	passedTo string
	// early means that the call is not answered yet; preliminary holds what has been negotiated so far.
	early       bool
	preliminary preliminary
	called      bool // by the far end

	mu         sync.Mutex
	cseq       uint32
	ackRequest *msg.Request
	ackedAt    time.Time
	// source is the address from which the far end sent its Contact, in its answer or INVITE;
	// again is how often the answer was repeated.
	source string
	again  int
	// detour is the destination of our requests in place of the far end's Contact, "" for none.
	detour string
	acks   map[uint32]*awaitedAck
}

var errIncomplete = errors.New("the response lacks From, To or CSeq")

// dialogAsCaller creates the dialog for a response to our INVITE. Far ends that implement RFC
// 2543 send no tag.
func (e *endpoint) dialogAsCaller(invite *msg.Request, res *msg.Response) (*dialog, error) {
	if res.To() == nil || res.From() == nil || res.CSeq() == nil {
		return nil, errIncomplete
	}
	localTag, _ := invite.From().Params.Get("tag")
	d := &dialog{
		e: e, callID: invite.CallID().Value(), localTag: localTag, farTag: farTag(res), vouched: login.Of(invite),
		from: msg.HeaderClone(invite.From()), to: msg.HeaderClone(res.To()),
		target: invite.Recipient, transport: transportOf(invite.Transport()), source: res.Source(),
		contact: invite.Contact(), cseq: invite.CSeq().SeqNo, acknowledges: invite.CSeq().SeqNo,
		ended: make(chan struct{}), passedOn: make(chan struct{}), forsaken: make(chan struct{}), over: make(chan struct{}), acks: map[uint32]*awaitedAck{},
	}
	d.local, _ = netip.ParseAddr(strings.Trim(invite.Contact().Address.Host, "[]"))
	if c := contactIn(res.GetHeaders("Contact")); c != nil {
		d.target = *c
	}
	d.routes = recordRoutes(res.GetHeaders("Record-Route"))
	for i, j := 0, len(d.routes)-1; i < j; i, j = i+1, j-1 {
		d.routes[i], d.routes[j] = d.routes[j], d.routes[i]
	}
	return d, nil
}

// dialogAsCalled creates the dialog for an incoming INVITE.
func (e *endpoint) dialogAsCalled(invite *msg.Request, localTag string, local netip.Addr) *dialog {
	to := invite.To()
	own := to.AsFrom()
	own.Params = own.Params.Clone()
	own.Params.Add("tag", localTag)
	far := invite.From().AsTo()
	farTag, _ := invite.From().Params.Get("tag")
	d := &dialog{
		e: e, callID: invite.CallID().Value(), localTag: localTag, farTag: farTag, from: &own, to: &far, called: true,
		transport: transportOf(invite.Transport()), local: local, source: invite.Source(),
		turns:  turns{last: invite.CSeq().SeqNo},
		routes: recordRoutes(invite.GetHeaders("Record-Route")),
		ended:  make(chan struct{}), passedOn: make(chan struct{}), forsaken: make(chan struct{}), over: make(chan struct{}), acks: map[uint32]*awaitedAck{},
	}
	d.contact = e.contact(local, d.transport)
	if c := contactIn(invite.GetHeaders("Contact")); c != nil {
		d.target = *c
	} else {
		d.target = *invite.From().Address.Clone()
	}
	return d
}

func transportOf(name string) Transport {
	if strings.EqualFold(name, "tcp") {
		return TCP
	}
	return UDP
}

// build returns a request within the dialog with a new sequence number.
func (d *dialog) build(method msg.RequestMethod, body []byte) *msg.Request {
	return d.buildSeq(method, body, d.nextNumber())
}

// nextNumber returns the sequence number of our next request.
func (d *dialog) nextNumber() uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cseq++
	return d.cseq
}

func (d *dialog) buildSeq(method msg.RequestMethod, body []byte, seq uint32) *msg.Request {
	d.mu.Lock()
	target, detour := *d.target.Clone(), d.detour
	d.mu.Unlock()
	routes := d.routes
	if len(routes) > 0 && !loose(routes[0]) {
		// A strict router must be the request URI (RFC 3261 section 12.2.1.1).
		routes = append(append([]msg.Uri{}, routes[1:]...), target)
		target = *d.routes[0].Clone()
	}
	req := msg.NewRequest(method, target)
	for _, r := range routes {
		req.AppendHeader(&msg.RouteHeader{Address: *r.Clone()})
	}
	forwards := msg.MaxForwardsHeader(70)
	id := msg.CallIDHeader(d.callID)
	req.AppendHeader(msg.HeaderClone(d.from))
	req.AppendHeader(msg.HeaderClone(d.to))
	req.AppendHeader(&id)
	req.AppendHeader(&msg.CSeqHeader{SeqNo: seq, MethodName: method})
	req.AppendHeader(&forwards)
	req.AppendHeader(d.contact.Clone())
	req.AppendHeader(msg.NewHeader("User-Agent", screen.AgentName))
	if body != nil {
		req.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	}
	req.SetBody(body)
	hop := target
	if len(d.routes) > 0 {
		hop = d.routes[0]
	}
	if detour != "" {
		req.SetDestination(detour)
		d.e.outgoing(req, d.local, d.transport)
		return req
	}
	if to := placeOf(hop); to != "" || len(d.routes) > 0 && !loose(hop) {
		req.SetDestination(net.JoinHostPort(cmp.Or(to, strings.Trim(hop.Host, "[]")), strconv.Itoa(cmp.Or(hop.Port, msg.DefaultUdpPort))))
	}
	d.e.outgoing(req, d.local, transportTo(hop, d.transport))
	return req
}

// bye hangs up, even if the call's contexts have ended. reason is the value of a Reason header,
// "" for none.
func (d *dialog) bye(reason string) { _ = d.byeAnyway(context.WithoutCancel(d.e.ctx), reason) }

// byeAnyway hangs up and waits for the answer. If there is none, it repeats the request to the
// address the far end sent from, or to its Contact if that was used before.
func (d *dialog) byeAnyway(ctx context.Context, reason string) error {
	d.leave()
	before := d.aside()
	err := d.byeOnce(ctx, reason)
	if err == nil {
		return nil
	}
	if before != "" {
		d.turnBack()
	} else {
		d.turnAside()
	}
	if d.aside() != before {
		return d.byeOnce(ctx, reason)
	}
	return err
}

// byeOnce hangs up at one address, with a second connection if the first breaks during the BYE.
func (d *dialog) byeOnce(ctx context.Context, reason string) error {
	ctx, cancel := context.WithTimeout(ctx, d.e.times.bye)
	defer cancel()
	err := d.hangUp(ctx, reason)
	if err != nil && ctx.Err() == nil {
		err = d.hangUp(ctx, reason)
	}
	return err
}

// hangUp sends the BYE. An error response is not an error: there is no call any more.
func (d *dialog) hangUp(ctx context.Context, reason string) error {
	return d.insist(ctx, func() *msg.Request { return d.buildBye(reason) })
}

// insist sends a request, repeating it with credentials as often as a proxy or the far end asks
// for them. Each is built anew.
func (d *dialog) insist(ctx context.Context, build func() *msg.Request) error {
	asked, req := map[string]bool{}, build()
	for range maxChallenges {
		res, err := d.e.request(ctx, req)
		if err != nil || !login.Challenged(res) || d.login.Empty() || login.Rejected(res, asked) {
			return err
		}
		again := build()
		login.Carry(again, req)
		if err := d.login.Answer(again, res); err != nil {
			return err
		}
		req = again
	}
	_, err := d.e.request(ctx, req)
	return err
}

func (d *dialog) buildBye(reason string) *msg.Request {
	req := d.build(msg.BYE, nil)
	if reason != "" {
		req.AppendHeader(msg.NewHeader("Reason", reason))
	}
	return req
}

// leave records that the call has ended for us.
func (d *dialog) leave() { d.overOnce.Do(func() { close(d.over) }) }

// isOver reports whether leave was called.
func (d *dialog) isOver() bool {
	select {
	case <-d.over:
		return true
	default:
		return false
	}
}

// hasEnded reports whether the far end has hung up.
func (d *dialog) hasEnded() bool {
	select {
	case <-d.ended:
		return true
	default:
		return false
	}
}

// farEnded records that the far end has hung up.
func (d *dialog) farEnded(why string) {
	d.once.Do(func() {
		d.why = why
		close(d.ended)
	})
}

// cutOff reports whether the far end's hanging up was a network failure. After a transfer it
// does not matter.
func (d *dialog) cutOff() bool {
	return d.hasEnded() && networkEnded(d.why) && d.whoPassed() == ""
}

// endedBy returns what the far end's hanging up means for the stream.
func (d *dialog) endedBy() telephone.Cause {
	if d.cutOff() {
		return telephone.MediaLost
	}
	return telephone.ByFar
}

// forsake records that the far end never acknowledged an answer of ours within the dialog.
func (d *dialog) forsake() { d.forsakenOnce.Do(func() { close(d.forsaken) }) }

// isForsaken reports whether forsake was called.
func (d *dialog) isForsaken() bool {
	select {
	case <-d.forsaken:
		return true
	default:
		return false
	}
}

// awaitedAck is the ACK that an answer of ours is waiting for.
type awaitedAck struct {
	came chan struct{}
	// odd is true if an ACK with an unexpected number came: a far end that counts incorrectly
	// has still received our answer.
	odd bool
	// offered means that the ACK is to contain the answer to an offer in our 2xx.
	offered bool
}

// expectAck starts waiting for the ACK with the given sequence number. offered means that our
// 2xx contains an offer.
func (d *dialog) expectAck(seq uint32, offered bool) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := make(chan struct{})
	d.acks[seq] = &awaitedAck{came: c, offered: offered}
	return c
}

// openOffer returns a channel that is closed once the ACK with the answer to our offer has come,
// nil if no offer is open.
func (d *dialog) openOffer() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.acks {
		if a.offered && !a.odd {
			return a.came
		}
	}
	return nil
}

func (d *dialog) acked(seq uint32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a := d.acks[seq]; a != nil {
		close(a.came)
		delete(d.acks, seq)
		return
	}
	for _, a := range d.acks {
		a.odd = true
	}
}

// oddlyAcked stops waiting for an ACK that has not come, and reports whether there was an odd one.
func (d *dialog) oddlyAcked(seq uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.acks[seq]
	delete(d.acks, seq)
	return a != nil && a.odd
}

// deliver retransmits a 2xx to an INVITE until its ACK comes (RFC 3261 section 13.3.1.4). It
// returns false if none came within 64*T1, not even an odd one.
func (d *dialog) deliver(tx *msg.ServerTx, res *msg.Response, acked <-chan struct{}) bool {
	seq := res.CSeq().SeqNo
	wait, end := d.e.times.t1, time.NewTimer(64*d.e.times.t1)
	defer end.Stop()
	again := time.NewTimer(wait)
	defer again.Stop()
	for {
		select {
		case <-acked:
			return true
		case ack := <-tx.Acks():
			d.tookAck(ack)
			d.acked(seq) // with any number
			return true
		case <-d.ended:
			return true
		case <-d.over: // we have hung up
			return true
		case <-d.e.ctx.Done():
			return false
		case <-end.C:
			return d.oddlyAcked(seq)
		case <-again.C:
			_ = tx.Respond(res)
			wait = min(2*wait, d.e.times.t2)
			again.Reset(wait)
		}
	}
}
