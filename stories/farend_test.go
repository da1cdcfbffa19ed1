package stories

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// farEnd is an agent that takes every call and says nothing. It writes down when
// calls come and go, so that limits are measured where they matter and not in
// the tables of whoever is to keep them. It is a socket that knows just enough
// of SIP, and goes by when the kernel says that a message came: whatever else
// this machine has to do, one test process being one of it, changes nothing.
type farEnd struct {
	t       *testing.T
	conn    *net.UDPConn
	address string
	media   int // the port that audio is sent to and nobody reads

	mu    sync.Mutex
	calls []*arrival
	of    map[string]*arrival // by the Call-ID
}

// arrival is a call at the far end. end is zero while the call is up; only a
// goodbye ends it.
type arrival struct {
	callID, to string
	from       string // the address of the service that placed it
	came, end  time.Time
	answer     string
}

func newFarEnd(t *testing.T) *farEnd {
	t.Helper()
	f := &farEnd{t: t, conn: socket(t), of: map[string]*arrival{}}
	f.address, f.media = f.conn.LocalAddr().String(), socket(t).LocalAddr().(*net.UDPAddr).Port
	raw, err := f.conn.SyscallConn()
	must(t, err)
	must(t, raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) }))
	must(t, err)
	must(t, f.conn.SetReadBuffer(1<<20))
	var over sync.WaitGroup
	over.Go(f.serve)
	t.Cleanup(func() {
		f.conn.Close()
		over.Wait()
	})
	return f
}

func socket(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// trunk is the far end as a trunk; limits are its query: "calls_per_second=0".
func (f *farEnd) trunk(limits string) string { return "far=sip://" + f.address + "?" + limits }

// serve answers what comes until the socket is closed.
func (f *farEnd) serve() {
	text, control := make([]byte, 1<<16), make([]byte, 256)
	for {
		n, size, _, from, err := f.conn.ReadMsgUDPAddrPort(text, control)
		if err != nil {
			return
		}
		for _, answer := range f.take(string(text[:n]), from.String(), arrived(control[:size])) {
			_, _ = f.conn.WriteToUDPAddrPort([]byte(answer), from)
		}
	}
}

// arrived is when the kernel got the message.
func arrived(control []byte) time.Time {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil || len(messages) == 0 || len(messages[0].Data) < 16 {
		return time.Now()
	}
	var sec, nsec int64
	for i := 7; i >= 0; i-- {
		sec, nsec = sec<<8|int64(messages[0].Data[i]), nsec<<8|int64(messages[0].Data[8+i])
	}
	return time.Unix(sec, nsec)
}

// take notes a request and returns what it is answered with.
func (f *farEnd) take(text, from string, at time.Time) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	head, _, _ := strings.Cut(text, "\r\n\r\n")
	start, rest, _ := strings.Cut(head, "\r\n")
	method, target, _ := strings.Cut(start, " ")
	id := header(rest, "Call-ID")
	a := f.of[id]
	switch {
	case method == "INVITE" && a == nil:
		_, user, _ := strings.Cut(target, "sip:")
		user, _, _ = strings.Cut(user, "@")
		a = &arrival{callID: header(rest, "X-Ringtrue-Call"), to: user, from: from, came: at}
		a.answer = f.reply(rest, "200 OK", ";tag=far", fmt.Sprintf("v=0\r\no=far 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio %d RTP/AVP 0\r\n", f.media))
		f.calls, f.of[id] = append(f.calls, a), a
		return []string{a.answer}
	case method == "INVITE":
		return []string{a.answer} // it came again, because the answer took too long
	case method == "BYE" && a != nil:
		if a.end.IsZero() {
			a.end = at
		}
		return []string{f.reply(rest, "200 OK", "", "")}
	case method == "OPTIONS":
		return []string{f.reply(rest, "200 OK", ";tag=far", "")}
	case method == "ACK" || strings.HasPrefix(method, "SIP/"):
		return nil
	}
	return []string{f.reply(rest, "481 Call/Transaction Does Not Exist", "", "")}
}

// reply is a response to a request with those headers.
func (f *farEnd) reply(request, status, tag, body string) string {
	var b strings.Builder
	b.WriteString("SIP/2.0 " + status + "\r\n")
	for line := range strings.SplitSeq(request, "\r\n") {
		switch name, _, _ := strings.Cut(line, ":"); name {
		case "Via", "From", "Call-ID", "CSeq":
			b.WriteString(line + "\r\n")
		case "To":
			b.WriteString(line + tag + "\r\n")
		}
	}
	if body != "" {
		b.WriteString("Contact: <sip:far@" + f.address + ">\r\nContent-Type: application/sdp\r\n")
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.String()
}

// header is the value of a header, "" when there is none.
func header(head, name string) string {
	_, rest, ok := strings.Cut("\r\n"+head, "\r\n"+name+": ")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "\r\n")
	return value
}

// seen are the calls so far to the number, "" for all.
func (f *farEnd) seen(to string) []arrival {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []arrival
	for _, a := range f.calls {
		if to == "" || a.to == to {
			out = append(out, *a)
		}
	}
	return out
}

// up are the calls that are up now, the oldest first.
func (f *farEnd) up() []arrival {
	return slices.DeleteFunc(f.seen(""), func(a arrival) bool { return !a.end.IsZero() })
}

// awaitUp waits until n calls are up.
func (f *farEnd) awaitUp(t *testing.T, n int) {
	t.Helper()
	eventually(t, patience, fmt.Sprintf("%d calls are up", n), func() bool { return len(f.up()) >= n })
}

// inMiddle are the calls that are up if they are n of the length, one of them placed by the
// service at that address ("" is any), and none has just begun or is about to end; nil otherwise.
func (f *farEnd) inMiddle(n int, length time.Duration, from string) []arrival {
	up := f.up()
	if len(up) != n || time.Since(up[n-1].came) <= length/8 || time.Since(up[0].came) >= length*3/4 ||
		!slices.ContainsFunc(up, func(a arrival) bool { return from == "" || a.from == from }) {
		return nil
	}
	return up
}

// again is how many calls came a second time.
func (f *farEnd) again() (n int) {
	seen := map[string]bool{}
	for _, a := range f.seen("") {
		if seen[a.callID] {
			n++
		}
		seen[a.callID] = true
	}
	return n
}

// most is how many calls to the number were up at a time.
func (f *farEnd) most(to string) int {
	type step struct {
		at time.Time
		by int
	}
	var steps []step
	for _, a := range f.seen(to) {
		steps = append(steps, step{a.came, 1})
		if !a.end.IsZero() {
			steps = append(steps, step{a.end, -1})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	n, most := 0, 0
	for _, s := range steps {
		n += s.by
		most = max(most, n)
	}
	return most
}

// closest is the shortest time between two calls to the number.
func (f *farEnd) closest(to string) time.Duration {
	least := time.Hour
	calls := f.seen(to)
	for i := range calls[1:] {
		least = min(least, calls[i+1].came.Sub(calls[i].came))
	}
	return least
}

// eventually waits for something that other processes bring about.
func eventually(t *testing.T, patience time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not within %s: %s", patience, what)
}
