package sip

import (
	"net"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"
	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/internal/call"
)

// deafen makes a connection receive nothing any more, as behind a firewall that has forgotten it.
func (w *wired) deafen() {
	w.t.Helper()
	raw, err := w.Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		w.t.Fatal(err)
	}
	drop := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K}}
	if cerr := raw.Control(func(fd uintptr) {
		err = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &drop[0]})
	}); cerr != nil || err != nil {
		w.t.Skip("this machine filters no connections: ", cerr, err)
	}
}

// TestAConnectionThatLeadsNowhere checks that a dead connection is replaced, so that it does not
// cost all later calls.
func TestAConnectionThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	l := s.line(func(o *Options) {
		o.times = quick()
		o.times.noReply, o.times.patience.Unheard = 500*time.Millisecond, 2*time.Second
	})
	party := &mute{}
	c := placed(t, l, to(patient), party)
	w := s.accept()
	w.reply(w.next(msg.INVITE), (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "")
	w.next(msg.ACK)
	party.hangUp()
	w.reply(w.next(msg.BYE), "", "")
	if a := result(t, c); a.EndReason != (call.EndReason{}) {
		t.Fatalf("end %+v, want no reason", a.EndReason)
	}
	w.deafen()
	came := make(chan net.Conn, 1)
	_ = s.l.(*net.TCPListener).SetDeadline(time.Time{})
	go func() {
		if conn, err := s.l.Accept(); err == nil {
			came <- conn
		}
	}()
	for end := time.Now().Add(patient); time.Now().Before(end); {
		if a := result(t, placed(t, l, to(patient), &mute{})); a.EndReason.Code != call.EndUnreachable {
			t.Fatalf("end %+v, want %s", a.EndReason, call.EndUnreachable)
		}
		select {
		case conn := <-came:
			_ = conn.Close()
			return
		default:
		}
	}
	t.Error("no call took another connection")
}
