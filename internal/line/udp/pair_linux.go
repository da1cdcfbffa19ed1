package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Pair is a pair of non-blocking UDP sockets that bypass the runtime's poller, which would wake
// up for every packet.
type Pair struct {
	// The fields needed in every turn come first, in one cache line. RTP and Control are the
	// descriptors of the two sockets, for Receive.
	RTP, Control int
	// peer is the address to which the RTP socket is connected; fixed is true if it may be
	// connected, because it is bound to one address of this machine.
	peer  netip.AddrPort
	fixed bool
	// alone is true when nothing from before the connection is waiting any more, so that
	// everything received is from the peer.
	alone bool

	own       uint16
	toRTP     target
	toControl target
}

// Near is the size in bytes of the beginning of a Pair that every turn needs.
const Near = unsafe.Offsetof(Pair{}.own)

// target caches the kernel's form of a destination, so that sending allocates nothing.
type target struct {
	of   netip.AddrPort
	raw  unix.RawSockaddrInet6 // large enough for both families
	size uintptr
}

func (t *target) set(to netip.AddrPort) {
	if t.of == to {
		return
	}
	t.of = to
	port := to.Port()<<8 | to.Port()>>8
	if ip := to.Addr().Unmap(); ip.Is4() {
		four := (*unix.RawSockaddrInet4)(unsafe.Pointer(&t.raw))
		*four = unix.RawSockaddrInet4{Family: unix.AF_INET, Port: port, Addr: ip.As4()}
		t.size = unix.SizeofSockaddrInet4
		return
	}
	t.raw = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: port, Addr: to.Addr().As16()}
	t.size = unix.SizeofSockaddrInet6
}

func kernelAddress(a netip.AddrPort) unix.Sockaddr {
	if ip := a.Addr().Unmap(); ip.Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: ip.As4()}
	}
	return &unix.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16()}
}

// Open binds an even port of an address and its successor. Port 0 uses any pair that is free.
//
// The RTP socket is always bound to an explicit port: if the kernel had chosen it, it would
// revoke the port when the socket is disconnected, and nothing would be received from then on.
func Open(bind netip.Addr, port uint16) (*Pair, error) {
	at := func(port uint16) (*Pair, error) { return openAt(bind, port) }
	if port != 0 {
		return at(port)
	}
	return search(at, func() (uint16, error) {
		fd, got, err := listen(bind, 0)
		if err == nil {
			_ = unix.Close(fd)
		}
		return got, err
	})
}

func openAt(bind netip.Addr, port uint16) (*Pair, error) {
	rtp, _, err := listen(bind, port)
	if err != nil {
		return nil, err
	}
	control, _, err := listen(bind, port+1)
	if err != nil {
		_ = unix.Close(rtp)
		return nil, err
	}
	return &Pair{RTP: rtp, Control: control, own: port, fixed: !bind.IsUnspecified()}, nil
}

// listen opens a socket on a port, and returns the port if the choice was left to the system.
func listen(bind netip.Addr, port uint16) (fd int, got uint16, err error) {
	family := unix.AF_INET
	if bind.Unmap().Is6() {
		family = unix.AF_INET6
	}
	fd, err = unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, 0, err
	}
	if err = unix.Bind(fd, kernelAddress(netip.AddrPortFrom(bind, port))); err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	// Without kernel timestamps, the time of reading is used.
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	if port != 0 {
		return fd, port, nil
	}
	if got, err = portOf(fd); err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	return fd, got, nil
}

func portOf(fd int) (uint16, error) {
	name, err := unix.Getsockname(fd)
	switch a := name.(type) {
	case *unix.SockaddrInet4:
		return uint16(a.Port), err
	case *unix.SockaddrInet6:
		return uint16(a.Port), err
	}
	return 0, err
}

// Port returns the port of RTP.
func (r *Pair) Port() uint16 { return r.own }

