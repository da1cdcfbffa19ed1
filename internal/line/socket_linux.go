package line

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawPair is a pair of non-blocking UDP sockets outside of the runtime's own
// poller, which would wake up for every packet.
type rawPair struct {
	rtp, control int
	own          uint16
	toRTP        target
	toControl    target
}

// target keeps the kernel's form of a destination, so that sending allocates nothing.
type target struct {
	of   netip.AddrPort
	addr unix.Sockaddr
}

func (t *target) sockaddr(to netip.AddrPort) unix.Sockaddr {
	if t.of != to || t.addr == nil {
		t.of, t.addr = to, kernelAddress(to)
	}
	return t.addr
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
	return &rawPair{rtp: rtp, control: control, own: port}, nil
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
	_ = unix.Sendto(r.rtp, b, unix.MSG_DONTWAIT, r.toRTP.sockaddr(to))
}

func (r *rawPair) sendControl(b []byte, to netip.AddrPort) {
	_ = unix.Sendto(r.control, b, unix.MSG_DONTWAIT, r.toControl.sockaddr(to))
}

func (r *rawPair) close() {
	_ = unix.Close(r.rtp)
	_ = unix.Close(r.control)
}

// mail receives one datagram at a time into memory of its own.
type mail struct {
	data    [maxPacket]byte
	oob     [128]byte
	name    unix.RawSockaddrInet6 // large enough for both families
	iov     unix.Iovec
	msg     unix.Msghdr
	arrived int64 // kernel's wall time of arrival in ns, 0 when it does not say
}

func (m *mail) init() {
	m.iov.Base = &m.data[0]
	m.iov.SetLen(len(m.data))
	m.msg.Iov = &m.iov
	m.msg.SetIovlen(1)
	m.msg.Name = (*byte)(unsafe.Pointer(&m.name))
	m.msg.Control = &m.oob[0]
}

// receive takes one datagram; false when there is none.
func (m *mail) receive(fd int) (n int, ok bool) {
	m.msg.Namelen = uint32(unsafe.Sizeof(m.name))
	m.msg.SetControllen(len(m.oob))
	got, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&m.msg)), unix.MSG_DONTWAIT)
	if errno != 0 {
		return 0, false
	}
	m.arrived = m.timestamp()
	return int(got), true
}

// timestamp finds SO_TIMESTAMPNS among the control messages without allocating.
func (m *mail) timestamp() int64 {
	const head = unix.SizeofCmsghdr
	if int(m.msg.Controllen) < head+int(unsafe.Sizeof(unix.Timespec{})) {
		return 0
	}
	h := (*unix.Cmsghdr)(unsafe.Pointer(&m.oob[0]))
	if h.Level != unix.SOL_SOCKET || h.Type != unix.SO_TIMESTAMPNS {
		return 0
	}
	return (*unix.Timespec)(unsafe.Pointer(&m.oob[head])).Nano()
}

func (m *mail) from() netip.AddrPort {
	port := func(p *uint16) uint16 {
		b := (*[2]byte)(unsafe.Pointer(p))
		return uint16(b[0])<<8 | uint16(b[1])
	}
	if m.name.Family == unix.AF_INET {
		four := (*unix.RawSockaddrInet4)(unsafe.Pointer(&m.name))
		return netip.AddrPortFrom(netip.AddrFrom4(four.Addr), port(&four.Port))
	}
	return netip.AddrPortFrom(netip.AddrFrom16(m.name.Addr).Unmap(), port(&m.name.Port))
}

// sleepUntil sleeps to an absolute monotonic time and keeps the processor, since
// getting one back may take longer than a slot. A signal (the runtime wants the
// thread for a moment) may end it early; the caller looks at the clock.
func sleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}

// epollNow asks which sockets have something without waiting.
func epollNow(fd int, events []unix.EpollEvent) int {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(fd), uintptr(unsafe.Pointer(&events[0])),
		uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
