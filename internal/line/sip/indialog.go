package sip

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
)

// handle handles a request of the far end within the dialog.
func (d *dialog) handle(req *msg.Request, tx *msg.ServerTx) {
	if req.IsAck() {
		d.tookAck(req)
		tx.Terminate()
		return
	}
	if d.early {
		d.handleEarly(req, tx)
		return
	}
	seq := req.CSeq().SeqNo
	if !d.turns.begin(seq) {
		respond(tx, req, 500, "Server Internal Error", msg.NewHeader("Retry-After", "1"))
		return
	}
	if rest := d.inTurn(req, tx); rest != nil {
		rest()
	}
}

// inTurn handles a request whose turn it is, and returns the part that may take its time, if any. A
// request that crosses our BYE comes too late, whatever it asks (RFC 3261 section 15.1.1, RFC 5407
// section 3.2); a transfer then has not happened.
func (d *dialog) inTurn(req *msg.Request, tx *msg.ServerTx) (rest func()) {
	defer d.turns.end(req.CSeq().SeqNo)
	if d.isOver() && req.Method != msg.BYE {
		respond(tx, req, 481, "Call/Transaction Does Not Exist")
		return nil
	}
	switch req.Method {
	case msg.BYE:
		respond(tx, req, 200, "OK")
		d.farEnded(reasonOf(req))
	case msg.INVITE:
		return d.reinvited(req, tx)
	case msg.UPDATE:
		d.updated(req, tx)
	case msg.INFO:
		if key := infoDigit(req); key != "" && d.talk != nil {
			d.talk.stream.Press(key)
		}
		respond(tx, req, 200, "OK")
	case msg.OPTIONS:
		respond(tx, req, 200, "OK", allow(), msg.NewHeader("Accept", "application/sdp"))
	case msg.NOTIFY:
		respond(tx, req, 200, "OK")
	case msg.REFER:
		return d.referred(req, tx)
	case msg.CANCEL: // of an INVITE that has been answered
		respond(tx, req, 481, "Call/Transaction Does Not Exist")
	default:
		respond(tx, req, 405, "Method Not Allowed", allow())
	}
	return nil
}

// concerns reports whether a request comes from the dialog's far end, and not from another one
// that knows our tag, such as a second phone reached by a forking proxy.
func (d *dialog) concerns(req *msg.Request) bool {
	tag, _ := req.From().Params.Get("tag")
	return d.farTag == "" || strings.EqualFold(tag, d.farTag)
}

// tookAck ends the retransmission of our 2xx. If that contained an offer, the ACK contains the answer.
func (d *dialog) tookAck(req *msg.Request) {
	defer d.acked(req.CSeq().SeqNo)
	if bodiless(req) || d.talk == nil || !d.awaitsAnswer(req.CSeq().SeqNo) {
		return
	}
	if answer, err := d.e.read(descriptionOf(req)); err == nil && d.talk.misplaced(answer) == nil && d.talk.accept(answer) {
		d.talk.follow()
	}
}

// awaitsAnswer reports whether our 2xx with that number is still unacknowledged.
func (d *dialog) awaitsAnswer(seq uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.acks[seq] != nil
}

// reinvited answers a re-INVITE: hold, resume, a new media address, or a mere session refresh. It returns a
// function that delivers the answer; if its ACK never comes the call has to end (RFC 3261 section 14.2).
func (d *dialog) reinvited(req *msg.Request, tx *msg.ServerTx) (deliver func()) {
	d.retarget(req)
	if d.pending() {
		respond(tx, req, 491, "Request Pending")
		return nil
	}
	body, err := d.negotiate(req)
	if err != nil {
		refuseOffer(tx, req, err)
		return nil
	}
	res := d.accepting(req, body)
	acked := d.expectAck(req.CSeq().SeqNo, bodiless(req))
	if tx.Respond(res) != nil {
		return nil
	}
	return func() {
		if !d.deliver(tx, res, acked) && d.e.ctx.Err() == nil {
			d.forsake()
		}
		tx.TerminateGracefully()
	}
}

