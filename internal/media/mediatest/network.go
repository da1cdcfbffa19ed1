package mediatest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// Network is a network path to a media server, for signalling and media. It can be interrupted as a whole,
// as a network can, and restored. There is no other path: neither side learns the other's real address.
type Network struct {
	server string // host:port
	signal *httptest.Server
	sound  *net.UDPConn
	place  atomic.Pointer[netip.AddrPort] // the server's media address, once it has announced it
	away   atomic.Bool
	lossy  atomic.Int64 // see Lossy

	mu   sync.Mutex
	ways map[netip.AddrPort]*net.UDPConn
}

// NewNetwork returns a path to the server at an address (ws://host:port). It is removed at the
// end of the test.
func NewNetwork(t *testing.T, server string) *Network {
	t.Helper()
	u, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{server: strings.TrimPrefix(server, "ws://"), sound: u, ways: map[netip.AddrPort]*net.UDPConn{}}
	n.signal = httptest.NewServer(n.carryWords())
	t.Cleanup(func() {
		n.signal.CloseClientConnections()
		_ = u.Close()
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, way := range n.ways {
			_ = way.Close()
		}
	})
	go n.carrySound()
	return n
}

// URL returns the server's address through the network.
func (n *Network) URL() string { return "ws" + strings.TrimPrefix(n.signal.URL, "http") }

// Away sets whether everything sent is lost.
func (n *Network) Away(away bool) { n.away.Store(away) }

// Lossy makes every nth packet sent by the server get lost; 0 means none.
func (n *Network) Lossy(nth int64) { n.lossy.Store(nth) }

func (n *Network) carryWords() http.Handler {
	plain := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: n.server})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case n.away.Load():
			n.vanish(r.Context())
		case websocket.IsWebSocketUpgrade(r):
			n.carryMessages(w, r)
		default:
			plain.ServeHTTP(w, r)
		}
	})
}

// vanish holds a request until the network is restored, and then breaks it off.
func (n *Network) vanish(ctx context.Context) {
	for n.away.Load() && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
	}
	panic(http.ErrAbortHandler)
}

func (n *Network) carryMessages(w http.ResponseWriter, r *http.Request) {
	asked := http.Header{}
	for _, name := range []string{"Authorization", "User-Agent"} {
		asked[name] = r.Header.Values(name)
	}
	far, answer, err := websocket.DefaultDialer.DialContext(r.Context(), "ws://"+n.server+r.URL.RequestURI(), asked)
	if err != nil {
		code := http.StatusBadGateway
		if answer != nil {
			code = answer.StatusCode
		}
		w.WriteHeader(code)
		return
	}
	defer far.Close()
	anywhere := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	near, err := anywhere.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer near.Close()
	n.passSigns(far, near)
	n.passSigns(near, far)
	go n.pass(far, near, hide)
	n.pass(near, far, n.readdress)
}

// passSigns forwards keepalives, so that the other side answers them.
func (n *Network) passSigns(to, from *websocket.Conn) {
	pass := func(kind int) func(string) error {
		return func(text string) error {
			if !n.away.Load() {
				_ = to.WriteControl(kind, []byte(text), time.Now().Add(time.Second))
			}
			return nil
		}
	}
	from.SetPingHandler(pass(websocket.PingMessage))
	from.SetPongHandler(pass(websocket.PongMessage))
}

// pass forwards messages while the network is up. During an interruption they are lost, and
// with them the connection, since messages are missing in the middle of it.
func (n *Network) pass(to, from *websocket.Conn, change func([]byte) []byte) {
	defer to.Close()
	torn := false
	for {
		kind, b, err := from.ReadMessage()
		if err != nil {
			return
		}
		switch torn = torn || n.away.Load(); {
		case !torn:
			_ = to.WriteMessage(kind, change(b))
		case !n.away.Load():
			_ = from.Close()
			return
		}
	}
}

var port = regexp.MustCompile(` (\d{1,5}) typ`)

// hide replaces the ports of a participant's addresses so that the server cannot bypass
// the network. Every port becomes 9, with the same number of digits, so that offsets do not change.
func hide(b []byte) []byte {
	return port.ReplaceAllFunc(b, func(place []byte) []byte {
		return fmt.Appendf(nil, " %0*d typ", len(place)-len("  typ"), 9)
	})
}

var place = regexp.MustCompile(`127\.0\.0\.1 (\d{5}) typ`)

// readdress directs media through the network: the server's announced address is replaced by
// ours. Both ports have the same number of digits, so that offsets do not change.
func (n *Network) readdress(b []byte) []byte {
	found := place.FindSubmatch(b)
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

// wayOf returns the socket through which the server sees one of our sockets.
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
		for came := int64(1); ; came++ {
			k, err := way.Read(b)
			if err != nil {
				return
			}
			nth := n.lossy.Load()
			if lost := nth > 0 && came%nth == 0; !lost && !n.away.Load() {
				_, _ = n.sound.WriteToUDPAddrPort(b[:k], from)
			}
		}
	}()
	return way
}
