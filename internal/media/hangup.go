package media

import (
	"bufio"
	"net"
	"net/http"
	"time"
)

// takePatience is how long a WebSocket client may read nothing of what it is sent.
const takePatience = time.Minute

// ending closes the connections of clients whose WebSocket the server has closed. The proxy waits for the client to close as well;
// a client that does not would keep two connections open indefinitely, and could accumulate any number of them with one token,
// since each one that joins displaces the previous one.
func ending(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(hijacker{w}, r) })
}

type hijacker struct{ http.ResponseWriter }

// Unwrap returns the underlying writer, for http.ResponseController.
func (h hijacker) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Hijack implements http.Hijacker.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return client{conn}, buffered, nil
}

// client is a connection to a client.
type client struct{ net.Conn }

// Write implements net.Conn.
func (c client) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(takePatience)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// CloseWrite is called after the server's last message. It closes the connection after
// partingTime, so that the client can read that message.
func (c client) CloseWrite() error {
	time.AfterFunc(partingTime, func() { _ = c.Close() })
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}
