package sip

import "testing"

// TestRequestsBackToBackAreHandledInTheirOrder sends keys without waiting for answers.
func TestRequestsBackToBackAreHandledInTheirOrder(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")
	const keys = "1234567890"
	for n, key := range keys {
		p.send(invite, "INFO", 100+n, "Signal="+string(key)+"\r\n", "Content-Type: application/dtmf-relay")
	}
	for range keys {
		if r := p.response(); r.StatusCode != 200 {
			t.Errorf("INFO %d: %d", r.CSeq().SeqNo, r.StatusCode)
		}
	}
	p.send(invite, "INFO", 99, "Signal=*\r\n", "Content-Type: application/dtmf-relay")
	if r := p.responseTo(99); r.StatusCode != 500 {
		t.Errorf("an old number: %d", r.StatusCode)
	}
	p.send(invite, "INFO", 300, "Signal=#\r\n", "Content-Type: application/dtmf-relay")
	if r := p.responseTo(300); r.StatusCode != 200 {
		t.Errorf("a number far ahead: %d", r.StatusCode)
	}
	party.pass(t)
	p.send(invite, "BYE", 301, "")
	p.responseTo(301)
	if result(t, c); party.keys != keys+"#" {
		t.Errorf("heard the keys %q", party.keys)
	}
}
