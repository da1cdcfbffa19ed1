package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Pair is a pair of non-blocking UDP sockets outside of the runtime's own
// poller, which would wake up for every packet.
type Pair struct {
	// What every turn needs stands first, in one line of the processor's cache.
	// RTP and Control are the descriptors of the two sockets, to Receive from.
	RTP, Control int
	// peer is whom the RTP socket is connected to; fixed says that it may be,
	// because it is bound to one address of this machine.
	peer  netip.AddrPort
	fixed bool
	// alone says that nothing from before that is waiting any more, so that
	// whatever comes is from the peer.
	alone bool

	own       uint16
	toRTP     target
	toControl target
}

// Near is how many bytes of a Pair, from its beginning, every turn needs.
const Near = unsafe.Offsetof(Pair{}.own)

// target keeps the kernel's form of a destination, so that sending allocates nothing.
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

// Open binds an even port of an address and its successor; port 0 takes any pair that is free.
//
// The RTP socket is always bound to a port that is named: the kernel takes the port of its
// own choice from a socket that is disconnected, which would hear nothing from then on.
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

// listen opens a socket on a port and says on which one, where that is left to the system.
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
	// Without kernel timestamps the time of reading has to do.
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

// Port is the port of RTP.
func (r *Pair) Port() uint16 { return r.own }

// Send sends a packet of RTP; what the kernel will not take is lost.
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

// sendRaw sends without giving up the processor: the socket never blocks, and
// getting the processor back may take longer than a slot.
func sendRaw(fd int, b []byte, to *target) {
	var name, size uintptr
	if to != nil {
		name, size = uintptr(unsafe.Pointer(&to.raw)), to.size
	}
	for range 2 { // the first may report what became of an earlier packet
		_, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
			unix.MSG_DONTWAIT, name, size)
		if errno != unix.ECONNREFUSED {
			return
		}
	}
}

// Settle connects the RTP socket to its far end: the kernel then keeps everybody
// else out and need not look for the way with every packet. On an address that
// stands for all of this machine's it would also fix the one that we are reached
// at, which may not be the one that faces the far end: there nothing is done.
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

// Loosen takes packets from everybody again.
func (r *Pair) Loosen() {
	if !r.peer.IsValid() {
		return
	}
	r.peer, r.alone = netip.AddrPort{}, false
	nobody := unix.RawSockaddrInet4{Family: unix.AF_UNSPEC}
	_, _, _ = unix.RawSyscall(unix.SYS_CONNECT, uintptr(r.RTP), uintptr(unsafe.Pointer(&nobody)), unsafe.Sizeof(nobody))
}

// Sure says that nothing is known to speak against taking one packet at a time: a
// socket that has just been connected may hold something of others and has to be
// emptied once.
func (r *Pair) Sure() bool { return r.alone || !r.peer.IsValid() }

// Receive takes in up to most datagrams of one of the sockets and says how many there were.
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

// The counters of a socket that SO_MEMINFO gives, the last one of which is of the
// packets that were thrown away.
const (
	memoryCounters = 9
	drops          = memoryCounters - 1
)

// Dropped is how many packets of RTP this machine threw away because nobody took them
// in time; 0 where the system does not tell.
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

// Close gives both ports back. A media thread does it, which keeps its processor.
func (r *Pair) Close() {
	_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(r.RTP), 0, 0)
	_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(r.Control), 0, 0)
}

// AskForStamps opens a socket, and returns its descriptor, so that the kernel notes when packets arrive from
// now on. It begins to a while after the first socket on the machine has asked
// for it, and what came before would seem to arrive when it is read. It is -1 when
// the system has none to give.
func AskForStamps() int {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	return fd
}
