package sip_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

func TestSIPIsALine(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]struct {
		transport sip.Transport
		portable  bool
	}{
		"udp": {sip.UDP, false}, "tcp": {sip.TCP, false}, "portable": {sip.UDP, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			linetest.Run(t, func(t testing.TB, a leg.Answerer) linetest.Line {
				return open(t, a, how.transport, how.portable)
			})
		})
	}
}

// open connects a line of ours to a server of ours.
func open(t testing.TB, a leg.Answerer, transport sip.Transport, portable bool) *sip.Line {
	t.Helper()
	server, err := sip.Listen(sip.ServerOptions{Answerer: a, Portable: portable, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	line, err := sip.New(sip.Options{
		Trunks:   []sip.Trunk{{Name: "main", Host: server.Addr().String(), Transport: transport}},
		Portable: portable, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		line.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return line
}
