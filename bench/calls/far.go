package main

import (
	"bufio"
	"encoding/gob"
	"flag"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
)

// farCall is what the far end knows of one call afterwards.
type farCall struct {
	Number int
	// Sent are the wall times (ns) at which its frames were sent, in order.
	Sent []int64
	Got  []arrival
	// Strays are packets of sources other than the main one: ports are reused, and the last packets
	// of one call may reach the next.
	Strays int
}

// arrival is a received packet.
type arrival struct {
	At    int64 // the kernel's wall time in ns
	SSRC  uint32
	Stamp uint32
	Seq   uint16
	Size  uint16
	Sum   uint32
}

// far is the far end: it answers every call immediately, speaks and records what arrives.
type far struct {
	sip     *net.UDPConn
	at      netip.AddrPort
	content *content

	mu    sync.Mutex
	calls map[string]*farLeg
	fresh []*farLeg
}

// farLeg is one call at the far end. Its media belong to the loop.
type farLeg struct {
	farCall
	fd      int
	reports int
	port    uint16
	remote  netip.AddrPort
	live    bool // acknowledged, and passed to the loop
	over    bool

	seq   uint16
	stamp uint32
	ended bool
}

// farMain is the process of the far end. It prints its address, obeys "write FILE" and ends when
// its standard input does.
func farMain(args []string) error {
	var o options
	flags := flag.NewFlagSet("part-far", flag.ContinueOnError)
	flags.Uint64Var(&o.seed, "seed", 1, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	_ = conn.SetReadBuffer(4 << 20)
	f := &far{sip: conn, at: conn.LocalAddr().(*net.UDPAddr).AddrPort(), content: newContent(o.seed), calls: map[string]*farLeg{}}
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { roomForSockets(int(fd)) })
	}
	go f.serve()
	loop := newFarLoop(f)
	go loop.run()
	fmt.Println(f.at)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var file string
		if _, err := fmt.Sscanf(in.Text(), "write %s", &file); err != nil {
			return fmt.Errorf("an order that is none: %q", in.Text())
		}
		if err := f.write(file, loop); err != nil {
			return err
		}
		fmt.Println("written")
	}
	return in.Err()
}

// write ends all calls, stores what is known of them, and forgets them.
func (f *far) write(file string, loop *farLoop) error {
	f.mu.Lock()
	for _, leg := range f.calls {
		leg.over = true
	}
	f.mu.Unlock()
	loop.drained()
	f.mu.Lock()
	var all []farCall
	for _, leg := range f.calls {
		if leg.live {
			leg.sort()
			all = append(all, leg.farCall)
		}
	}
	f.calls = map[string]*farLeg{}
	f.mu.Unlock()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	return gob.NewEncoder(out).Encode(all)
}

// sort keeps the packets of the most frequent source.
func (c *farCall) sort() {
	counts := map[uint32]int{}
	var most uint32
	for _, a := range c.Got {
		if counts[a.SSRC]++; counts[a.SSRC] > counts[most] {
			most = a.SSRC
		}
	}
	c.Strays = len(c.Got) - counts[most]
	c.Got = slices.DeleteFunc(c.Got, func(a arrival) bool { return a.SSRC != most })
}

// serve answers the signalling.
func (f *far) serve() {
	buf := make([]byte, 8192)
	for {
		n, from, err := f.sip.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		m, ok := parseMessage(string(buf[:n]))
		if !ok {
			continue
		}
		switch m.method() {
		case "INVITE":
			f.invited(m, from)
		case "ACK":
			f.acknowledged(m)
		case "BYE":
			f.ended(m)
			f.say(m.reply("200 OK", f.at, ""), from)
		case "OPTIONS":
			f.say(m.reply("200 OK", f.at, ""), from)
		}
	}
}

func (f *far) say(text string, to netip.AddrPort) {
	_, _ = f.sip.WriteToUDPAddrPort([]byte(text), to)
}

func (f *far) invited(m message, from netip.AddrPort) {
	leg, err := f.leg(m)
	if err != nil {
		f.say(m.reply("503 "+err.Error(), f.at, ""), from)
		return
	}
	f.say(m.reply("200 OK", f.at, description(netip.AddrPortFrom(f.at.Addr(), leg.port))), from)
}

// leg finds the call of a repeated INVITE, or creates a new one.
func (f *far) leg(m message) (*farLeg, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := m.headers["call-id"]
	if leg := f.calls[id]; leg != nil {
		return leg, nil
	}
	number, ok := m.number()
	remote, ok2 := m.media()
	if !ok || !ok2 {
		return nil, fmt.Errorf("no number or no media")
	}
	leg := &farLeg{remote: remote}
	leg.Number = number
	var err error
	if leg.fd, leg.reports, leg.port, err = udpPair(); err != nil {
		return nil, err
	}
	f.calls[id] = leg
	return leg, nil
}

func (f *far) acknowledged(m message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if leg := f.calls[m.headers["call-id"]]; leg != nil && !leg.live {
		leg.live = true
		f.fresh = append(f.fresh, leg)
	}
}

func (f *far) ended(m message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if leg := f.calls[m.headers["call-id"]]; leg != nil {
		leg.over = true
	}
}
