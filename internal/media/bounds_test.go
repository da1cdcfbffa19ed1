package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// fronted puts the front before a server that reads whatever it is sent, and returns the front's
// address.
func fronted(t *testing.T) string {
	t.Helper()
	return frontOf(t, func(w http.ResponseWriter, r *http.Request) {
		if !websocket.IsWebSocketUpgrade(r) {
			_, _ = io.Copy(io.Discard, r.Body)
			return
		}
		conn, err := (&websocket.Upgrader{EnableCompression: true}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for {
			kind, b, err := conn.ReadMessage()
			if err != nil || conn.WriteMessage(kind, b[:min(len(b), 9)]) != nil {
				return
			}
		}
	})
}

// frontOf puts the front before a server and returns the front's address.
func frontOf(t *testing.T, server http.HandlerFunc) string {
	t.Helper()
	inner := httptest.NewServer(server)
	t.Cleanup(inner.Close)
	p := &plan{bind: netip.MustParseAddr("127.0.0.1"), knock: func(context.Context, string) error { return nil }, keys: frontKeys, said: &allowances{}}
	if err := errors.Join(p.choosePorts(0, 0), p.settle()); err != nil {
		t.Fatal(err)
	}
	p.address = "ws" + strings.TrimPrefix(inner.URL, "http")
	front, err := p.listenFront()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = front.Close() })
	return p.url
}

// frontKeys are the keys by which the front in these tests recognises who joins which room.
var frontKeys = Keys{Key: "key", Secret: strings.Repeat("s", 32)}

// TestWhatIsSaidInARoomIsBounded checks that the limit covers all connections of a room's agents,
// since each could be one more of the same agent, and that other rooms are not affected.
func TestWhatIsSaidInARoomIsBounded(t *testing.T) {
	t.Parallel()
	url := fronted(t)
	heard := func(room string) (n int) {
		t.Helper()
		token, err := (&Server{keys: frontKeys}).AgentToken(room, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		conn, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url+"/rtc?access_token="+token, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		defer conn.Close()
		for ; n < 100; n++ {
			if say(conn, saidAtOnce/4, 1) != nil {
				break
			}
			if _, _, err := conn.ReadMessage(); err != nil {
				break
			}
		}
		return n
	}
	if n := heard(Prefix + "one"); n != 4 {
		t.Errorf("%d messages of a quarter of what may be said are heard, want 4", n)
	}
	if n := heard(Prefix + "one"); n > 0 {
		t.Errorf("%d more are heard over another connection", n)
	}
	if n := heard(Prefix + "two"); n != 4 {
		t.Errorf("%d are heard in another room, want 4", n)
	}
}

// TestAnAllowanceIsForgotten checks that an allowance is forgotten once it is full, so that rooms
// leave nothing behind, but not while it is in use.
func TestAnAllowanceIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var all allowances
		r := httptest.NewRequest(http.MethodGet, "/rtc", nil)
		drawn := func(r *http.Request) *allowance { return r.Context().Value(allowed{}).(*allowance) }
		first, over := all.drawOn(r, "one")
		second, overToo := all.drawOn(r, "one")
		if drawn(first) != drawn(second) {
			t.Error("two connections to a room have an allowance each")
		}
		if l := drawn(first); !l.take(saidAtOnce) || l.take(saidPerSecond) {
			t.Error("more may be said at once, or less")
		}
		time.Sleep(time.Second)
		if l := drawn(second); !l.take(saidPerSecond) || l.take(saidPerSecond) {
			t.Error("more may be said a second later, or less")
		}
		over()
		overToo()
		_, overThen := all.drawOn(r, "two")
		overThen()
		if len(all.rooms) != 2 {
			t.Errorf("of %d rooms it is known what they have said, want 2", len(all.rooms))
		}
		time.Sleep(time.Hour)
		third, overLast := all.drawOn(r, "three")
		defer overLast()
		if len(all.rooms) != 1 || !drawn(third).take(saidAtOnce) {
			t.Errorf("%d rooms are remembered, want 1", len(all.rooms))
		}
	})
}

// TestBodiesAreBounded checks bodies with and without a declared length.
func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	url := "http" + strings.TrimPrefix(fronted(t), "ws")
	for name, c := range map[string]struct {
		body io.Reader
		want int
	}{
		"as much as may be": {bytes.NewReader(make([]byte, mostAtOnce)), http.StatusOK},
		"more":              {bytes.NewReader(make([]byte, mostAtOnce+1)), http.StatusRequestEntityTooLarge},
		"more, unannounced": {io.MultiReader(bytes.NewReader(make([]byte, 3*mostAtOnce))), http.StatusRequestEntityTooLarge},
		"nothing":           {nil, http.StatusOK},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, c.body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %d, want %d", name, answer.StatusCode, c.want)
		}
	}
}

