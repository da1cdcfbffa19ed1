package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bareCall is a call of the smallest program that could send and receive it.
type bareCall struct {
	number   int
	fd       int
	port     uint16
	wall     int64
	next     int
	received int
	to       string
	id       string
}

// bareSlots is the number of slots into which the bare loop divides the time of a frame: as many as
// ours has, since how often a thread wakes is part of the cost of sending.
const bareSlots = 5

const bareSlotTime = frameTime / bareSlots

// bareMain is the calling process that only sends and receives: one thread, a connected socket per
// call, one sendto and one recvfrom every 20 ms, both bypassing Go's scheduler. It records nothing,
// does not listen, and sends the same frames as the far end. With one socket per call it cannot be
// done more cheaply.
func bareMain(args []string) error {
	o, host, err := callingFlags("part-bare", args)
	if err != nil {
		return err
	}
	far, err := netip.ParseAddrPort(host)
	if err != nil {
		return err
	}
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(far))
	if err != nil {
		return err
	}
	b := &bare{o: o, sip: conn, fresh: make(chan *bareCall, o.calls), content: newContent(o.seed)}
	runtime.GC()
	used := begin()
	calls, err := b.all()
	if err != nil {
		return err
	}
	var result result
	used.end(&result)
	fmt.Println("down")
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	if err := b.compare(in.Text(), calls, &result); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

type bare struct {
	o       options
	sip     *net.UDPConn
	content *content
	fresh   chan *bareCall
	stop    atomic.Bool
	done    chan struct{}
	frame   [12 + frameSize]byte
	in      [2048]byte
}

func (b *bare) all() ([]*bareCall, error) {
	b.done = make(chan struct{})
	go b.loop()
	begun := time.Now()
	var calls []*bareCall
	for i := range b.o.calls {
		wait(begun.Add(time.Duration(float64(i) / b.o.rate * 1e9)))
		c := &bareCall{number: i, id: fmt.Sprint("bare-", i)}
		if err := b.dial(c); err != nil {
			return nil, err
		}
		calls = append(calls, c)
		b.fresh <- c
	}
	fmt.Println("up")
	wait(time.Now().Add(time.Duration(b.o.seconds) * time.Second))
	fmt.Println("peak")
	b.stop.Store(true)
	<-b.done
	for _, c := range calls {
		b.request("BYE", c, 2, "")
		_ = unix.Close(c.fd)
	}
	return calls, nil
}

// dial sends the INVITE and processes the answer, which comes immediately.
func (b *bare) dial(c *bareCall) (err error) {
	if c.fd, c.port, err = udpSocket(); err != nil {
		return err
	}
	own := b.sip.LocalAddr().(*net.UDPAddr).AddrPort()
	b.request("INVITE", c, 1, description(netip.AddrPortFrom(own.Addr(), c.port)))
	buf := make([]byte, 8192)
	_ = b.sip.SetReadDeadline(time.Now().Add(2 * time.Second))
	for {
		n, err := b.sip.Read(buf)
		if err != nil {
			return err
		}
		m, ok := parseMessage(string(buf[:n]))
		if !ok || m.headers["call-id"] != c.id || m.body == "" {
			continue
		}
		at, ok := m.media()
		if !ok {
			return fmt.Errorf("an answer without media")
		}
		c.to = m.headers["to"]
		b.request("ACK", c, 1, "")
		return unix.Connect(c.fd, kernelAddress(at))
	}
}

func (b *bare) request(method string, c *bareCall, seq int, body string) {
	own := b.sip.LocalAddr().(*net.UDPAddr).AddrPort()
	to := c.to
	if to == "" {
		to = fmt.Sprintf("<sip:+15550%d@%s>", c.number, b.sip.RemoteAddr())
	}
	_, _ = fmt.Fprintf(b.sip, "%s sip:+15550%d@%s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s%s\r\nFrom: <sip:bare@%s>;tag=bare\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nContent-Length: %d\r\n\r\n%s",
		method, c.number, b.sip.RemoteAddr(), own, method, c.id, own, to, c.id, seq, method, len(body), body)
}

func (b *bare) loop() {
	runtime.LockOSThread()
	favour()
	defer close(b.done)
	var lanes [bareSlots][]*bareCall
	turn := 0
	slot := monotonic() / bareSlotTime
	for !b.stop.Load() {
		slot++
		for monotonic() < slot*bareSlotTime {
			sleepUntil(slot * bareSlotTime)
		}
		lane := int(slot % bareSlots)
		for len(b.fresh) > 0 && turn%bareSlots == lane {
			c := <-b.fresh
			c.wall = time.Now().UnixNano() - (monotonic() - slot*bareSlotTime)
			lanes[lane] = append(lanes[lane], c)
			turn++
		}
		if turn%bareSlots == lane {
			turn++ // nobody waits: the next call gets another slot
		}
		for _, c := range lanes[lane] {
			b.pass(c)
		}
	}
	for _, lane := range lanes {
		for _, c := range lane {
			for b.receive(c) { // what has arrived since its last turn
			}
		}
	}
}

// pass sends a frame and reads what arrived.
func (b *bare) pass(c *bareCall) {
	writeHeader(b.frame[:], uint16(c.next), uint32(c.next)*frameSize, uint32(c.number))
	b.content.frame(b.frame[12:], c.number, c.next)
	_, _, _ = unix.RawSyscall6(unix.SYS_SENDTO, uintptr(c.fd), uintptr(unsafe.Pointer(&b.frame[0])), uintptr(len(b.frame)), unix.MSG_DONTWAIT, 0, 0)
	c.next++
	b.receive(c)
}

// receive reads a packet; it returns false if there is none.
func (b *bare) receive(c *bareCall) bool {
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(c.fd), uintptr(unsafe.Pointer(&b.in[0])), uintptr(len(b.in)), unix.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return false
	}
	if int(n) == len(b.frame) && binary.BigEndian.Uint32(b.in[8:]) == uint32(c.number) {
		c.received++
	}
	return true
}

// compare counts what arrived on either side; the bare loop keeps no content.
func (b *bare) compare(order string, calls []*bareCall, out *result) error {
	var file string
	if _, err := fmt.Sscanf(order, "compare %s", &file); err != nil {
		return fmt.Errorf("an order that is none: %q", order)
	}
	far, err := readFar(file)
	if err != nil {
		return err
	}
	c := &comparison{content: b.content, sums: newDigester(), out: out}
	code := make([]byte, frameSize)
	for _, n := range calls {
		f := far[n.number]
		if f == nil {
			return fmt.Errorf("the far end knows nothing of call %d", n.number)
		}
		out.Answered++
		out.Minutes += float64(n.next) * frameTime / 60e9
		out.Due += n.next
		there := 0
		for _, a := range f.Got {
			i := int(a.Stamp) / frameSize
			b.content.frame(code, n.number, i)
			if a.Sum == c.sums.sum(code) {
				there++
				c.late = append(c.late, float64(a.At-n.wall-int64(i)*frameTime)/1e6)
			}
		}
		out.Lost += n.next - there
		out.FarSent += len(f.Sent)
	}
	c.latenesses()
	return nil
}
