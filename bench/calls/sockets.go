package main

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// udpSocket binds a non-blocking UDP socket on loopback to a free port.
func udpSocket() (fd int, port uint16, err error) { return udpSocketAt(0) }

func udpSocketAt(want int) (fd int, port uint16, err error) {
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, 0, err
	}
	if err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}, Port: want}); err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		_ = unix.Close(fd)
		return -1, 0, err
	}
	return fd, uint16(name.(*unix.SockaddrInet4).Port), nil
}

// udpPair binds a socket for media and one on the next port for the RTCP reports, which nobody
// reads: without it the kernel would answer each report with an error, which costs the sender more
// than the report and does not happen with real far ends.
func udpPair() (fd, reports int, port uint16, err error) {
	const tries = 100
	for range tries {
		if fd, port, err = udpSocket(); err != nil {
			return -1, -1, 0, err
		}
		if reports, _, err = udpSocketAt(int(port) + 1); err == nil {
			return fd, reports, port, nil
		}
		_ = unix.Close(fd)
	}
	return -1, -1, 0, err
}

// roomForSockets makes the kernel enlarge this process's descriptor table for all sockets to come.
// When the table grows, the kernel waits until every thread has released the old one: the socket
// that is one too many takes 10 ms, and the call that needs it is late by as much.
func roomForSockets(fd int) {
	for most := 1 << 16; most >= 1<<10; most /= 2 {
		if high, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, most-1); err == nil {
			_ = unix.Close(high)
			return
		}
	}
}

func kernelAddress(a netip.AddrPort) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Addr: a.Addr().Unmap().As4(), Port: int(a.Port())}
}

// mail receives one datagram at a time, with the kernel's arrival time.
type mail struct {
	data [2048]byte
	oob  [64]byte
	iov  unix.Iovec
	msg  unix.Msghdr
}

func newMail() *mail {
	m := &mail{}
	m.iov.Base = &m.data[0]
	m.iov.SetLen(len(m.data))
	m.msg.Iov = &m.iov
	m.msg.SetIovlen(1)
	m.msg.Control = &m.oob[0]
	return m
}

// receive reads a datagram; at is the wall time of its arrival in ns.
func (m *mail) receive(fd int) (b []byte, at int64, ok bool) {
	m.msg.SetControllen(len(m.oob))
	n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&m.msg)), unix.MSG_DONTWAIT)
	if errno != 0 {
		return nil, 0, false
	}
	h := (*unix.Cmsghdr)(unsafe.Pointer(&m.oob[0]))
	if int(m.msg.Controllen) >= unix.SizeofCmsghdr+16 && h.Type == unix.SO_TIMESTAMPNS {
		at = (*unix.Timespec)(unsafe.Pointer(&m.oob[unix.SizeofCmsghdr])).Nano()
	}
	return m.data[:n], at, true
}

func monotonic() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

func sleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}