// updated answers an UPDATE (RFC 3311), which carriers use to refresh sessions.
func (d *dialog) updated(req *msg.Request, tx *msg.ServerTx) {
	d.retarget(req)
	var body []byte
	if !bodiless(req) {
		if d.pending() {
			respond(tx, req, 491, "Request Pending")
			return
		}
		var err error
		if body, err = d.negotiate(req); err != nil {
			refuseOffer(tx, req, err)
			return
		}
	}
	_ = tx.Respond(d.accepting(req, body))
	tx.TerminateGracefully()
}

// pending reports whether an offer of ours is still unanswered, so that another one has to wait
// (RFC 3264 section 4): the answer could otherwise be taken for one to a later state. The ACK that
// contains it may be about to be handled.
func (d *dialog) pending() bool {
	open := d.openOffer()
	if open == nil {
		return false
	}
	wait := time.NewTimer(gapPatience)
	defer wait.Stop()
	select {
	case <-open:
		return false
	case <-wait.C:
		return true
	}
}

// refuseOffer refuses a request because of its body.
func refuseOffer(tx *msg.ServerTx, req *msg.Request, why error) {
	if errors.Is(why, errUnread) {
		respond(tx, req, 415, "Unsupported Media Type", msg.NewHeader("Accept", "application/sdp"), msg.NewHeader("Accept-Encoding", "identity"))
		return
	}
	respond(tx, req, 488, "Not Acceptable Here", warning(why))
}

// negotiate answers the offer in a request, or makes one if it has none.
func (d *dialog) negotiate(req *msg.Request) ([]byte, error) {
	if d.talk == nil {
		return nil, sdp.ErrNoAudio
	}
	if bodiless(req) {
		return d.talk.offer(), nil
	}
	text := descriptionOf(req)
	if text == nil {
		return nil, errUnread
	}
	offer, err := d.e.read(text)
	switch {
	case err != nil:
		return nil, err
	case offer.Instead():
		return nil, errInstead
	}
	if err := d.talk.misplaced(offer); err != nil {
		return nil, err
	}
	before := d.talk.agreedSetup()
	body, ok := d.talk.answer(offer)
	switch {
	case !ok:
		return nil, errNoCodec
	case d.talk.agreedSetup() != before:
		d.talk.follow()
	}
	return body, nil
}

var (
	errUnread  = errors.New("the body is of a type that is not supported")
	errNoCodec = errors.New("the session description has no supported codec")
	errBeyond  = errors.New("the connection address cannot be reached from the network of this call")
	errMirror  = errors.New("the connection address is our own, so we would hear ourselves")
	errInstead = errors.New("the session description has other media in place of the audio")
)

