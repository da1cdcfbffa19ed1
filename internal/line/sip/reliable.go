package sip

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"
)

// reliable is the extension for acknowledged provisional responses (RFC 3262). We do not request
// it, since calls do not depend on these responses, but comply with a far end that does.
const reliable = "100rel"

// mostReliable bounds how many provisional responses of one far end are acknowledged.
const mostReliable = 256

// confirmed holds the numbers of the provisional responses of one far end that were acknowledged.
// They may arrive in any order, and each is repeated until it is acknowledged.
type confirmed struct {
	dialog  *dialog
	numbers map[uint64]bool
}

// confirm acknowledges a provisional response if its sender requires that. The sender would
// otherwise repeat it for half a minute and then give up the call.
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
		return // it will be repeated, and so will our PRACK
	}
	far.numbers[number] = true
	if c.ringing != nil && len(descriptionOf(res)) > 0 {
		c.ringing.preliminary.answered(tag)
	}
	rack := fmt.Sprintf("%d %d %s", number, req.CSeq().SeqNo, msg.INVITE)
	first := c.nextPrack(far.dialog) // an answer that comes meanwhile has to know this number
	c.e.wg.Go(func() { c.prack(far.dialog, first, rack) })
}

// nextPrack returns a number not used by any other request to a far end. Once that has answered the call, its
// dialog assigns the numbers, since otherwise a BYE could have the number of a PRACK that was challenged.
func (c *placing) nextPrack(d *dialog) uint32 {
	if answered := c.acked.Load(); answered != nil && answered.farTag == d.farTag {
		return answered.nextNumber()
	}
	return d.acknowledges + c.pracks.Add(1)
}

// prack sends the acknowledgement, first with the given number, and waits for its response.
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

// reliableNumber returns the number of a provisional response that has to be acknowledged, else 0.
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

// wantsReliable reports whether a far end refuses a call unless its provisional responses are acknowledged.
func wantsReliable(res *msg.Response) bool {
	return res.StatusCode == 421 && lists(res, "Require", reliable)
}
