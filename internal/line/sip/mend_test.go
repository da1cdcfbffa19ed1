package sip

import (
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestSmallMistakesInAnAnswer checks that mistakes with only one possible meaning do not cost a
// call.
func TestSmallMistakesInAnAnswer(t *testing.T) {
	t.Parallel()
	for name, mistake := range map[string][2]string{
		"semicolon at the end of Via":  {"\r\nFrom:", ";\r\nFrom:"},
		"empty parameters of Via":      {"\r\nFrom:", ";rport=;received=\r\nFrom:"},
		"semicolon at the end of From": {"\r\nTo:", ";\r\nTo:"},
		"empty tag":                    {";tag=peer-tag", ";tag="},
		"two semicolons in To":         {";tag=peer-tag", ";;tag=peer-tag;"},
		"twice the same length":        {"Content-Length:", "Content-Length: $LEN\r\nContent-Length:"},
		"twice the same call":          {"Call-ID:", "Call-ID: $CALL\r\nCall-ID:"},
		"blanks in brackets":           {"Contact: <sip:peer@$HERE>", "Contact: < sip:peer@$HERE >"},
		"star for an address":          {"Contact: <sip:peer@$HERE>", "Contact: *"},
		"comma at the end":             {"Contact: <sip:peer@$HERE>", "Contact: <sip:peer@$HERE>,"},
		"second one without brackets":  {"Contact: <sip:peer@$HERE>", "Contact: <sip:peer@$HERE>, sip:peer@192.0.2.1"},
		"name with quotes in it":       {"Contact: <sip:peer@$HERE>", `Contact: "6\" mount, by the door" <sip:peer@$HERE>;x="6\",7"`},
		"second one is no address":     {"Contact: <sip:peer@$HERE>", "Contact: <sip:peer@$HERE>, nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			party := &mute{}
			c := placed(t, lineTo(t, p, nil), to(patient), party)
			invite := p.next(msg.INVITE)
			res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
			res.To().Params.Add("tag", p.tag)
			known := strings.NewReplacer("$HERE", p.conn.LocalAddr().String(), "$CALL", invite.CallID().Value(), "$LEN", res.ContentLength().Value())
			res.AppendHeader(msg.NewHeader("Contact", known.Replace("<sip:peer@$HERE>")))
			text := strings.Replace(res.String(), known.Replace(mistake[0]), known.Replace(mistake[1]), 1)
			if text == res.String() {
				t.Fatalf("no mistake in %s", text)
			}
			p.untilAcked(text, invite.Source())
			p.endedBy(party)
			if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
				t.Error("the call was not answered")
			}
		})
	}
}

// TestAByeWithMistakes checks that a BYE with mistakes counts: its sender has hung up, and must not
// be taken for lost.
func TestAByeWithMistakes(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"no header at all", "Two Words: x", "Route: foo", "Refer-To: x", "Contact: nobody", "Contact: \"<", "Content-Type:",
		"Content-Length: 9", "Content-Length: none",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			_, c, invite := answered(t, p, "0")
			bye := within(invite, "UDP", p.conn.LocalAddr(), p.tag, "BYE", 1, "", line, "Reason: Q.850;cause=16")
			if strings.HasPrefix(line, "Content-Length") {
				bye = strings.Replace(bye, "Content-Length: 0\r\n", "", 1)
			}
			p.write(bye, invite.Source())
			if r := p.response(); r.StatusCode != 200 {
				t.Errorf("the answer is %v, want 200", r)
			}
			if a := result(t, c); a.EndReason.Code != call.EndAgentHungUp || a.EndReason.Detail != "Q.850;cause=16" {
				t.Errorf("end %+v, want %s and Q.850;cause=16", a.EndReason, call.EndAgentHungUp)
			}
		})
	}
}
