package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Batch is the maximum number of datagrams received by one system call.
const Batch = 8

// Couple is the maximum where no more than those that are due are expected.
const Couple = 2

// Mail receives datagrams into memory of its own.
type Mail struct {
	data [Batch][MostBytes]byte
	oob  [Batch][64]byte
	name [Batch]unix.RawSockaddrInet6 // large enough for both families
	iov  [Batch]unix.Iovec
	msg  [Batch]struct {
		unix.Msghdr
		size uint32
		_    [4]byte
	}
	// sender is the sender of the last datagram if the kernel was not asked for it.
	sender netip.AddrPort
}

// Init prepares m for receiving.
func (m *Mail) Init() {
	for i := range m.msg {
		m.iov[i].Base = &m.data[i][0]
		m.iov[i].SetLen(MostBytes)
		h := &m.msg[i]
		h.Iov = &m.iov[i]
		h.SetIovlen(1)
		h.Name = (*byte)(unsafe.Pointer(&m.name[i]))
		h.Control = &m.oob[i][0]
		m.Ready(i)
	}
}

// Ready releases the memory of a datagram to the kernel again.
func (m *Mail) Ready(i int) {
	m.msg[i].Namelen = unix.SizeofSockaddrInet6
	m.msg[i].SetControllen(len(m.oob[i]))
}

// receiveFrom receives up to most datagrams, at most Couple, from a socket connected to peer.
// It is the cheapest way that still provides arrival times.
func (m *Mail) receiveFrom(fd int, peer netip.AddrPort, most int) (got int) {
	for i := range most {
		m.msg[i].Name, m.msg[i].Namelen = nil, 0
	}
	if most == 1 {
		got = m.receiveOne(fd)
	} else {
		got = m.Receive(fd, most)
	}
	m.sender = peer
	for i := range most {
		m.msg[i].Name = (*byte)(unsafe.Pointer(&m.name[i]))
		if i >= got {
			m.Ready(i)
		}
	}
	return got
}

// receiveOne receives one datagram, slightly cheaper than Receive.
func (m *Mail) receiveOne(fd int) (got int) {
	one := &m.msg[0]
	for range 2 { // the first may return the error of an earlier send
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

// Receive receives up to most datagrams, at most Batch, and returns their number.
func (m *Mail) Receive(fd, most int) int {
	m.sender = netip.AddrPort{}
	for range 2 { // the first may return the error of an earlier send
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

// Datagram returns the i-th datagram of the last Receive.
func (m *Mail) Datagram(i int) []byte { return m.data[i][:m.msg[i].size] }

// Arrived returns the kernel's wall time of arrival in ns, 0 if there is none.
func (m *Mail) Arrived(i int) int64 {
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

// From returns the sender of the i-th datagram.
func (m *Mail) From(i int) netip.AddrPort {
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
