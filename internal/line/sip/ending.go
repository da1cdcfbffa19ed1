package sip

import (
	"fmt"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// refusedWith returns the end reason of a call that was answered with a final response other
// than 2xx. The detail keeps the far end's own words.
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

// declinedBy distinguishes a refusal by something on the way from one by the called party. A
// trunk forbids (403) what its customer may not do, such as calling from an unverified number,
// and a carrier rejects suspected nuisance calls (608 of RFC 8688, or 603 "Network Blocked");
// the agent never sees such a call. A 403 that stands for a rejection by the called party (RFC
// 3398 section 7.2.4.1) carries the cause number of that.
func declinedBy(res *msg.Response, why, detail string) call.EndReason {
	end := call.EndOf(call.EndDeclined, detail)
	switch {
	case res.StatusCode == 608, strings.EqualFold(strings.TrimSpace(res.Reason), "Network Blocked"),
		res.StatusCode == 403 && !hasCause(why, "Q.850", callRejected, callRejected):
		return end.Blaming(call.BlameLine)
	}
	return end
}

// Q.850 causes that say who caused an end: 34 to 47 mean that the network had no circuit or failed
// ("resource unavailable"), and another that a signalling timer expired.
const (
	callRejected     = 21
	firstUnavailable = 34
	lastUnavailable  = 47
	timerRanOut      = 102
)

// networkFailed reports whether the telephone network gives a failure of its own as the reason.
func networkFailed(reasons string) bool {
	return hasCause(reasons, "Q.850", firstUnavailable, lastUnavailable)
}

// networkEnded is networkFailed for a call that was answered, and includes expired timers; before the
// answer, it may well be the agent that let a timer expire. A side that received no ACK, or whose
// session was not refreshed, uses the status corresponding to that cause (RFC 3398 section 8.2.6.1).
func networkEnded(reasons string) bool {
	return networkFailed(reasons) || hasCause(reasons, "Q.850", timerRanOut, timerRanOut) ||
		hasCause(reasons, "SIP", 408, 408) || hasCause(reasons, "SIP", 504, 504)
}

// hasCause reports whether Reason values contain a cause of a protocol within the given range.
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

// wantedBy returns the headers in which a refusal states what it requires or does not support.
func wantedBy(res *msg.Response) string {
	var text strings.Builder
	for _, name := range []string{"Warning", "Require", "Unsupported", "Min-SE", "Accept"} {
		if h := res.GetHeader(name); h != nil && h.Value() != "" {
			text.WriteString(" (" + name + ": " + clip(h.Value()) + ")")
		}
	}
	return text.String()
}

// refusedFor returns the end reason of a call that the trunk refused because of missing or
// wrong credentials.
func refusedFor(res *msg.Response, what string) call.EndReason {
	return call.EndOf(call.EndUnreachable, fmt.Sprintf("%d %s: the trunk %s", res.StatusCode, clip(res.Reason), what))
}

// leadingDigits returns the digits at the beginning of a text, "" if there are more than nine.
func leadingDigits(text string) string {
	text = strings.TrimSpace(text)
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	if len(digits) > 9 {
		return ""
	}
	return digits
}
