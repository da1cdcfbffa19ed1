package media

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
)

// knockPatience bounds how long a joining client waits for a room to be opened.
const knockPatience = 5 * time.Second

// listenFront starts a reverse proxy in front of the server. It adds TLS, calls Knock before
// somebody joins and enforces limits; the server does none of these.
func (p *plan) listenFront() (*http.Server, error) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: p.bind.AsSlice(), Port: p.front})
	if err != nil {
		return nil, inUse("--media-port", "TCP", p.front, p.bind, err)
	}
	inner, err := url.Parse("http" + strings.TrimPrefix(p.address, "ws"))
	if err != nil {
		return nil, err
	}
	silent := log.New(io.Discard, "", 0) // broken connections are not worth logging
	server := &http.Server{
		Handler: bounded(p.announced(ending(&httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(inner)
				r.SetXForwarded()
				r.Out.Header.Del("Sec-Websocket-Extensions") // the limits apply to uncompressed messages
			},
			Transport: &http.Transport{DialContext: unhurried, IdleConnTimeout: time.Minute},
			ModifyResponse: func(r *http.Response) error {
				watch(r)
				return comeAgainLater(r)
			},
			ErrorHandler: comeAgain,
			ErrorLog:     silent,
		}))),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute, // of a body; does not apply to WebSockets
		IdleTimeout:       2 * time.Minute,
		ConnState:         (&waiting{}).changed,
		ErrorLog:          silent,
	}
	// Joining upgrades to a WebSocket, which clients do not do over HTTP/2.
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	serve := func() error { return server.Serve(listener) }
	if p.cert != nil {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: p.cert.current}
		serve = func() error { return server.ServeTLS(listener, "", "") }
	}
	go func() { _ = serve() }() // returns when the server is closed
	return server, nil
}

// partingTime is how long a connection stays open after one side has closed it, for the last
// message to be read.
const partingTime = time.Second

// unhurried dials the server and returns a connection with delayed closing. Clients announce that
// they leave and close the connection at once; a busy server then drops what it has not read yet,
// and the remaining participants would learn of the departure only half a minute later.
func unhurried(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return parting{conn}, nil
}

// parting is a connection that closes partingTime after Close is called.
type parting struct{ net.Conn }

// Close implements net.Conn.
func (c parting) Close() error {
	time.AfterFunc(partingTime, func() { _ = c.Conn.Close() })
	return nil
}

// announced calls Knock for everybody who is about to join a room, before passing the request on.
func (p *plan) announced(next http.Handler) http.Handler {
	rooms := newAPI(p.address, p.keys, "media server of this process", "")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if room := p.keys.roomOf(r); room != "" {
			doubtful := !p.seesTo(r.Context(), room)
			if byPost(r) && !rooms.admit(r.Context(), w, room, doubtful) {
				return
			}
			said, over := p.said.drawOn(r.WithContext(context.WithValue(r.Context(), unopened{}, doubtful)), room)
			defer over()
			r = said
		}
		next.ServeHTTP(w, r)
	})
}

// seesTo calls Knock for a room and reports whether it succeeded.
func (p *plan) seesTo(ctx context.Context, room string) bool {
	ctx, cancel := context.WithTimeout(ctx, knockPatience)
	defer cancel()
	return p.knock == nil || p.knock(ctx, room) == nil
}

// byPost reports whether a request joins without a WebSocket (WHIP).
func byPost(r *http.Request) bool {
	return r.URL.Path == "/whip/v1" && r.Method == http.MethodPost
}

// admit rejects a request without a WebSocket that joins a room that does not exist, and reports whether the request may
// proceed. The server would create the room, although it is configured not to: a token could reopen it after the call.
func (a *api) admit(ctx context.Context, w http.ResponseWriter, room string, doubtful bool) bool {
	found, err := a.list(ctx, room)
	switch {
	case err == nil && len(found) > 0:
		return true
	case err != nil || doubtful:
		comeAgain(w, nil, err)
	default:
		http.Error(w, "there is no such room", http.StatusNotFound)
	}
	return false
}

// roomOf returns the room that a request is about to join with a valid token, "" for any other request.
func (k Keys) roomOf(r *http.Request) string {
	if r.URL.Path != "/rtc" && !strings.HasPrefix(r.URL.Path, "/rtc/") && !byPost(r) {
		return ""
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		token = r.URL.Query().Get("access_token")
	}
	said, err := auth.ParseAPIToken(token)
	if err != nil || said.APIKey() != k.Key {
		return ""
	}
	_, grants, err := said.Verify(k.Secret)
	if err != nil || grants.Video == nil || !grants.Video.RoomJoin || !strings.HasPrefix(grants.Video.Room, Prefix) {
		return ""
	}
	return grants.Video.Room
}
