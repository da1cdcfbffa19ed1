package room_test

import (
	"bytes"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/livekit/server-sdk-go/v2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

// network is an agent's way to the media server, for its words and for its sound. It
// can go away all at once, as a network does.
type network struct {
	t      *testing.T
	signal net.Listener
	sound  *net.UDPConn
	server atomic.Pointer[netip.AddrPort] // where the server's sound is, once it has said so
	away   atomic.Bool

	mu   sync.Mutex
	ways map[netip.AddrPort]*net.UDPConn
}

func newNetwork(t *testing.T) *network {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // it is over with the test
	if err != nil {
		t.Fatal(err)
	}
	u, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	n := &network{t: t, signal: l, sound: u, ways: map[netip.AddrPort]*net.UDPConn{}}
	t.Cleanup(func() {
		_ = l.Close()
		_ = u.Close()
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, way := range n.ways {
			_ = way.Close()
		}
	})
	go n.carryWords()
	go n.carrySound()
	return n
}

func (n *network) url() string { return "ws://" + n.signal.Addr().String() }

func (n *network) carryWords() {
	for {
		near, err := n.signal.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", strings.TrimPrefix(server.Address(), "ws://")) //nolint:noctx // on this machine
		if err != nil {
			_ = near.Close()
			continue
		}
		go n.pass(far, near, func(b []byte) []byte { return b })
		go n.pass(near, far, n.readdress)
	}
}

// pass carries bytes for as long as the network is there; then they vanish.
func (n *network) pass(to, from net.Conn, change func([]byte) []byte) {
	b := make([]byte, 1<<16)
	for {
		k, err := from.Read(b)
		if err != nil {
			_ = to.Close()
			return
		}
		if !n.away.Load() {
			_, _ = to.Write(change(b[:k]))
		}
	}
}

// readdress leads the sound through us: what the server says of where it is becomes
// where we are. Both ports have as many digits, so that nothing else moves.
func (n *network) readdress(b []byte) []byte {
	places := regexp.MustCompile(`127\.0\.0\.1 (\d{5}) typ`)
	found := places.FindSubmatch(b)
	if found == nil {
		return b
	}
	port, _ := strconv.Atoi(string(found[1]))
	there := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))
	n.server.Store(&there)
	ours := strconv.Itoa(n.sound.LocalAddr().(*net.UDPAddr).Port) //nolint:forcetypeassert // it is UDP
	return bytes.ReplaceAll(b, found[0], []byte("127.0.0.1 "+ours+" typ"))
}

func (n *network) carrySound() {
	b := make([]byte, 1<<16)
	for {
		k, from, err := n.sound.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if way := n.wayOf(from); way != nil && !n.away.Load() {
			_, _ = way.Write(b[:k])
		}
	}
}

// wayOf is the socket through which the server sees one of the agent's.
func (n *network) wayOf(from netip.AddrPort) *net.UDPConn {
	n.mu.Lock()
	defer n.mu.Unlock()
	there := n.server.Load()
	if way := n.ways[from]; way != nil || there == nil {
		return way
	}
	way, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(*there))
	if err != nil {
		return nil
	}
	n.ways[from] = way
	go func() {
		b := make([]byte, 1<<16)
		for {
			k, err := way.Read(b)
			if err != nil {
				return
			}
			if !n.away.Load() {
				_, _ = n.sound.WriteToUDPAddrPort(b[:k], from)
			}
		}
	}()
	return way
}

// An agent that vanishes says nothing, and the media server misses it after twenty
// seconds. The line ends the call as one that was cut off, which blames nobody, and its
// leaving stands on the timeline.
func TestAgentVanishes(t *testing.T) {
	t.Parallel()
	for name, vanish := range map[string]func(t *testing.T, token string) func(){
		"killed": func(t *testing.T, token string) func() {
			c := process(t, token)
			return func() { _ = c.Process.Kill() }
		},
		"frozen": func(t *testing.T, token string) func() {
			c := process(t, token)
			return func() { _ = c.Process.Signal(syscall.SIGSTOP) }
		},
		"cut off": func(t *testing.T, token string) func() {
			n := newNetwork(t)
			r, err := lksdk.ConnectToRoomWithToken(n.url(), token, nil, lksdk.WithDisableRegionDiscovery())
			if err != nil {
				t.Error("the agent could not join")
				return func() {}
			}
			t.Cleanup(r.Disconnect)
			(&guest{t: t, room: r}).speaks(440, false)
			return func() { n.away.Store(true) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var gone time.Time
			a, tape := meet(t, "call_vanished_"+strings.ReplaceAll(name, " ", "_"), room.Options{Rejoin: time.Second}, leg.Dial{}, func(s *scene) {
				cut := vanish(t, s.token)
				s.talks(50)
				gone = time.Now()
				cut()
			})
			t.Logf("%s: ended %s (%s) %v after the agent was gone; %v", name, a.EndReason.Code, a.EndReason.Detail, a.EndedAt.Sub(gone), a.Timeline)
			if a.EndReason.Code != call.EndMediaLost || a.EndReason.Blame != call.BlameLine {
				t.Errorf("the call ended %+v", a.EndReason)
			}
			if over := a.EndedAt.Sub(gone); over < 10*time.Second || over > 30*time.Second {
				t.Errorf("it ended %v after the agent was gone", over)
			}
			if count(a, call.KindAgentLeft) != 1 {
				t.Errorf("the timeline has %v", a.Timeline)
			}
			if count(a, call.KindUnreachable) != 1 || count(a, call.KindReachable) != 0 {
				t.Errorf("of its having vanished the timeline has %v", a.Timeline)
			}
			if s := loud(tape, leg.AgentChannel); s < 0.5 || s > 3 {
				t.Errorf("%.1f s of the agent are on the recording", s)
			}
		})
	}
}

// A caller may hang up on an agent that has vanished before the server misses it: that is no
// silence of the agent's. One that has nothing to say and sends nothing is as well as ever.
func TestCallerHangsUpOnSilence(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		falls       func(s *scene) (silent func())
		code        call.EndCode
		unreachable int
	}{
		"of an agent that vanished": {func(s *scene) func() {
			c := process(s.t, s.token)
			return func() { _ = c.Process.Signal(syscall.SIGSTOP) }
		}, call.EndMediaLost, 1},
		"of one that says nothing": {func(s *scene) func() {
			m := comes(s.t, s.token).speaks(440, false)
			return func() { m.quiet.Store(true) }
		}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := meet(t, "call_silent_"+strconv.Itoa(tt.unreachable), room.Options{}, leg.Dial{}, func(s *scene) {
				s.t = t
				silent := tt.falls(s)
				s.talks(50)
				silent()
				pause(17 * time.Second) // the server looks every five, and misses people after twenty
				s.hangsUp()
			})
			if a.EndReason.Code != tt.code || count(a, call.KindUnreachable) != tt.unreachable {
				t.Errorf("the call ended %+v, the timeline has %v", a.EndReason, a.Timeline)
			}
		})
	}
}
