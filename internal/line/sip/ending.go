package sip

import (
	"fmt"
	"strings"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// refusedWith is the end reason of a call that was answered with a final
// response other than 2xx. The detail keeps the far end's own words.
func refusedWith(res *msg.Response) call.EndReason {
	detail := fmt.Sprintf("%d %s", res.StatusCode, clip(res.Reason))
	if h := res.GetHeader("Reason"); h != nil {
		detail += " (" + clip(h.Value()) + ")"
	}
	detail += wantedBy(res)
	if h := res.GetHeader("Retry-After"); h != nil {
		if seconds := leadingDigits(h.Value()); seconds != "" {
			detail += " (try again after " + seconds + " s)"
		}
	}
	switch res.StatusCode {
	case 486, 600:
		return call.EndOf(call.EndBusy, detail)
	case 603, 607, 608, 403:
		return call.EndOf(call.EndDeclined, detail)
	case 408, 480, 487:
		return call.EndOf(call.EndNoAnswer, detail)
	case 415, 488, 606:
		return call.EndOf(call.EndCodecMismatch, detail)
	case 401, 407:
		return refusedFor(res, "does not accept user and password")
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		if c := contactIn(res.GetHeaders("Contact")); c != nil {
			detail += " to " + clip(c.String())
		}
		return call.EndOf(call.EndUnreachable, detail+" (redirects are not followed)")
	}
	return call.EndOf(call.EndUnreachable, detail)
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

// leadingDigits are the figures that a text begins with, at most nine.
func leadingDigits(text string) string {
	text = strings.TrimSpace(text)
	n := 0
	for n < len(text) && n < 9 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n]
}
