package mediatest

import (
	"bytes"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Network is somebody's way to a media server, for its words and for its sound. It
// can go away all at once, as a network does, and come back.
type Network struct {
	server string // host:port
	signal net.Listener
	sound  *net.UDPConn
	place  atomic.Pointer[netip.AddrPort] // where the server's sound is, once it has said so
	away   atomic.Bool

	mu   sync.Mutex
	ways map[netip.AddrPort]*net.UDPConn
}

// NewNetwork lays a way to the server at an address (ws://host:port). It is gone with the test.
func NewNetwork(t *testing.T, server string) *Network {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // it is over with the test
	if err != nil {
		t.Fatal(err)
	}
	u, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{server: strings.TrimPrefix(server, "ws://"), signal: l, sound: u, ways: map[netip.AddrPort]*net.UDPConn{}}
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

// URL is the server's address by way of the network.
func (n *Network) URL() string { return "ws://" + n.signal.Addr().String() }

// Away says whether everything that is sent vanishes.
func (n *Network) Away(away bool) { n.away.Store(away) }

func (n *Network) carryWords() {
	for {
		near, err := n.signal.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", n.server) //nolint:noctx // on this machine
		if err != nil {
			_ = near.Close()
			continue
		}
		go n.pass(far, near, func(b []byte) []byte { return b })
		go n.pass(near, far, n.readdress)
	}
}

// pass carries bytes for as long as the network is there; meanwhile they vanish, and
// with them the connection, in whose middle something is missing.
func (n *Network) pass(to, from net.Conn, change func([]byte) []byte) {
	defer to.Close()
	b := make([]byte, 1<<16)
	torn := false
	for {
		k, err := from.Read(b)
		if err != nil {
			return
		}
		switch torn = torn || n.away.Load(); {
		case !torn:
			_, _ = to.Write(change(b[:k]))
		case !n.away.Load():
			_ = from.Close()
			return
		}
	}
}

// readdress leads the sound through us: what the server says of where it is becomes
// where we are. Both ports have as many digits, so that nothing else moves.
func (n *Network) readdress(b []byte) []byte {
	places := regexp.MustCompile(`127\.0\.0\.1 (\d{5}) typ`)
	found := places.FindSubmatch(b)
	if found == nil {
		return b
	}
	port, _ := strconv.Atoi(string(found[1]))
	there := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))
	n.place.Store(&there)
	ours := strconv.Itoa(n.sound.LocalAddr().(*net.UDPAddr).Port) //nolint:forcetypeassert // it is UDP
	return bytes.ReplaceAll(b, found[0], []byte("127.0.0.1 "+ours+" typ"))
}

func (n *Network) carrySound() {
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

// wayOf is the socket through which the server sees one of ours.
func (n *Network) wayOf(from netip.AddrPort) *net.UDPConn {
	n.mu.Lock()
	defer n.mu.Unlock()
	there := n.place.Load()
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
