package sip

import (
	"fmt"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// refusedWith is the end reason of a call that was answered with a final
// response other than 2xx. The detail keeps the far end's own words.
func refusedWith(res *msg.Response) call.EndReason {
	detail, why := fmt.Sprintf("%d %s", res.StatusCode, clip(res.Reason)), reasonOf(res)
	if why != "" {
		detail += " (" + why + ")"
	}
	detail += wantedBy(res)
	if h := res.GetHeader("Retry-After"); h != nil {
		if seconds := leadingDigits(h.Value()); seconds != "" {
			detail += " (try again after " + seconds + " s)"
		}
	}
	if networkFailed(why) {
		return call.EndOf(call.EndUnreachable, detail)
	}
	switch res.StatusCode {
	case 486, 600:
		return call.EndOf(call.EndBusy, detail)
	case 603, 607, 608, 403:
		return declinedBy(res, why, detail)
	case 408, 480, 487:
		return call.EndOf(call.EndNoAnswer, detail)
	case 415, 488, 606:
		return call.EndOf(call.EndCodecMismatch, detail)
	case 401, 407:
		return refusedFor(res, "does not accept user and password")
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		if c := preferredIn(res.GetHeaders("Contact")); c != nil {
			detail += " to " + clip(c.String())
		}
		return call.EndOf(call.EndUnreachable, detail+" (redirects are not followed)")
	}
	return call.EndOf(call.EndUnreachable, detail)
}

// declinedBy tells who is called from who stands before: a trunk forbids (403) what its
// customer may not do, calling from an unverified number say, and a carrier turns away whom
// it takes for a nuisance (608 of RFC 8688, or 603 "Network Blocked"). The agent has not
// heard of such a call. A 403 that means a rejection by whoever is called (RFC 3398 section
// 7.2.4.1) has its number.
func declinedBy(res *msg.Response, why, detail string) call.EndReason {
	end := call.EndOf(call.EndDeclined, detail)
	switch {
	case res.StatusCode == 608, strings.EqualFold(strings.TrimSpace(res.Reason), "Network Blocked"),
		res.StatusCode == 403 && !hasCause(why, "Q.850", callRejected, callRejected):
		return end.Blaming(call.BlameLine)
	}
	return end
}

// The causes of Q.850 that say whose doing an end was: 34 to 47 are of the network that had
// no circuit left or failed ("resource unavailable"), and one that a timer of its signalling ran out.
const (
	callRejected     = 21
	firstUnavailable = 34
	lastUnavailable  = 47
	timerRanOut      = 102
)

// networkFailed says that the telephone network itself gives its own failure for the reason.
func networkFailed(reasons string) bool {
	return hasCause(reasons, "Q.850", firstUnavailable, lastUnavailable)
}

// networkEnded is networkFailed for a call that was answered. Before, it may well be the agent
// that has let the timer run out. Who waits in vain for an ACK or for the session to be refreshed says
// so by the status that stands for that cause (RFC 3398 section 8.2.6.1).
func networkEnded(reasons string) bool {
	return networkFailed(reasons) || hasCause(reasons, "Q.850", timerRanOut, timerRanOut) ||
		hasCause(reasons, "SIP", 408, 408) || hasCause(reasons, "SIP", 504, 504)
}

// hasCause says whether Reason values hold a cause of a protocol within these bounds.
func hasCause(reasons, protocol string, first, last int) bool {
	for _, one := range screen.Split(reasons, ',') {
		params := screen.Split(one, ';')
		if !strings.EqualFold(strings.TrimSpace(params[0]), protocol) {
			continue
		}
		for _, param := range params[1:] {
			name, value, _ := strings.Cut(param, "=")
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err == nil && strings.EqualFold(strings.TrimSpace(name), "cause") && n >= first && n <= last {
				return true
			}
		}
	}
	return false
}

// wantedBy are the headers by which a refusal says what it wants or does not know.
func wantedBy(res *msg.Response) string {
	var text strings.Builder
	for _, name := range []string{"Warning", "Require", "Unsupported", "Min-SE", "Accept"} {
		if h := res.GetHeader(name); h != nil && h.Value() != "" {
			text.WriteString(" (" + name + ": " + clip(h.Value()) + ")")
		}
	}
	return text.String()
}

// refusedFor is the end reason of a call that the trunk refused for want of credentials.
func refusedFor(res *msg.Response, what string) call.EndReason {
	return call.EndOf(call.EndUnreachable, fmt.Sprintf("%d %s: the trunk %s", res.StatusCode, clip(res.Reason), what))
}

// leadingDigits are the figures that a text begins with, none where there are more than nine:
// part of a number is another one.
func leadingDigits(text string) string {
	text = strings.TrimSpace(text)
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	if len(digits) > 9 {
		return ""
	}
	return digits
}
