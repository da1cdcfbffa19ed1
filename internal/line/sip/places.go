package sip

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
)

// mostPlaces is how many addresses of a host are tried.
const mostPlaces = 8

// open settles to which machine a request goes, and makes the TCP connection to it when
// there is none yet: sipgo would open one by itself, without the screen. A name may stand
// for several machines, in another order each time: what belongs to the request, a CANCEL
// say, has to go to the same one.
func (e *endpoint) open(ctx context.Context, req *msg.Request) error {
	_, err := e.openOne(ctx, req, nil)
	return err
}

// openOne is open and gives the machines that are left to try where that one does not serve us, or
// over UDP says nothing: nothing else tells there who is there. found are the machines where they have just been
// looked up.
func (e *endpoint) openOne(ctx context.Context, req *msg.Request, found []string) (others []string, err error) {
	t := transportOf(req.Transport())
	places := found
	if len(places) == 0 {
		places, err = e.placesOf(ctx, req.Destination(), t)
	}
	if t != TCP {
		var unknown *net.DNSError
		if errors.As(err, &unknown) { // sipgo looks for the name's SRV records
			return nil, nil
		}
		if err == nil {
			places, err = e.near(places)
		}
		if err != nil {
			return nil, err
		}
		req.SetDestination(places[0])
		return places[1:], nil
	}
	if err != nil {
		return nil, err
	}
	place, others, err := e.firstOpen(ctx, places)
	if err != nil {
		return nil, err
	}
	req.SetDestination(place)
	return others, nil
}

// near are the places of our own family, which are all that our socket reaches. It fails
// where there are none.
func (e *endpoint) near(places []string) ([]string, error) {
	near := slices.DeleteFunc(slices.Clone(places), func(place string) bool { return !e.reaches(place) })
	if len(near) == 0 {
		return nil, fmt.Errorf("%s cannot be reached from %s: one is an IPv4 address and the other an IPv6 one", places[0], e.bind.Addr())
	}
	return near, nil
}

// reaches says whether our socket reaches a place.
func (e *endpoint) reaches(place string) bool {
	return netip.MustParseAddrPort(place).Addr().Is6() == e.bind.Addr().Is6()
}

// elsewhere is a request as it goes to another place, by a transaction of its own (RFC 3263
// section 4.3).
func elsewhere(req *msg.Request, place string) *msg.Request {
	again := req.Clone()
	again.Via().Params.Add("branch", msg.GenerateBranch())
	again.SetDestination(place)
	return again
}

// firstOpen is the first of the places that a connection leads to, one that there is before
// others, and those behind it. None but the last may keep the others waiting for all the time there is.
func (e *endpoint) firstOpen(ctx context.Context, places []string) (open string, others []string, err error) {
	known := func(place string) bool { return e.tcp.alive.lost(place) != nil }
	if at := slices.IndexFunc(places, known); at > 0 {
		places = slices.Insert(slices.Delete(slices.Clone(places), at, at+1), 0, places[at])
	}
	for i, place := range places {
		patience := e.times.noReply / time.Duration(len(places))
		if i == len(places)-1 {
			patience = e.times.noReply
		}
		if err = e.reach(ctx, place, patience); err == nil || ctx.Err() != nil {
			return place, places[i+1:], err
		}
	}
	return "", nil, err
}

// reach makes the connection to a place.
func (e *endpoint) reach(ctx context.Context, place string, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case r := <-e.opening.DoChan(place, func() (any, error) { return nil, e.connect(place) }):
		return r.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// placesOf are the places that a request goes to. Where nobody has named a port, those come
// first that the SRV records of the domain prefer (RFC 3263 section 4.2), in each family.
func (e *endpoint) placesOf(ctx context.Context, hostport string, t Transport) ([]string, error) {
	domain, open := strings.CutSuffix(hostport, ":"+noPort)
	if !open {
		return e.places(ctx, hostport)
	}
	servers, err := e.servers(ctx, domain, t)
	if err != nil {
		return nil, err
	}
	var near, far []string
	for _, one := range servers {
		found, _ := e.places(ctx, net.JoinHostPort(machineOf(one), strconv.Itoa(int(one.Port)))) // a machine that nobody finds is passed by
		for _, place := range found {
			if e.reaches(place) {
				near = append(near, place)
			} else {
				far = append(far, place)
			}
		}
	}
	if near = append(near, far...); len(near) == 0 {
		return e.places(ctx, net.JoinHostPort(domain, usualPort))
	}
	return near[:min(len(near), mostPlaces)], nil
}

// machineOf is the machine that an SRV record names. An address is none by the book (RFC 2782), but
// can only be meant in one way, and is none any more with the dot of a whole name behind it.
func machineOf(record *net.SRV) string {
	if a, err := netip.ParseAddr(strings.TrimSuffix(record.Target, ".")); err == nil {
		return a.String()
	}
	return record.Target
}

// usualPort is where SIP is spoken when nobody says otherwise.
const usualPort = "5060"

// servers are who serves a domain by its SRV records, none where it has none. A name without a
// dot is that of a machine; who does not answer soon is a resolver that knows no such records. A
// domain may say that nobody serves it: its only record then names the root.
func (e *endpoint) servers(ctx context.Context, domain string, t Transport) ([]*net.SRV, error) {
	if !strings.Contains(domain, ".") {
		return nil, nil
	}
	found := e.recordsOf(ctx, domain, t)
	if len(found) == 1 && found[0].Target == "." {
		return nil, fmt.Errorf("the SRV records of %.60q say that SIP over %s is not served there", domain, t)
	}
	return found[:min(len(found), mostPlaces)], nil
}

// places are the addresses of a host as sipgo would write them, those of our own family
// before the others.
func (e *endpoint) places(ctx context.Context, hostport string) ([]string, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil { // sipgo reads any number out of a Contact
		return nil, fmt.Errorf("the port %.20q of %.60q is not between 0 and 65535", port, host)
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return []string{net.JoinHostPort(a.Unmap().String(), port)}, nil
	}
	found, err := e.find(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	var near, far []string
	for _, a := range found {
		a = a.Unmap()
		place := net.JoinHostPort(a.String(), port)
		if a.Is6() == e.bind.Addr().Is6() {
			near = append(near, place)
		} else {
			far = append(far, place)
		}
	}
	near = append(near, far...)
	if len(near) == 0 {
		return nil, fmt.Errorf("the host %.60q has no address", host)
	}
	return near[:min(len(near), mostPlaces)], nil
}

// lookUp is how long the far end's host may take to be found that a session description names.
const lookUp = 2 * time.Second

// read reads a session description, and looks up the host that it names in place of an address.
func (e *endpoint) read(body []byte) (sdp.Session, error) {
	s, err := sdp.Parse(body)
	if err != nil || s.Host == "" {
		return s, err
	}
	ctx, cancel := context.WithTimeout(e.ctx, lookUp)
	defer cancel()
	found, err := e.places(ctx, net.JoinHostPort(s.Host, "0"))
	if err != nil {
		return sdp.Session{}, fmt.Errorf("the host %.60q of the connection address is not found", s.Host)
	}
	return s, s.Found(netip.MustParseAddrPort(found[0]).Addr())
}
