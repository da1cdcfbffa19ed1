package sip

import (
	"context"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// referred handles a REFER, by which an agent transfers its caller (RFC 3515). Our caller
// accepts and reports success without calling anybody: what is tested is that the agent
// transfers the call, not who answers at the other number.
func (d *dialog) referred(req *msg.Request, tx *msg.ServerTx) (tell func()) {
	to := req.GetHeaders("Refer-To")
	switch {
	case !d.passable:
		respond(tx, req, 603, "Decline")
		return nil
	case len(to) != 1 || to[0].Value() == "":
		respond(tx, req, 400, "Bad Request - Refer-To")
		return nil
	}
	first, quiet := d.passesTo(clip(to[0].Value())), wantsNoNews(req)
	headers := []msg.Header{d.contact.Clone()}
	if quiet {
		headers = append(headers, msg.NewHeader("Refer-Sub", "false"))
	}
	respond(tx, req, 202, "Accepted", headers...)
	event := "refer"
	if !first { // RFC 3515 section 2.4.6: otherwise it is not clear to which one the news belongs
		event += ";id=" + strconv.FormatUint(uint64(req.CSeq().SeqNo), 10)
	}
	return func() {
		if !quiet {
			d.arrived(event)
		}
		if first {
			close(d.passedOn)
		}
	}
}

// noNews is the extension by which the sender of a REFER needs no notifications (RFC 4488).
const noNews = "norefersub"

// wantsNoNews reports whether the sender of a REFER asks for no notifications.
func wantsNoNews(req *msg.Request) bool {
	h := req.GetHeader("Refer-Sub")
	if h == nil {
		return false
	}
	value, _, _ := strings.Cut(h.Value(), ";")
	return strings.EqualFold(strings.TrimSpace(value), "false")
}

// passesTo records the target of a transfer. It returns false if there was one before.
func (d *dialog) passesTo(whom string) (first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first = d.passedTo == ""
	d.passedTo = whom
	return first
}

// arrived notifies the far end of the result of the transfer.
func (d *dialog) arrived(event string) {
	ctx, cancel := context.WithTimeout(d.e.ctx, d.e.times.bye)
	defer cancel()
	_ = d.insist(ctx, func() *msg.Request {
		req := d.build(msg.NOTIFY, nil)
		req.AppendHeader(msg.NewHeader("Event", event))
		req.AppendHeader(msg.NewHeader("Subscription-State", "terminated;reason=noresource"))
		req.AppendHeader(msg.NewHeader("Content-Type", "message/sipfrag"))
		req.SetBody([]byte("SIP/2.0 200 OK\r\n"))
		return req
	})
}

// whoPassed returns the target of the transfer, "" if there was none.
func (d *dialog) whoPassed() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.passedTo
}
