package sip

import (
	"context"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// referred takes a REFER: an agent that passes its caller on (RFC 3515). A caller of ours
// lets itself be passed on and says that it arrived, though nobody is phoned: what
// is tested is that the agent does it, and who is behind another number is nobody's
// business here.
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
	if !first { // RFC 3515 section 2.4.6: or nobody knows which one is told of
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

// noNews is the extension by which whoever passes us on need not be told how it goes (RFC 4488).
const noNews = "norefersub"

// wantsNoNews says that who passes us on does not ask how it goes.
func wantsNoNews(req *msg.Request) bool {
	h := req.GetHeader("Refer-Sub")
	if h == nil {
		return false
	}
	value, _, _ := strings.Cut(h.Value(), ";")
	return strings.EqualFold(strings.TrimSpace(value), "false")
}

// passesTo notes to whom the far end passes us on; false when it has done so before.
func (d *dialog) passesTo(whom string) (first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first = d.passedTo == ""
	d.passedTo = whom
	return first
}

// arrived tells the far end how passing us on has gone.
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

// whoPassed says to whom the far end has passed us on, "" when it has not.
func (d *dialog) whoPassed() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.passedTo
}
