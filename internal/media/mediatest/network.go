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

// Network is somebody's way to a media server, for its words and for its sound. It
// can go away all at once, as a network does, and come back. There is no other way:
// neither side learns where the other really is.
type Network struct {
	server string // host:port
	signal *httptest.Server
	sound  *net.UDPConn
	place  atomic.Pointer[netip.AddrPort] // where the server's sound is, once it has said so
	away   atomic.Bool
	lossy  atomic.Int64 // see Lossy

	mu   sync.Mutex
	ways map[netip.AddrPort]*net.UDPConn
}

// NewNetwork lays a way to the server at an address (ws://host:port). It is gone with the test.
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

// URL is the server's address by way of the network.
func (n *Network) URL() string { return "ws" + strings.TrimPrefix(n.signal.URL, "http") }

// Away says whether everything that is sent vanishes.
func (n *Network) Away(away bool) { n.away.Store(away) }

// Lossy has every nth packet get lost that the server sends, 0 none.
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

// vanish holds a request until the network is back, and then breaks it off.
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

// passSigns has the other side answer whether it lives.
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

// pass carries messages for as long as the network is there; meanwhile they vanish,
// and with them the connection, in whose middle something is missing.
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

// hide leads the server nowhere that looks for whoever is here by itself: it would
// find a way around us. Every port becomes 9, in as many digits, so that nothing moves.
func hide(b []byte) []byte {
	return port.ReplaceAllFunc(b, func(place []byte) []byte {
		return fmt.Appendf(nil, " %0*d typ", len(place)-len("  typ"), 9)
	})
}

var place = regexp.MustCompile(`127\.0\.0\.1 (\d{5}) typ`)

// readdress leads the sound through us: what the server says of where it is becomes
// where we are. Both ports have as many digits, so that nothing else moves.
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