// Send sends an RTP packet. Packets that the kernel does not accept are lost.
func (r *Pair) Send(b []byte, to netip.AddrPort) {
	if to == r.peer {
		sendRaw(r.RTP, b, nil)
		return
	}
	r.toRTP.set(to)
	sendRaw(r.RTP, b, &r.toRTP)
}

// SendControl is Send for RTCP.
func (r *Pair) SendControl(b []byte, to netip.AddrPort) {
	r.toControl.set(to)
	sendRaw(r.Control, b, &r.toControl)
}

// sendRaw sends without giving up the scheduler's processor: the socket never blocks, and
// getting the processor back may take longer than a slot.
func sendRaw(fd int, b []byte, to *target) {
	var name, size uintptr
	if to != nil {
		name, size = uintptr(unsafe.Pointer(&to.raw)), to.size
	}
	for range 2 { // the first may return the error of an earlier send
		_, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
			unix.MSG_DONTWAIT, name, size)
		if errno != unix.ECONNREFUSED {
			return
		}
	}
}

// Settle connects the RTP socket to its far end: the kernel then drops packets from others and
// need not look up the route for each packet. On a wildcard address that would also fix our own
// address, which may not be the one that faces the far end, so Settle does nothing there.
func (r *Pair) Settle(peer netip.AddrPort) {
	if !r.fixed || r.peer == peer {
		return
	}
	r.Loosen()
	var to target
	to.set(peer)
	if _, _, errno := unix.RawSyscall(unix.SYS_CONNECT, uintptr(r.RTP), uintptr(unsafe.Pointer(&to.raw)), to.size); errno == 0 {
		r.peer = peer
	}
}

// Loosen accepts packets from everybody again.
func (r *Pair) Loosen() {
	if !r.peer.IsValid() {
		return
	}
	r.peer, r.alone = netip.AddrPort{}, false
	nobody := unix.RawSockaddrInet4{Family: unix.AF_UNSPEC}
	_, _, _ = unix.RawSyscall(unix.SYS_CONNECT, uintptr(r.RTP), uintptr(unsafe.Pointer(&nobody)), unsafe.Sizeof(nobody))
}

// Sure reports whether packets can be taken one at a time. A socket that was just connected may
// still hold packets from others and has to be emptied once.
func (r *Pair) Sure() bool { return r.alone || !r.peer.IsValid() }

// Receive receives up to most datagrams from one of the sockets and returns their number.
func (r *Pair) Receive(fd int, m *Mail, most int) int {
	if fd != r.RTP {
		return m.Receive(fd, most)
	}
	if most <= Couple && r.alone {
		return m.receiveFrom(fd, r.peer, most)
	}
	settled := r.peer.IsValid()
	n := m.Receive(fd, most)
	if n < most {
		r.alone = settled
	}
	return n
}

// The number of counters returned by SO_MEMINFO, and the index of that of dropped packets.
const (
	memoryCounters = 9
	drops          = memoryCounters - 1
)

// Dropped returns how many RTP packets this machine discarded because they were not read in
// time, 0 where that is unknown.
func (r *Pair) Dropped() int64 {
	var counters [memoryCounters]uint32
	size := uint32(unsafe.Sizeof(counters))
	_, _, errno := unix.RawSyscall6(unix.SYS_GETSOCKOPT, uintptr(r.RTP), unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(&counters)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 || uintptr(size) < unsafe.Sizeof(counters) {
		return 0
	}
	return int64(counters[drops])
}

// Close closes both sockets. It may be called from a media thread, which keeps its processor.
func (r *Pair) Close() {
	_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(r.RTP), 0, 0)
	_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(r.Control), 0, 0)
}

// AskForStamps opens a socket and returns its descriptor, so that the kernel timestamps packets from now on.
// The kernel starts to do so a while after the first socket on the machine has asked for it; packets
// received before would seem to arrive when they are read. It returns -1 if no socket could be opened.
func AskForStamps() int {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	return fd
}
