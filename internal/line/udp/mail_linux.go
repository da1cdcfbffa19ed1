package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Batch is how many datagrams one system call takes in at most.
const Batch = 8

// Couple is how many at most are taken in where no more than those that are due are expected.
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
	// sender is whom the last datagram came from where the kernel was not asked.
	sender netip.AddrPort
}

// Init makes it ready to receive.
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

// Ready lets the kernel use the memory of a datagram anew.
func (m *Mail) Ready(i int) {
	m.msg[i].Namelen = unix.SizeofSockaddrInet6
	m.msg[i].SetControllen(len(m.oob[i]))
}

// receiveFrom takes in up to most datagrams, Couple at most, of a socket that hears
// nobody but peer, which is the cheapest way there is that still tells when they arrived.
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

// receiveOne takes in one datagram, a little cheaper than Receive does.
func (m *Mail) receiveOne(fd int) (got int) {
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

// Receive takes in up to most datagrams, Batch at most, and says how many there were.
func (m *Mail) Receive(fd, most int) int {
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

// Datagram is what came as the i-th of the last Receive.
func (m *Mail) Datagram(i int) []byte { return m.data[i][:m.msg[i].size] }

// Arrived is the kernel's wall time of arrival in ns, 0 when it does not say.
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

// From is whom the i-th datagram came from.
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
