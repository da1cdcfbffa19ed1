package sip

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// reliable is the extension by which provisional responses are acknowledged (RFC 3262). We do
// not ask for it, since nothing of a call depends on those; a far end that insists has its way.
const reliable = "100rel"

// mostReliable is how many provisional responses of one far end are acknowledged.
const mostReliable = 256

// confirmed are the provisional responses of one far end that have been acknowledged, by their
// numbers. They need not come in the order of those, and each is repeated until it is acknowledged.
type confirmed struct {
	dialog  *dialog
	numbers map[uint64]bool
}

// confirm acknowledges a provisional response whose sender wants that; it would else repeat it
// for half a minute and then give the call up.
func (c *placing) confirm(req *msg.Request, res *msg.Response) {
	number, tag := reliableNumber(res), farTag(res)
	if number == 0 || tag == "" {
		return
	}
	far := c.confirmed[tag]
	if far == nil {
		d, err := c.e.dialogAsCaller(req, res)
		if err != nil || len(c.confirmed) >= mostForks {
			return
		}
		d.login, far = c.loginOf(), &confirmed{dialog: d, numbers: map[uint64]bool{}}
		if c.confirmed == nil {
			c.confirmed = map[string]*confirmed{}
		}
		c.confirmed[tag] = far
	}
	if far.numbers[number] || len(far.numbers) == mostReliable {
		return // it is repeated, as is our PRACK
	}
	far.numbers[number] = true
	if c.ringing != nil && len(descriptionOf(res)) > 0 {
		c.ringing.preliminary.answered(tag)
	}
	rack := fmt.Sprintf("%d %d %s", number, req.CSeq().SeqNo, msg.INVITE)
	first := c.nextPrack(far.dialog) // which an answer that comes meanwhile has to know of
	c.e.wg.Go(func() { c.prack(far.dialog, first, rack) })
}

// nextPrack is a number that nothing else has that is sent to a far end: once that has answered the
// call, its dialog counts, or a BYE would bear the number of a PRACK that was asked for credentials.
func (c *placing) nextPrack(d *dialog) uint32 {
	if answered := c.acked.Load(); answered != nil && answered.farTag == d.farTag {
		return answered.nextNumber()
	}
	return d.acknowledges + c.pracks.Add(1)
}

// prack sends the acknowledgement, by that number at first, and waits for its answer.
func (c *placing) prack(d *dialog, number uint32, rack string) {
	ctx, cancel := context.WithTimeout(c.e.ctx, c.e.times.noReply)
	defer cancel()
	_ = d.insist(ctx, func() *msg.Request {
		if number == 0 {
			number = c.nextPrack(d)
		}
		prack := d.buildSeq(msg.PRACK, nil, number)
		prack.AppendHeader(msg.NewHeader("RAck", rack))
		number = 0
		return prack
	})
}

// reliableNumber is the number of a provisional response that wants to be acknowledged, else 0.
func reliableNumber(res *msg.Response) uint64 {
	h := res.GetHeader("RSeq")
	if h == nil || !lists(res, "Require", reliable) {
		return 0
	}
	number, err := strconv.ParseUint(strings.TrimSpace(h.Value()), 10, 32)
	if err != nil {
		return 0
	}
	return number
}

// wantsReliable says that a far end refuses a call in which its provisional responses would not
// be acknowledged.
func wantsReliable(res *msg.Response) bool {
	return res.StatusCode == 421 && lists(res, "Require", reliable)
}
