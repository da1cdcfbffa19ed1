package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// conversation is a TCP connection behind the screen: sipgo reads whole messages in plain form from it. If
// the end of a message is uncertain the connection is closed, since what follows cannot be interpreted.
type conversation struct {
	net.Conn
	patience   Patience
	porter     *porter
	from       netip.AddrPort
	registered chan struct{}
	once       sync.Once
	released   func()
	closed     chan struct{}
	turn       chan struct{} // held by the writer: one at a time, in order of arrival

	raw []byte // received and not yet a complete message
	// searched is how much of raw contains no end of a head, size the length of the message, 0 if unknown.
	searched, size int
	ready          []byte // not yet read by sipgo of the last message
	since          time.Time
	chunk          [4096]byte
	asked          bool // the last message read by sipgo is a request
}

// lastRequest is how long the end of a connection is hidden after a request: sipgo handles the request on a
// goroutine of its own, and drops it if the connection is gone. A far end may hang up by a BYE and close at once.
const lastRequest = 100 * time.Millisecond

func newConversation(conn net.Conn, p Patience, at *porter, released func()) *conversation {
	v := &conversation{Conn: conn, patience: p, porter: at, registered: make(chan struct{}), released: released, closed: make(chan struct{}), turn: make(chan struct{}, 1)}
	if a, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		v.from = a.AddrPort()
	}
	return v
}

// Close implements net.Conn.
func (v *conversation) Close() error {
	v.once.Do(func() {
		close(v.closed)
		v.released()
	})
	return v.Conn.Close()
}

// linger delays the end of the connection as described at lastRequest, unless we have closed it ourselves.
func (v *conversation) linger() {
	t := time.NewTimer(lastRequest)
	defer t.Stop()
	select {
	case <-t.C:
	case <-v.closed:
	}
}

// Write implements net.Conn. Each message has its own time limit: a common deadline could be put off
// forever by a far end that sends requests and never reads. After a timeout the connection is closed,
// since a partial message may have been sent.
func (v *conversation) Write(b []byte) (int, error) {
	v.turn <- struct{}{}
	defer func() { <-v.turn }()
	if err := v.SetWriteDeadline(v.porter.now().Add(v.patience.Write)); err != nil {
		return 0, err
	}
	n, err := v.Conn.Write(b)
	if err != nil {
		_ = v.Close()
	}
	return n, err
}

// written waits until all pending writes are done. Every request is answered on a goroutine of its own,
// so this accepts no more requests from a far end that does not read the responses.
func (v *conversation) written() {
	v.turn <- struct{}{}
	<-v.turn
}

var errStream = errors.New("what arrives is not SIP")

// Read implements net.Conn.
func (v *conversation) Read(b []byte) (int, error) {
	for len(v.ready) == 0 {
		v.written()
		whole, err := v.next()
		if err != nil {
			v.giveUp()
			if v.asked {
				v.linger()
			}
			return 0, err
		}
		s := screen.Read(whole, v.from)
		if s.Pass != nil && !v.porter.admitsStream(s.Wish) {
			s = screen.Result{Reply: screen.TurnAway(whole)}
		}
		v.porter.awaited.note(s, v.porter.now())
		if s.Reply != nil {
			if _, err := v.Write(s.Reply); err != nil {
				return 0, err
			}
		}
		if !v.porter.takesLate(s, v.from) {
			v.ready, v.asked = s.Pass, s.Wish.Method != ""
		}
	}
	n := copy(b, v.ready)
	v.ready = v.ready[n:]
	return n, nil
}

// next waits for a whole message.
func (v *conversation) next() ([]byte, error) {
	for {
		if err := v.keepAlive(); err != nil {
			return nil, err
		}
		whole, err := v.cut()
		if whole != nil || err != nil {
			return whole, err
		}
		if err := v.more(); err != nil {
			return nil, err
		}
	}
}

// keepAlive handles keepalives between messages (RFC 5626 section 3.5.1).
func (v *conversation) keepAlive() error {
	for bytes.HasPrefix(v.raw, []byte("\r\n")) {
		ping := bytes.HasPrefix(v.raw, []byte("\r\n\r\n"))
		v.raw = v.raw[2:]
		if ping {
			v.raw = v.raw[2:]
			if _, err := v.Write([]byte("\r\n")); err != nil {
				return err
			}
		}
		v.since = time.Time{}
	}
	return nil
}

// cut removes the first message from the buffer, nil if it is incomplete. It is called for each piece that
// arrives, and examines each byte only once.
func (v *conversation) cut() ([]byte, error) {
	if v.size == 0 {
		if err := v.measure(); v.size == 0 || err != nil {
			return nil, err
		}
	}
	if len(v.raw) < v.size {
		return nil, nil
	}
	message := bytes.Clone(v.raw[:v.size])
	v.raw = append(v.raw[:0], v.raw[v.size:]...)
	v.since, v.searched, v.size = time.Time{}, 0, 0
	return message, nil
}

// measure determines the length of the first message, once its head is complete.
func (v *conversation) measure() error {
	if len(v.raw) == 0 || string(v.raw) == "\r" {
		return nil
	}
	from := max(v.searched-len("\r\n\r"), 0)
	head, _, whole := screen.CutHead(v.raw[from:])
	head = v.raw[:from+len(head)]
	v.searched = len(v.raw)
	switch {
	case whole && len(head) > screen.MaxHead, !whole && len(v.raw) > screen.MaxHead:
		return errStream
	case !beginsSIP(v.raw):
		return errStream // for example the rest of a message longer than declared
	case !whole:
		return nil
	}
	end := len(head) + 4
	if !bytes.HasPrefix(v.raw[len(head):], []byte("\r\n\r\n")) {
		end = len(head) + 2
	}
	size, ok := screen.BodySize(head)
	if !ok || end+size > screen.MaxMessage {
		// Respond and close: the beginning of the next message is unknown.
		if s := screen.Read(append(bytes.Clone(head), "\r\n\r\n"...), v.from); s.Reply != nil {
			_, _ = v.Write(s.Reply)
		}
		return errStream
	}
	v.size = end + size
	return nil
}

// giveUp records which call an incomplete or endless response belongs to; the call would otherwise
// assume that there was none.
func (v *conversation) giveUp() {
	head, _, whole := screen.CutHead(v.raw)
	why := "Content-Length"
	if !whole || len(head) > screen.MaxHead {
		why = "no end of the headers"
	}
	v.porter.awaited.note(screen.Result{Riddle: screen.RiddleIn(head[:min(len(head), screen.MaxHead)], why)}, v.porter.now())
}

// beginsSIP reports whether bytes may be the beginning of a message.
func beginsSIP(b []byte) bool {
	first, _, there := bytes.Cut(b, []byte("\n"))
	return !there || bytes.Contains(bytes.ToUpper(first), []byte("SIP/"))
}

// more reads on, with the applicable time limit.
func (v *conversation) more() error {
	now := v.porter.now()
	until := now.Add(v.patience.Idle)
	if len(v.raw) > 0 {
		if v.since.IsZero() {
			v.since = now
		}
		until = v.since.Add(v.patience.Whole)
	}
	if err := v.SetReadDeadline(until); err != nil {
		return err
	}
	n, err := v.Conn.Read(v.chunk[:])
	v.raw = append(v.raw, v.chunk[:n]...)
	if n > 0 {
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}
