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

// knockPatience bounds how long somebody who joins waits for a room to be opened.
const knockPatience = 5 * time.Second

// listenFront stands before the server, which knows neither TLS nor who is about to
// come, and passes everything on.
func (p *plan) listenFront() (*http.Server, error) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: p.bind.AsSlice(), Port: p.front})
	if err != nil {
		return nil, inUse("--media-port", "TCP", p.front, p.bind, err)
	}
	inner, err := url.Parse("http" + strings.TrimPrefix(p.address, "ws"))
	if err != nil {
		return nil, err
	}
	silent := log.New(io.Discard, "", 0) // what it says of broken connections is of no use here
	server := &http.Server{
		Handler: bounded(p.announced(ending(&httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(inner)
				r.SetXForwarded()
				r.Out.Header.Del("Sec-Websocket-Extensions") // what is packed may be of any size
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
		ReadTimeout:       time.Minute, // of a body; a WebSocket is none
		IdleTimeout:       2 * time.Minute,
		ConnState:         (&waiting{}).changed,
		ErrorLog:          silent,
	}
	// Joining is an upgrade to a web socket, for which HTTP/2 has no way that clients know.
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	serve := func() error { return server.Serve(listener) }
	if p.cert != nil {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: p.cert.current}
		serve = func() error { return server.ServeTLS(listener, "", "") }
	}
	go func() { _ = serve() }() // it ends when it is closed
	return server, nil
}

// partingTime is for how long a connection to the server stays open that a client has closed.
const partingTime = time.Second

// unhurried connects to the server such that a last word is heard: clients say that they leave
// and close the connection at once, and the server, when it is busy, drops what it has
// not looked at by then. Those who are left would learn of it half a minute later.
func unhurried(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return parting{conn}, nil
}

// parting is a connection that is closed a while after it was asked to.
type parting struct{ net.Conn }

// Close implements net.Conn.
func (c parting) Close() error {
	time.AfterFunc(partingTime, func() { _ = c.Conn.Close() })
	return nil
}

// announced tells of everybody who is about to join a room before the server hears of it.
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

// seesTo has a room opened that somebody is about to join, if it is to be; false when that is not certain.
func (p *plan) seesTo(ctx context.Context, room string) bool {
	ctx, cancel := context.WithTimeout(ctx, knockPatience)
	defer cancel()
	return p.knock == nil || p.knock(ctx, room) == nil
}

// byPost says that somebody is about to join by a single request (WHIP).
func byPost(r *http.Request) bool {
	return r.URL.Path == "/whip/v1" && r.Method == http.MethodPost
}

// admit turns away whoever is about to join by a single request a room that is not there; false when it has. The server
// would make the room, though it is told to make none: a token would go on opening it when the call is over.
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

// roomOf is the room that a request is about to join with a token of ours, "" for any other request.
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
