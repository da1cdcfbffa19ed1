package media

import (
	"encoding/binary"
	"errors"
	"io"
	"net/http"
)

const (
	// mostAtOnce bounds (bytes) what the server is handed at once: it takes in whole whatever it is sent, and
	// bodies of requests before it looks who sends them. The longest word of an honest client is a description of
	// its sound, of some ten thousand bytes.
	mostAtOnce = 1 << 20

	tooLargeText = "the media server takes no more than 1 MiB at once"
)

var errTooLong = errors.New("too much is said to the media server")

// bounded turns bodies away that are too large.
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

// watch has the messages watched of a client whose connection is about to be a WebSocket.
func watch(r *http.Response) {
	if conn, ok := r.Body.(io.ReadWriteCloser); ok && r.StatusCode == http.StatusSwitchingProtocols {
		said, _ := r.Request.Context().Value(allowed{}).(*allowance)
		r.Body = &frames{ReadWriteCloser: conn, said: said}
	}
}

// frames is a connection to the server over which a client sends WebSocket messages
// (RFC 6455 section 5.2). It breaks at one that is too long, or beyond what its room may say, before that is gathered.
type frames struct {
	io.ReadWriteCloser

	said    *allowance
	head    [14]byte // of the present frame, as far as it has come
	n       int
	left    uint64 // of its payload
	message uint64 // how long the message is by now
}

// Write implements io.Writer.
func (f *frames) Write(b []byte) (int, error) {
	if !f.pass(b) {
		return 0, errTooLong
	}
	return f.ReadWriteCloser.Write(b)
}

// pass follows what passes; false when it is too much.
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

// headOf is how long the head of a frame is by its second byte: more length, and the mask, may follow.
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

// begin begins the payload of the frame whose head is there.
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
	if f.head[0]&control != 0 { // it stands between those of a message
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
