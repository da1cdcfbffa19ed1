package locate

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patient is how long a test waits for an event that must happen.
const patient = 20 * time.Second

// knowing returns the Finder of a socket bound to an address. example.org has these records, and a
// machine called "at-ADDRESS[,ADDRESS]" has those addresses.
func knowing(t *testing.T, from string, records ...*net.SRV) *Finder {
	f := New(t.Context(), netip.MustParseAddr(from))
	f.Serving = func(_ context.Context, service, proto, domain string) (string, []*net.SRV, error) {
		if service != "sip" || proto != "udp" || domain != "example.org" {
			return "", nil, fmt.Errorf("nobody knows _%s._%s.%s", service, proto, domain)
		}
		return "", records, nil
	}
	f.Find = func(_ context.Context, _, host string) (found []netip.Addr, err error) {
		if host == "pbx" {
			host = "at-192.0.2.1"
		}
		host, known := strings.CutPrefix(strings.TrimSuffix(host, ".example.org."), "at-")
		if !known {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		for one := range strings.SplitSeq(host, ",") {
			if one != "" {
				found = append(found, netip.MustParseAddr(one))
			}
		}
		return found, nil
	}
	return f
}

// TestPlaces checks that places are in the order of the records, those the socket can reach first,
// and eight at most.
func TestPlaces(t *testing.T) {
	t.Parallel()
	many := "at-" + strings.Repeat("192.0.2.1,", 9) + "2001:db8::1"
	for name, c := range map[string]struct {
		from, to string
		records  []*net.SRV
		want     string
		fails    string
	}{
		"an address":                    {to: "192.0.2.9:5062", want: "192.0.2.9:5062"},
		"an address without a port":     {to: "192.0.2.9:" + NoPort, want: "192.0.2.9:5060"},
		"an address that is mapped":     {to: "[::ffff:192.0.2.9]:5062", want: "192.0.2.9:5062"},
		"a host":                        {to: "[at-192.0.2.1,2001:db8::1,192.0.2.2]:5062", want: "192.0.2.1:5062 192.0.2.2:5062 [2001:db8::1]:5062"},
		"a host, seen from IPv6":        {from: "::", to: "[at-192.0.2.1,2001:db8::1]:5062", want: "[2001:db8::1]:5062 192.0.2.1:5062"},
		"a host with many":              {to: "[" + many + "]:5062", want: strings.TrimSpace(strings.Repeat("192.0.2.1:5062 ", 8))},
		"a host without any":            {to: "at-:5062", fails: "has no address"},
		"a host that nobody knows":      {to: "nowhere:5062", fails: "no such host"},
		"a name without a dot":          {to: "pbx:" + NoPort, want: "192.0.2.1:5060"},
		"a port that is none":           {to: "at-192.0.2.1:70000", fails: "not between 0 and 65535"},
		"a domain":                      {to: "example.org:" + NoPort, records: []*net.SRV{{Target: "at-192.0.2.8.example.org.", Port: 5071}, {Target: "at-192.0.2.7.example.org.", Port: 5070}}, want: "192.0.2.8:5071 192.0.2.7:5070"},
		"a domain in both families":     {to: "example.org:" + NoPort, records: []*net.SRV{{Target: "at-2001:db8::1.example.org.", Port: 5071}, {Target: "at-192.0.2.7.example.org.", Port: 5070}}, want: "192.0.2.7:5070 [2001:db8::1]:5071"},
		"a machine that nobody finds":   {to: "example.org:" + NoPort, records: []*net.SRV{{Target: "gone.example.org.", Port: 5071}, {Target: "at-192.0.2.7.example.org.", Port: 5070}}, want: "192.0.2.7:5070"},
		"addresses in place of names":   {to: "example.org:" + NoPort, records: []*net.SRV{{Target: "192.0.2.7.", Port: 5070}}, want: "192.0.2.7:5070"},
		"a domain that serves nobody":   {to: "example.org:" + NoPort, records: []*net.SRV{{Target: "."}}, fails: "is not served there"},
		"a domain without records":      {to: "example.net:" + NoPort, fails: "no such host"},
		"a domain whose port was named": {to: "example.org:5062", records: []*net.SRV{{Target: "192.0.2.7.", Port: 5070}}, fails: "no such host"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := c.from
			if from == "" {
				from = "0.0.0.0"
			}
			got, err := knowing(t, from, c.records...).Places(t.Context(), c.to, "udp")
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v, %v, want an error with %q", got, err, c.fails)
				}
				return
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%v, %v, want %s", got, err, c.want)
			}
		})
	}
}

// TestNear checks that addresses the socket cannot reach are omitted, and that there is an error if
// none is left.
func TestNear(t *testing.T) {
	t.Parallel()
	f := New(t.Context(), netip.MustParseAddr("::"))
	got, err := f.Near([]string{"192.0.2.1:5060", "[2001:db8::1]:5060"})
	if err != nil || !slices.Equal(got, []string{"[2001:db8::1]:5060"}) {
		t.Errorf("%v, %v, want the IPv6 address alone", got, err)
	}
	if got, err := f.Near([]string{"192.0.2.1:5060"}); err == nil || !strings.Contains(err.Error(), "192.0.2.1:5060 cannot be reached from ::") {
		t.Errorf("%v, %v, want an error that names the address and the socket's", got, err)
	}
}

// TestAResolverThatKnowsNoRecords checks that a resolver that never answers about SRV records
// delays the first call only, and hardly those after it, and that its later answers count again.
func TestAResolverThatKnowsNoRecords(t *testing.T) {
	t.Parallel()
	f := New(t.Context(), netip.IPv4Unspecified())
	f.Find = func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
	}
	var speaks atomic.Bool
	f.Serving = func(ctx context.Context, _, _, _ string) (string, []*net.SRV, error) {
		if speaks.Load() {
			return "", []*net.SRV{{Target: "sip.example.org.", Port: 5070}}, nil
		}
		<-ctx.Done()
		return "", nil, &net.DNSError{Err: "i/o timeout", IsTimeout: true}
	}
	places := func(within time.Duration, want string) {
		t.Helper()
		from := time.Now()
		got, err := f.Places(t.Context(), "example.org:0", "udp")
		if took := time.Since(from); took > within || err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%v after %v, %v, want %s within %v", got, took, err, want, within)
		}
	}
	places(patient, "192.0.2.1:5060")
	for end := time.Now().Add(patient); f.unanswered.patience("udp example.org") != recordsAgain && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	places(recordsTime/2, "192.0.2.1:5060")
	speaks.Store(true)
	places(patient, "192.0.2.1:5070")
	if f.unanswered.patience("udp example.org") != recordsTime {
		t.Error("who answers is not waited for")
	}
}
