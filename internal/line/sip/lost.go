package sip

import (
	"errors"
	"net"
	"net/netip"
	"syscall"

	"github.com/ringtrue/ringtrue/internal/call"
)

// lost returns the address that the endpoint sends from towards a far end it faces from local, if this
// machine no longer has that address: an interface has gone, or was given another address. The system
// then neither sends nor delivers anything, which otherwise looks like a far end that is silent.
func (e *endpoint) lost(local netip.Addr) (own netip.Addr, gone bool) {
	own = e.bind.Addr()
	if own.IsUnspecified() {
		if own = local; e.advertise.IsValid() { // local is then an address of the translation
			return own, false
		}
	}
	if !own.IsValid() {
		return own, false
	}
	probe, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(own, 0)))
	if err != nil {
		return own, errors.Is(err, syscall.EADDRNOTAVAIL)
	}
	_ = probe.Close()
	return own, false
}

// lostOr adds to an end that our own address has caused, if it is gone, that it is.
func (c *placing) lostOr(end call.EndReason) call.EndReason {
	switch end.Code {
	case call.EndMediaLost, call.EndUnreachable, call.EndRingtrueError:
	default:
		return end
	}
	var local netip.Addr
	if c.talk != nil {
		local = c.talk.ours.Addr
	}
	if own, gone := c.e.lost(local); gone {
		end.Detail += "; this machine no longer has the address " + own.String()
	}
	return end
}
