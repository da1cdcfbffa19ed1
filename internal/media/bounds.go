package media

import (
	"encoding/binary"
	"errors"
	"io"
	"net/http"
)

const (
	// mostAtOnce limits a single message or request body, in bytes. The server reads either completely, bodies even before it
	// authenticates the client. The longest message of an agent is a session description of one or two KiB.
	mostAtOnce = 1 << 20

	tooLargeText = "the media server accepts at most 1 MiB at once"
)

var errTooLong = errors.New("the message to the media server is too long")

// bounded rejects requests with too large a body.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > mostAtOnce {
			http.Error(w, tooLargeText, http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostAtOnce)
		next.ServeHTTP(w, r)
	})
}

// watch wraps the connection of a response that switches to WebSocket, so that the client's
// messages are checked.
func watch(r *http.Response) {
	if conn, ok := r.Body.(io.ReadWriteCloser); ok && r.StatusCode == http.StatusSwitchingProtocols {
		said, _ := r.Request.Context().Value(allowed{}).(*allowance)
		r.Body = &frames{ReadWriteCloser: conn, said: said}
	}
}

// frames is a connection to the server on which a client sends WebSocket messages (RFC 6455 section 5.2). A write
// fails as soon as it begins a message that is too long or exceeds the room's allowance, before the server buffers it.
type frames struct {
	io.ReadWriteCloser

	said    *allowance
	head    [14]byte // of the current frame, as far as received
	n       int
	left    uint64 // payload bytes left in the frame
	message uint64 // payload bytes of the message so far
}

// Write implements io.Writer.
func (f *frames) Write(b []byte) (int, error) {
	if !f.pass(b) {
		return 0, errTooLong
	}
	return f.ReadWriteCloser.Write(b)
}

// pass parses b and reports whether it is within the limits.
func (f *frames) pass(b []byte) bool {
	for len(b) > 0 {
		if f.left > 0 {
			n := min(f.left, uint64(len(b)))
			f.left, b = f.left-n, b[n:]
			continue
		}
		f.head[f.n], b = b[0], b[1:]
		if f.n++; f.n >= 2 && f.n == headOf(f.head[1]) && !f.begin() {
			return false
		}
	}
	return true
}

// headOf returns the length of a frame header, given its second byte: an extended length and a mask may follow.
func headOf(second byte) int {
	n := 2
	switch second & 0x7f {
	case 126:
		n += 2
	case 127:
		n += 8
	}
	if second&0x80 != 0 {
		n += 4
	}
	return n
}

// begin processes a complete frame header. It returns false if the frame exceeds a limit.
func (f *frames) begin() bool {
	const last, control = 0x80, 0x08
	f.n, f.left = 0, uint64(f.head[1]&0x7f)
	switch f.left {
	case 126:
		f.left = uint64(binary.BigEndian.Uint16(f.head[2:]))
	case 127:
		f.left = binary.BigEndian.Uint64(f.head[2:])
	}
	if !f.said.take(f.left) {
		return false
	}
	if f.head[0]&control != 0 { // control frames may occur between those of a message
		return f.left <= mostAtOnce
	}
	if f.left > mostAtOnce-f.message {
		return false
	}
	f.message += f.left
	if f.head[0]&last != 0 {
		f.message = 0
	}
	return true
}
