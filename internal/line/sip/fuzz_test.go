package sip

import (
	"context"
	"net"
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// FuzzServer sends datagrams to a server and checks that it still works.
func FuzzServer(f *testing.F) {
	s := server(f, func(o *ServerOptions) {
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: leg.RefuseBusy} }
	})
	for _, o := range siptest.Ordeals() {
		f.Add([]byte(siptest.Sound(o.Text, "udp")))
	}
	conn, err := net.Dial("udp4", s.Addr().String())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { conn.Close() })
	p := &sender{conn: conn}
	n := 0
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 60000 {
			return
		}
		p.t = t
		n++
		p.send(string(b))
		id := "alive" + itoa(n) + "x"
		p.send(p.fill(siptest.With("OPTIONS"+siptest.Us, ""), id))
		if code, text := p.answer(id, patient); code != 200 {
			t.Fatalf("afterwards OPTIONS is answered with %d %s", code, text)
		}
		if n := s.Calls(); n > 0 {
			t.Fatalf("%d calls though all are refused", n)
		}
	})
}
