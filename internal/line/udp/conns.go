package udp

import (
	"net"
	"net/netip"
)

// Conns is a pair of ordinary UDP sockets, for drivers with a goroutine per socket.
type Conns struct {
	RTP, Control *net.UDPConn
	own          uint16
}

// OpenConns binds an even port of an address and its successor. Port 0 uses any pair that is free.
func OpenConns(bind netip.Addr, port uint16) (*Conns, error) {
	at := func(port uint16) (*Conns, error) { return openConnsAt(bind, port) }
	if port != 0 {
		return at(port)
	}
	return search(at, func() (uint16, error) {
		probe, err := listenConn(bind, 0)
		if err != nil {
			return 0, err
		}
		free := probe.LocalAddr().(*net.UDPAddr).AddrPort().Port()
		_ = probe.Close()
		return free, nil
	})
}

func openConnsAt(bind netip.Addr, port uint16) (*Conns, error) {
	rtp, err := listenConn(bind, port)
	if err != nil {
		return nil, err
	}
	control, err := listenConn(bind, port+1)
	if err != nil {
		_ = rtp.Close()
		return nil, err
	}
	return &Conns{RTP: rtp, Control: control, own: port}, nil
}

func listenConn(bind netip.Addr, port uint16) (*net.UDPConn, error) {
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(bind, port)))
}

// Port returns the port of RTP.
func (c *Conns) Port() uint16 { return c.own }

// Dropped returns 0, as the number is not known for such sockets.
func (c *Conns) Dropped() int64 { return 0 }

// Send sends an RTP packet. Packets that the system does not accept are lost.
func (c *Conns) Send(b []byte, to netip.AddrPort) { _, _ = c.RTP.WriteToUDPAddrPort(b, to) }

// SendControl is Send for RTCP.
func (c *Conns) SendControl(b []byte, to netip.AddrPort) {
	_, _ = c.Control.WriteToUDPAddrPort(b, to)
}

// Settle does nothing: the reader checks the sender of each packet.
func (c *Conns) Settle(netip.AddrPort) {}

// Loosen does nothing, like Settle.
func (c *Conns) Loosen() {}

// Close closes both sockets and unblocks their readers.
func (c *Conns) Close() {
	_ = c.RTP.Close()
	_ = c.Control.Close()
}