// TestMessagesAreBounded checks messages in one frame, in many, and compressed.
func TestMessagesAreBounded(t *testing.T) {
	t.Parallel()
	url := fronted(t)
	for name, c := range map[string]struct {
		messages, size int
		fragments      int
		heard          bool
	}{
		"many":                  {messages: 5, size: mostAtOnce / 2, heard: true},
		"as long as may be":     {messages: 1, size: mostAtOnce, heard: true},
		"longer":                {messages: 1, size: mostAtOnce + 1},
		"longer, in many parts": {messages: 1, size: mostAtOnce + 1, fragments: 9},
		"many parts":            {messages: 3, size: mostAtOnce - 1, fragments: 9, heard: true},
	} {
		conn, answer, err := (&websocket.Dialer{EnableCompression: true}).DialContext(t.Context(), url+"/rtc", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if packed := answer.Header.Get("Sec-Websocket-Extensions"); packed != "" {
			t.Errorf("%s: messages may be packed: %s", name, packed)
		}
		heard := 0
		for range c.messages {
			if say(conn, c.size, c.fragments+1) != nil {
				break
			}
			if _, _, err := conn.ReadMessage(); err != nil {
				break
			}
			heard++
		}
		_ = conn.Close()
		if (heard == c.messages) != c.heard {
			t.Errorf("%s: %d of %d are heard, want all: %v", name, heard, c.messages, c.heard)
		}
	}
}

// TestConnectionsAreBounded checks connections that have not joined a room: the newest are kept,
// and so are those that have joined.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	url := fronted(t)
	joined, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url+"/rtc", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer joined.Close()
	var crowd []net.Conn
	for n := range mostWaiting + 50 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "ws://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if n%4 > 0 { // these begin a request and never end it
			_, _ = io.WriteString(conn, "GET /rtc HTTP/1.1\r\n")
		}
		crowd = append(crowd, conn)
	}
	late, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url+"/rtc", nil)
	if err != nil {
		t.Fatalf("who comes last is not let in: %v", err)
	}
	_ = answer.Body.Close()
	defer late.Close()
	for who, conn := range map[string]*websocket.Conn{"joined before": joined, "came last": late} {
		if err := say(conn, 5, 1); err != nil {
			t.Errorf("who %s is not heard: %v", who, err)
		} else if _, _, err := conn.ReadMessage(); err != nil {
			t.Errorf("who %s is out: %v", who, err)
		}
	}
	closed := 0
	for limit := time.Now().Add(10 * time.Second); closed < 50 && time.Now().Before(limit); {
		closed = 0
		for _, conn := range crowd {
			_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := conn.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				closed++
			}
		}
	}
	if closed < 50 || closed > 51 { // the newest may have been among them for a moment
		t.Errorf("%d connections are closed, want the 50 that were too many", closed)
	}
}

// TestWhoIsPutOutIsOut checks that a participant that is removed is disconnected although it does
// not close its connection: otherwise it could have any number of connections with one token, as
// each one that joins removes the one before.
func TestWhoIsPutOutIsOut(t *testing.T) {
	t.Parallel()
	out := make(chan struct{})
	url := frontOf(t, func(w http.ResponseWriter, r *http.Request) {
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.WriteMessage(websocket.TextMessage, []byte("good-bye"))
		_ = conn.NetConn().(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn.NetConn()) // until the front ends it in turn
		close(out)
	})
	conn, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url+"/rtc", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer conn.Close()
	if _, word, err := conn.ReadMessage(); err != nil || string(word) != "good-bye" {
		t.Errorf("the last word is %q, %v", word, err)
	}
	select {
	case <-out:
	case <-time.After(20 * time.Second):
		t.Error("the connection stays for as long as the client likes")
	}
}

// TestWhoTakesNothingIsOut checks that a participant that reads nothing is disconnected, because
// what is sent to it would pile up here.
func TestWhoTakesNothingIsOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf, ours := net.Pipe()
		defer deaf.Close()
		begun := time.Now()
		if _, err := (client{ours}).Write([]byte("who is there?")); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) != takePatience {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// say sends a message of so many bytes in so many parts.
func say(conn *websocket.Conn, size, parts int) error {
	w, err := conn.NextWriter(websocket.BinaryMessage)
	if err != nil {
		return err
	}
	for range parts - 1 { // more than the writer collects
		if _, err := w.Write(make([]byte, size/parts)); err != nil {
			return err
		}
	}
	if _, err := w.Write(make([]byte, size-size/parts*(parts-1))); err != nil {
		return err
	}
	return w.Close()
}

// FuzzFrames feeds arbitrary bytes: the result must not depend on how they are cut into pieces.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{0x82, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x89, 0}, 3)
	f.Add([]byte{0x02, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 1)
	f.Add([]byte{0x02, 0x7e, 0xff, 0xff, 0x80, 0x7f, 0, 0, 0, 0, 0, 0x10, 0, 0}, 5)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		var whole, parts frames
		at = max(0, min(at, len(b)))
		if one, two := whole.pass(b), parts.pass(b[:at]) && parts.pass(b[at:]); one != two || one && whole != parts {
			t.Errorf("at once %v, in parts %v", one, two)
		}
	})
}
