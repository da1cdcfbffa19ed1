package line

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawPair is a pair of non-blocking UDP sockets outside of the runtime's own
// poller, which would wake up for every packet.
type rawPair struct {
	// What every turn needs stands first, in one line of the processor's cache.
	rtp, control int
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

// openRaw binds an even port and its successor; port 0 takes any pair that is free.
func openRaw(bind netip.Addr, port uint16) (socket, error) {
	if port != 0 {
		return openRawAt(bind, port)
	}
	var err error
	for range 100 {
		var probe int
		var got uint16
		if probe, got, err = bindRaw(bind, 0); err != nil {
			return nil, err
		}
		_ = unix.Close(probe)
		var s socket
		if s, err = openRawAt(bind, got&^1); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func openRawAt(bind netip.Addr, port uint16) (socket, error) {
	rtp, _, err := bindRaw(bind, port)
	if err != nil {
		return nil, err
	}
	control, _, err := bindRaw(bind, port+1)
	if err != nil {
		_ = unix.Close(rtp)
		return nil, err
	}
	return &rawPair{rtp: rtp, control: control, own: port, fixed: !bind.IsUnspecified()}, nil
}

func bindRaw(bind netip.Addr, port uint16) (fd int, got uint16, err error) {
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
	name, err := unix.Getsockname(fd)
	if err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	switch a := name.(type) {
	case *unix.SockaddrInet4:
		got = uint16(a.Port)
	case *unix.SockaddrInet6:
		got = uint16(a.Port)
	}
	return fd, got, nil
}

func (r *rawPair) port() uint16 { return r.own }

func (r *rawPair) send(b []byte, to netip.AddrPort) {
	if to == r.peer {
		sendRaw(r.rtp, b, nil)
		return
	}
	r.toRTP.set(to)
	sendRaw(r.rtp, b, &r.toRTP)
}

func (r *rawPair) sendControl(b []byte, to netip.AddrPort) {
	r.toControl.set(to)
	sendRaw(r.control, b, &r.toControl)
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

// settle connects the RTP socket to its far end: the kernel then keeps everybody
// else out and need not look for the way with every packet. On an address that
// stands for all of this machine's it would also fix the one that we are reached
// at, which may not be the one that faces the far end: there nothing is done.
func (r *rawPair) settle(peer netip.AddrPort) {
	if !r.fixed || r.peer == peer {
		return
	}
	r.loosen()
	if unix.Connect(r.rtp, kernelAddress(peer)) == nil {
		r.peer = peer
	}
}

// loosen takes packets from everybody again.
func (r *rawPair) loosen() {
	if !r.peer.IsValid() {
		return
	}
	r.peer, r.alone = netip.AddrPort{}, false
	nobody := unix.RawSockaddrInet4{Family: unix.AF_UNSPEC}
	_, _, _ = unix.RawSyscall(unix.SYS_CONNECT, uintptr(r.rtp), uintptr(unsafe.Pointer(&nobody)), unsafe.Sizeof(nobody))
}

// sure says that nothing is known to speak against taking one packet at a time: a
// socket that has just been connected may hold something of others and has to be
// emptied once.
func (r *rawPair) sure() bool { return r.alone || !r.peer.IsValid() }

// receive takes in up to most datagrams of one of the sockets and says how many there were.
func (r *rawPair) receive(fd int, m *mail, most int) int {
	if fd != r.rtp {
		return m.receive(fd, most)
	}
	if most <= pair && r.alone {
		return m.receiveFrom(fd, r.peer, most)
	}
	settled := r.peer.IsValid()
	n := m.receive(fd, most)
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

// dropped implements socket.
func (r *rawPair) dropped() int64 {
	var counters [memoryCounters]uint32
	size := uint32(unsafe.Sizeof(counters))
	_, _, errno := unix.RawSyscall6(unix.SYS_GETSOCKOPT, uintptr(r.rtp), unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(&counters)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 || uintptr(size) < unsafe.Sizeof(counters) {
		return 0
	}
	return int64(counters[drops])
}

func (r *rawPair) close() {
	_ = unix.Close(r.rtp)
	_ = unix.Close(r.control)
}

// batch is how many datagrams one system call takes in at most, pair how many of
// them at most are those that are due anyway.
const batch, pair = 8, 2

// mail receives datagrams into memory of its own.
type mail struct {
	data [batch][maxPacket]byte
	oob  [batch][64]byte
	name [batch]unix.RawSockaddrInet6 // large enough for both families
	iov  [batch]unix.Iovec
	msg  [batch]struct {
		unix.Msghdr
		size uint32
		_    [4]byte
	}
	// sender is whom the last datagram came from where the kernel was not asked.
	sender netip.AddrPort
}

func (m *mail) init() {
	for i := range m.msg {
		m.iov[i].Base = &m.data[i][0]
		m.iov[i].SetLen(maxPacket)
		h := &m.msg[i]
		h.Iov = &m.iov[i]
		h.SetIovlen(1)
		h.Name = (*byte)(unsafe.Pointer(&m.name[i]))
		h.Control = &m.oob[i][0]
		m.ready(i)
	}
}

// ready lets the kernel use the memory of a datagram anew.
func (m *mail) ready(i int) {
	m.msg[i].Namelen = unix.SizeofSockaddrInet6
	m.msg[i].SetControllen(len(m.oob[i]))
}

// receiveFrom takes in up to most datagrams, pair at most, of a socket that hears
// nobody but peer, which is the cheapest way there is that still tells when they arrived.
func (m *mail) receiveFrom(fd int, peer netip.AddrPort, most int) (got int) {
	for i := range most {
		m.msg[i].Name, m.msg[i].Namelen = nil, 0
	}
	if most == 1 {
		got = m.receiveOne(fd)
	} else {
		got = m.receive(fd, most)
	}
	m.sender = peer
	for i := range most {
		m.msg[i].Name = (*byte)(unsafe.Pointer(&m.name[i]))
		if i >= got {
			m.ready(i)
		}
	}
	return got
}

// receiveOne takes in one datagram, a little cheaper than receive does.
func (m *mail) receiveOne(fd int) (got int) {
	one := &m.msg[0]
	for range 2 { // the first may report what became of a packet that was sent
		n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&one.Msghdr)), unix.MSG_DONTWAIT)
		if errno == 0 {
			one.size, got = uint32(n), 1
		}
		if errno != unix.ECONNREFUSED {
			break
		}
	}
	return got
}

// receive takes in up to most datagrams, batch at most, and says how many there were.
func (m *mail) receive(fd, most int) int {
	m.sender = netip.AddrPort{}
	for range 2 { // the first may report what became of a packet that was sent
		n, _, errno := unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(fd), uintptr(unsafe.Pointer(&m.msg[0])), uintptr(most),
			unix.MSG_DONTWAIT, 0, 0)
		if errno == 0 {
			return int(n)
		}
		if errno != unix.ECONNREFUSED {
			return 0
		}
	}
	return 0
}

// datagram is what came as the i-th of the last receive.
func (m *mail) datagram(i int) []byte { return m.data[i][:m.msg[i].size] }

// arrived is the kernel's wall time of arrival in ns, 0 when it does not say.
func (m *mail) arrived(i int) int64 {
	const head = unix.SizeofCmsghdr
	if int(m.msg[i].Controllen) < head+int(unsafe.Sizeof(unix.Timespec{})) {
		return 0
	}
	h := (*unix.Cmsghdr)(unsafe.Pointer(&m.oob[i][0]))
	if h.Level != unix.SOL_SOCKET || h.Type != unix.SO_TIMESTAMPNS {
		return 0
	}
	return (*unix.Timespec)(unsafe.Pointer(&m.oob[i][head])).Nano()
}

func (m *mail) from(i int) netip.AddrPort {
	if m.sender.IsValid() {
		return m.sender
	}
	name := &m.name[i]
	port := name.Port<<8 | name.Port>>8
	if name.Family == unix.AF_INET {
		four := (*unix.RawSockaddrInet4)(unsafe.Pointer(name))
		return netip.AddrPortFrom(netip.AddrFrom4(four.Addr), port)
	}
	return netip.AddrPortFrom(netip.AddrFrom16(name.Addr).Unmap(), port)
}

// sleepUntil sleeps to an absolute monotonic time and keeps the processor, since
// getting one back may take longer than a slot: a thread at real-time priority would
// wait in a loop for locks whose holders it keeps from running. A signal (the runtime wants the
// thread for a moment) may end it early; the caller looks at the clock.
func sleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}
