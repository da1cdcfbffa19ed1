package sip

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
)

// open determines the destination of a request and opens the TCP connection if there is none:
// sipgo would open one by itself, without the screen. A name may have several addresses, in
// varying order, while related requests such as a CANCEL must go to the same one.
func (e *endpoint) open(ctx context.Context, req *msg.Request) error {
	_, err := e.openOne(ctx, req, nil)
	return err
}

// openOne is open, and returns the destinations to try if this one does not serve us, or over UDP does not
// respond, which is the only indication there. found are the addresses if they have just been looked up.
func (e *endpoint) openOne(ctx context.Context, req *msg.Request, found []string) (others []string, err error) {
	t := transportOf(req.Transport())
	places := found
	if len(places) == 0 {
		places, err = e.locate.Places(ctx, req.Destination(), string(t))
	}
	if t != TCP {
		var unknown *net.DNSError
		if errors.As(err, &unknown) { // sipgo looks up the name's SRV records
			return nil, nil
		}
		if err == nil {
			places, err = e.locate.Near(places)
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

// elsewhere returns a copy of a request for another destination, with a transaction of its own
// (RFC 3263 section 4.3).
func elsewhere(req *msg.Request, place string) *msg.Request {
	again := req.Clone()
	again.Via().Params.Add("branch", msg.GenerateBranch())
	again.SetDestination(place)
	return again
}

// firstOpen returns the first of the places that can be connected to, preferring open connections, and
// those after it. Only the last one may take all the remaining time.
func (e *endpoint) firstOpen(ctx context.Context, places []string) (open string, others []string, err error) {
	known := func(place string) bool { return e.sockets.Lost(place) != nil }
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

// reach opens the connection to a place.
func (e *endpoint) reach(ctx context.Context, place string, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return e.sockets.Open(ctx, place)
}

// lookUp bounds the look-up of a host named in a session description.
const lookUp = 2 * time.Second

// read parses a session description and looks up a host that it names in place of an address.
func (e *endpoint) read(body []byte) (sdp.Session, error) {
	s, err := sdp.Parse(body)
	if err != nil || s.Host == "" {
		return s, err
	}
	ctx, cancel := context.WithTimeout(e.ctx, lookUp)
	defer cancel()
	found, err := e.locate.Addresses(ctx, net.JoinHostPort(s.Host, "0"))
	if err != nil {
		return sdp.Session{}, fmt.Errorf("the host %.60q of the connection address cannot be found", s.Host)
	}
	return s, s.Found(netip.MustParseAddrPort(found[0]).Addr())
}
