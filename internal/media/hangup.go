package media

import (
	"bufio"
	"net"
	"net/http"
	"time"
)

// takePatience is how long a client of a WebSocket may take nothing of what it is sent.
const takePatience = time.Minute

// ending has the connections end of clients whose WebSocket the server has ended. The proxy waits for the client to
// close as well, and whoever does not would keep two connections here for as long as it likes, and can have any number of them with
// one token: each that joins has the one before it put out.
func ending(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(hijacker{w}, r) })
}

type hijacker struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (h hijacker) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Hijack implements http.Hijacker.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return client{conn}, buffered, nil
}

// client is a connection with a client.
type client struct{ net.Conn }

// Write implements net.Conn.
func (c client) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(takePatience)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// CloseWrite is called when the server has said its last word: time is left to hear it.
func (c client) CloseWrite() error {
	time.AfterFunc(partingTime, func() { _ = c.Close() })
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}