// warning returns a header that says why a session description is refused (RFC 3261 section 20.43).
func warning(why error) msg.Header {
	text := strings.NewReplacer(`"`, "'", `\`, "/").Replace(clip(why.Error()))
	return msg.NewHeader("Warning", "399 "+screen.AgentName+` "`+text+`"`)
}

// accepting returns a 200 within the dialog. A session timer is accepted if the far end
// refreshes it (RFC 4028); calls are bounded here anyway.
func (d *dialog) accepting(req *msg.Request, body []byte) *msg.Response {
	res := msg.NewResponseFromRequest(req, 200, "OK", body)
	res.AppendHeader(d.contact.Clone())
	res.AppendHeader(allow())
	if body != nil {
		res.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	}
	if h := sessionExpires(req); h != "" {
		res.AppendHeader(msg.NewHeader("Supported", "timer"))
		res.AppendHeader(msg.NewHeader("Require", "timer"))
		res.AppendHeader(msg.NewHeader("Session-Expires", h))
	}
	return res
}

// sessionExpires returns the value that answers a request's session timer, "" if it has none.
func sessionExpires(req *msg.Request) string {
	h := req.GetHeader("Session-Expires")
	if h == nil || !supports(req, "timer") {
		return ""
	}
	seconds, params, _ := strings.Cut(h.Value(), ";")
	seconds = strings.TrimSpace(seconds)
	if who := strings.ToLower(strings.Join(strings.Fields(params), "")); strings.Contains(";"+who+";", ";refresher=uas;") {
		return "" // we would have to refresh, which is not supported
	}
	if seconds == "" || len(seconds) > 9 || strings.Trim(seconds, "0123456789") != "" {
		return ""
	}
	return seconds + ";refresher=uac"
}

// supports reports whether the sender of a request supports an extension.
func supports(req *msg.Request, option string) bool {
	return lists(req, "Supported", option) || lists(req, "Require", option)
}

// lists reports whether the headers of a name list an option.
func lists(m interface {
	GetHeaders(name string) []msg.Header
}, name, option string) bool {
	for _, h := range m.GetHeaders(name) {
		for one := range strings.SplitSeq(h.Value(), ",") {
			if strings.EqualFold(strings.TrimSpace(one), option) {
				return true
			}
		}
	}
	return false
}

// unsupported returns the extensions that a request requires and we do not support.
func unsupported(req *msg.Request) []string {
	var out []string
	for _, h := range req.GetHeaders("Require") {
		for one := range strings.SplitSeq(h.Value(), ",") {
			one = strings.TrimSpace(one)
			known := strings.EqualFold(one, "timer") || req.Method == msg.REFER && strings.EqualFold(one, noNews)
			if one != "" && !known {
				out = append(out, one)
			}
		}
	}
	return out
}

// accepts reports whether the Accept headers of a request allow a media type.
func accepts(req *msg.Request, kind string) bool {
	family, _, _ := strings.Cut(kind, "/")
	for _, h := range req.GetHeaders("Accept") {
		for one := range strings.SplitSeq(h.Value(), ",") {
			one, _, _ = strings.Cut(one, ";")
			switch strings.ToLower(strings.TrimSpace(one)) {
			case kind, family + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

// infoDigit returns the key in an INFO request (application/dtmf-relay or application/dtmf), ""
// if there is none.
func infoDigit(req *msg.Request) string {
	kind := req.ContentType()
	if kind == nil || len(req.Body()) > 256 {
		return ""
	}
	name, _, _ := strings.Cut(kind.Value(), ";")
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "application/dtmf":
		return oneKey(string(req.Body()))
	case "application/dtmf-relay":
		for text := range strings.Lines(string(req.Body())) {
			key, value, ok := strings.Cut(text, "=")
			if ok && strings.EqualFold(strings.TrimSpace(key), "signal") {
				return oneKey(value)
			}
		}
	}
	return ""
}

func oneKey(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if n, err := strconv.Atoi(text); err == nil && len(text) == 2 && n >= 10 && n <= 15 {
		return "*#ABCD"[n-10 : n-9] // as numbered in RFC 4733, which old gateways use
	}
	if len(text) == 1 && strings.Contains("0123456789*#ABCD", text) {
		return text
	}
	return ""
}

// mostReasons bounds the number of Reason headers kept from a message: it may have one per
// protocol (RFC 3326).
const mostReasons = 4

// reasonOf returns the Reason headers of a BYE or a refusal, with a limit on their size.
func reasonOf(m interface {
	GetHeaders(name string) []msg.Header
}) string {
	var all []string
	for _, h := range m.GetHeaders("Reason") {
		text := clip(h.Value())
		if len(text) < len(h.Value()) && strings.Count(text, `"`)%2 == 1 {
			text += `"` // otherwise the next one would appear to be within the quotes
		}
		if text != "" && len(all) < mostReasons {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// clip limits a text received from the far end and removes what cannot be displayed: a database
// may reject a NUL, and a terminal may act on an escape sequence.
func clip(text string) string {
	const most = 200
	if len(text) > most {
		text = text[:most]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
